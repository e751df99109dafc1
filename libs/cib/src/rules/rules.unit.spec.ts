import { describe, expect, it } from 'vitest';
import { CibEvaluation } from '../document/cib-evaluation.js';
import { parseDateTime, utc } from '../time/date-time.js';
import { parseXml } from '../xml/parse-xml.js';
import type { RuleInput } from './rule-input.js';

const at = (text: string): number => parseDateTime(text)?.epochSeconds ?? NaN;

interface Outcome {
  readonly passes: boolean;
  readonly recheckBy: number | undefined;
}

function evaluate(rule: string, input: RuleInput = {}, now = '2024-05-06T12:00:00Z'): Outcome {
  const document = parseXml(`<cib><configuration>${rule}</configuration></cib>`);
  const evaluation = new CibEvaluation(document, utc(at(now)));
  const found = evaluation.index.firstNamed('rule');
  if (found === undefined) throw new Error('no rule in the text');
  return { passes: evaluation.passes(found, input), recheckBy: evaluation.recheckBy };
}

function withAttributes(values: Readonly<Record<string, string>>): RuleInput {
  return { nodeAttributes: new Map(Object.entries(values)) };
}

describe('rules', () => {
  const yes = '<expression id="y" attribute="a" operation="not_defined"/>';
  const no = '<expression id="n" attribute="a" operation="defined"/>';

  it.each([
    ['<rule id="r"/>', true],
    ['<rule id="r" boolean-op="or"/>', true],
    [`<rule id="r">${yes}${no}</rule>`, false],
    [`<rule id="r" boolean-op="OR">${no}${yes}</rule>`, true],
    [`<rule id="r" boolean-op="or">${no}</rule>`, false],
    [`<rule id="r" boolean-op="xor">${yes}</rule>`, false],
    [`<rule>${yes}</rule>`, false],
    ['<rule id="r"><expression attribute="a" operation="not_defined"/></rule>', false],
    ['<rule id="r"><comet id="c"/></rule>', false],
    [`<rule id="r"><!-- nothing --><rule id="s" boolean-op="or">${no}${yes}</rule></rule>`, true],
    [`<rule id-ref="s"/><rule id="s">${no}</rule>`, false],
    ['<rule id-ref="nowhere"/>', false],
  ])('%s', (rule, passes) => {
    expect(evaluate(rule).passes).toBe(passes);
  });
});

describe('rules that stand for others', () => {
  const yes = '<expression id="y" attribute="a" operation="not_defined"/>';
  const wrapped = (rules: string): string => `<rule id="top"><rule id-ref="r0"/></rule><rules>${rules}</rules>`;
  const chain = (length: number, link: (next: number) => string): string =>
    wrapped(Array.from({ length }, (_, index) => `<rule id="r${index}">${index + 1 < length ? link(index + 1) : yes}</rule>`).join(''));

  it('fail inside themselves', () => {
    expect(evaluate(wrapped('<rule id="r0"><rule id-ref="r0"/></rule>')).passes).toBe(false);
    expect(
      evaluate(wrapped(`<rule id="r0" boolean-op="or"><rule id-ref="r1"/>${yes}</rule><rule id="r1"><rule id-ref="r0"/></rule>`)).passes,
    ).toBe(true);
  });

  it('are evaluated once, however many ways lead to them', () => {
    expect(evaluate(chain(60, (next) => `<rule id-ref="r${next}"/><rule id-ref="r${next}"/>`)).passes).toBe(true);
  });

  it('fail beyond the depth to which elements may be nested', () => {
    expect(evaluate(chain(250, (next) => `<rule id-ref="r${next}"/>`)).passes).toBe(true);
    expect(evaluate(chain(20_000, (next) => `<rule id-ref="r${next}"/>`)).passes).toBe(false);
  });
});

describe('expressions on node attributes', () => {
  it.each([
    ['operation="eq" value="ABC"', 'abc', true],
    ['operation="eq" value="1"', '1.0', false],
    ['operation="eq" type="number" value="1"', '1.0', true],
    ['operation="eq" type="integer" value="2"', '2.7', true],
    ['operation="lt" value="10"', '9', true],
    ['operation="lt" value="10.5"', '9', true],
    ['operation="lt" type="string" value="10"', '9', false],
    ['operation="gt" type="version" value="2.9"', '2.10', true],
    ['operation="gte" value="x"', 'y', true],
    ['operation="gt" value="9223372036854775807"', '9223372036854775806', false],
    ['operation="ne" value="x"', undefined, true],
    ['operation="lt" value="x"', undefined, false],
    ['operation="eq" value="x"', undefined, false],
    ['operation="defined"', 'x', true],
    ['operation="defined" value="x"', 'x', false],
    ['operation="eq"', 'x', false],
    ['operation="like" value="x"', 'x', false],
    ['operation="eq" type="hex" value="x"', 'x', false],
    ['value="x"', 'x', false],
  ])('<expression attribute="a" %s/> on %s', (attributes, value, passes) => {
    const rule = `<rule id="r"><expression id="e" attribute="a" ${attributes}/></rule>`;
    expect(evaluate(rule, withAttributes(value === undefined ? {} : { a: value })).passes).toBe(passes);
  });

  it('compare with a parameter or a meta-attribute', () => {
    const rule = '<rule id="r"><expression id="e" attribute="a" operation="eq" value="p" value-source="param"/></rule>';
    const node = withAttributes({ a: 'x' });
    expect(evaluate(rule, { ...node, parameters: new Map([['p', 'x']]) }).passes).toBe(true);
    expect(evaluate(rule, node).passes).toBe(false);
    expect(evaluate(rule).passes).toBe(true);
    expect(evaluate(rule.replace('param', 'meta'), { ...node, metaAttributes: new Map([['p', 'x']]) }).passes).toBe(true);
  });

  it('name the attribute by the groups of the resource pattern', () => {
    const rule = '<rule id="r"><expression id="e" attribute="%1-%9%x" operation="eq" value="1"/></rule>';
    expect(evaluate(rule, { ...withAttributes({ 'db-%x': '1' }), submatches: ['my-db', 'db'] }).passes).toBe(true);
    expect(evaluate(rule, withAttributes({ '%1-%9%x': '1' })).passes).toBe(true);
  });
});

