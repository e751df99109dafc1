import { describe, expect, it } from 'vitest';
import { runTool } from './run-tool.js';
import type { ToolCluster, ToolResult } from './tool.js';

const unused = (): never => {
  throw new Error('not needed');
};

/** Checks the rule `f` that holds this, at a moment: the answers of Pacemaker 2.1.5 were the same, where nothing else is said. */
function checked(conditions: string, date: string, more: readonly string[] = ['-r', 'f']): Promise<ToolResult> {
  const xml = `<cib><configuration><constraints><rsc_location id="q"><rule id="f">${conditions}</rule></rsc_location></constraints></configuration></cib>`;
  const cluster: ToolCluster = {
    ...{ node: 'n1', nodeId: '1', clusterName: 'west', cib: () => Promise.resolve(xml), request: unused, setAttributes: unused },
    transient: { read: unused, own: { get: unused, names: [], set: unused } },
  };
  return runTool({ tool: 'crm_rule', args: ['-c', '-d', date, ...more], env: {} }, cluster);
}

const spec = (attributes: string): string =>
  `<date_expression id="e" operation="date_spec"><date_spec id="s" ${attributes}/></date_expression>`;
const range = (attributes: string): string => `<date_expression id="e" ${attributes}/>`;

describe('crm_rule --check', () => {
  it.each([
    [range('operation="in_range" start="2005-001" end="2005-040"'), '2005-020', 'is still in effect', 0],
    [range('operation="in_range" start="2005-001" end="2005-040"'), '2006-001', 'is expired', 110],
    [range('operation="in_range" start="2100-001" end="2100-040"'), '2006-001', 'has not yet taken effect', 111],
    [range('operation="gt" start="2005-001"'), '2005-001', 'has not yet taken effect', 111],
    [range('operation="lt" end="2005-001"'), '2006-001', 'is expired', 110],
    [
      `<expression id="x" attribute="#uname" operation="eq" value="n1"/>${range('operation="gt" start="2005-001"')}`,
      '2006-001',
      'is still in effect',
      0,
    ],
    [`<rule id="g">${range('operation="gt" start="2105-040"')}</rule>`, '2005-001', 'has not yet taken effect', 111],
    // As 3.0 has it: what names no operation is a range.
    [range('start="2005-001"'), '2005-100', 'is still in effect', 0],
    [spec('years="2005"'), '2005-100', 'satisfies conditions', 0],
    [spec('years="2005" months="1"'), '2005-100', 'is expired', 110],
    [spec('years="2005" months="6"'), '2005-020', 'has not yet taken effect', 111],
    [spec('years="2005-"'), '2010-001', 'satisfies conditions', 0],
    [spec('years="2005-"'), '2004-001', 'has not yet taken effect', 111],
    // January comes again.
    [spec('years="2005-2006" months="1"'), '2005-100', 'has not yet taken effect', 111],
  ])('%s at %s: %s', async (conditions, date, words, exitCode) => {
    expect(await checked(conditions, date)).toEqual({ stdout: `Rule f ${words}\n`, stderr: '', exitCode });
  });

  it.each([
    ['', 3, 'Rule does not have a date expression'],
    [range('operation="gt" start="2005-001"') + range('operation="lt" end="2005-001"'), 3, 'Rule has more than one date expression'],
    [spec('hours="1"'), 3, 'Rule must either not use date_spec, or use date_spec with years= but not moon='],
    [range('operation="gt" start="rubbish"'), 112, 'Error parsing rule'],
    [range('operation="nonsense" start="2005-001"'), 112, 'Error parsing rule'],
    [spec('years="some"'), 112, 'Error parsing rule'],
  ])('can say nothing of %s', async (conditions, exitCode, why) => {
    const stderr = `Could not determine whether rule f is in effect: ${why}\n`;
    expect(await checked(conditions, '2006-001')).toEqual({ stdout: '', stderr, exitCode });
  });

  it('says of several what each is, and ends as the last', async () => {
    const rules = `${range('operation="gt" start="2005-001"')}</rule><rule id="past">${range('operation="lt" end="2005-001"')}`;
    const { stdout, exitCode } = await checked(rules, '2006-001', ['-r', 'f', '-r', 'past']);
    expect({ stdout, exitCode }).toEqual({ stdout: 'Rule f is still in effect\nRule past is expired\n', exitCode: 110 });
  });

  it('answers in XML', async () => {
    const { stdout, stderr, exitCode } = await checked('', '2006-001', ['-r', 'none', '--output-as=xml']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 105 });
    expect(stdout).toBe(
      '<pacemaker-result api-version="2.25" request="crm_rule -c -d 2006-001 -r none --output-as=xml">\n  <rule-check rule-id="none" rc="105"/>\n' +
        '  <status code="105" message="No such object">\n    <errors>\n      <error>Could not determine whether rule none is in effect: Rule not found</error>\n' +
        '    </errors>\n  </status>\n</pacemaker-result>\n',
    );
  });

  it('checks a hundred rules at once, and no more', async () => {
    const ask = (count: number) =>
      checked(range('operation="gt" start="2005-001"'), '2006-001', Array.from({ length: count }, () => ['-r', 'f']).flat());
    expect(await ask(100)).toMatchObject({ stdout: 'Rule f is still in effect\n'.repeat(100), exitCode: 0 });
    expect(await ask(101)).toMatchObject({ stdout: '', exitCode: 64 });
  });
});