describe('expressions on resources and operations', () => {
  it.each([
    ['<rsc_expression id="e" class="ocf" type="Dummy"/>', true],
    ['<rsc_expression id="e" type="dummy"/>', false],
    ['<rsc_expression id="e" provider="pacemaker"/>', false],
    ['<rsc_expression id="e"/>', true],
    ['<op_expression id="e" name="monitor"/>', true],
    ['<op_expression id="e" name="monitor" interval="10000ms"/>', true],
    ['<op_expression id="e" name="monitor" interval="20s"/>', false],
    ['<op_expression id="e" name="monitor" interval="x"/>', false],
    ['<op_expression id="e" interval="10s"/>', false],
  ])('%s', (condition, passes) => {
    const input: RuleInput = { resource: { standard: 'ocf', type: 'Dummy' }, operation: { name: 'monitor', interval: 10_000 } };
    expect(evaluate(`<rule id="r">${condition}</rule>`, input).passes).toBe(passes);
  });

  it('fail where there is neither', () => {
    expect(evaluate('<rule id="r"><op_expression id="e" name="start"/></rule>').passes).toBe(false);
    expect(evaluate('<rule id="r"><rsc_expression id="e" class="ocf"/></rule>').passes).toBe(false);
  });
});

describe('date expressions', () => {
  const noon = at('2024-05-06T12:00:00Z');

  it.each([
    ['start="2024-05-06T12:00:00Z" end="2024-05-06T12:00:00Z"', true, noon + 1],
    ['start="2024-05-06T12:00:01Z"', false, noon + 1],
    ['end="2024-05-06T11:59:59Z"', false, undefined],
    ['start="2024-01-01"', true, undefined],
    ['operation="gt" start="2024-05-06T12:00:00Z"', false, noon + 1],
    ['operation="gt" start="2024-05-06T11:00:00Z"', true, undefined],
    ['operation="gt" end="2024-05-06T11:00:00Z"', false, undefined],
    ['operation="lt" end="2024-05-06T13:00:00Z"', true, noon + 3600],
    ['operation="lt" end="2024-05-06T12:00:00Z"', false, undefined],
    ['operation="in_range"', false, undefined],
    ['operation="in_range" start="never"', false, undefined],
    ['operation="sometimes" start="2024-01-01"', false, undefined],
  ])('%s', (attributes, passes, recheckBy) => {
    expect(evaluate(`<rule id="r"><date_expression id="e" ${attributes}/></rule>`)).toEqual({ passes, recheckBy });
  });

  it('take a duration for a missing end', () => {
    const rule = (duration: string): string =>
      `<rule id="r"><date_expression id="e" start="2024-05-06T11:00:00Z"><duration ${duration}/></date_expression></rule>`;
    expect(evaluate(rule('id="d" hours="2"'))).toEqual({ passes: true, recheckBy: noon + 3601 });
    expect(evaluate(rule('id="d" minutes="5"')).passes).toBe(false);
    expect(evaluate(rule('hours="2"')).passes).toBe(false);
    expect(evaluate(rule('id="d" hours="two"')).passes).toBe(false);
  });

  it('match a calendar pattern', () => {
    const rule =
      '<rule id="r"><date_expression id="e" operation="date_spec"><date_spec id="d" hours="9-16" weekdays="1-5"/></date_expression></rule>';
    expect(evaluate(rule).passes).toBe(true);
    expect(evaluate(rule, {}, '2024-05-05T12:00:00Z').passes).toBe(false);
    expect(evaluate('<rule id="r"><date_expression id="e" operation="date_spec"/></rule>').passes).toBe(false);
  });

  it('that short-circuiting leaves out propose no time', () => {
    const never = '<expression id="n" attribute="a" operation="defined"/>';
    const later = '<date_expression id="e" start="2030-01-01"/>';
    expect(evaluate(`<rule id="r">${never}${later}</rule>`).recheckBy).toBeUndefined();
    expect(evaluate(`<rule id="r">${later}${never}</rule>`).recheckBy).toBe(at('2030-01-01'));
  });
});
