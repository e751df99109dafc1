import { describe, expect, it } from 'vitest';
import { CibEvaluation } from '../document/cib-evaluation.js';
import { clusterOptions } from '../options/cluster-options.js';
import { INFINITY_SCORE } from '../scalars/score.js';
import { utc } from '../time/date-time.js';
import { parseXml } from '../xml/parse-xml.js';

function evaluationOf(configuration: string): CibEvaluation {
  return new CibEvaluation(parseXml(`<cib><configuration>${configuration}</configuration></cib>`), utc(1_700_000_000));
}

function meta(sets: string, given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const evaluation = evaluationOf(`<resources><primitive id="p">${sets}</primitive></resources>`);
  const parent = evaluation.index.firstNamed('primitive');
  if (parent === undefined) throw new Error('no primitive');
  const target = new Map(Object.entries(given));
  evaluation.fill(parent, 'meta_attributes', {}, target);
  return Object.fromEntries(target);
}

const set = (id: string, pairs: string, more = ''): string => `<meta_attributes id="${id}" ${more}>${pairs}</meta_attributes>`;
const pair = (name: string, value: string): string => `<nvpair id="${name}-${value}" name="${name}" value="${value}"/>`;

describe('sets of name-value pairs', () => {
  it('of equal score: the last set wins, inside a set the first pair', () => {
    expect(meta(set('1', pair('a', '1')) + set('2', pair('a', '2') + pair('a', '3')))).toEqual({ a: '2' });
  });

  it('of higher score win; an invalid score is 0', () => {
    const sets =
      set('1', pair('a', '1'), 'score="INFINITY"') + set('2', pair('a', '2'), 'score="1"') + set('3', pair('a', '3'), 'score="x"');
    expect(meta(sets)).toEqual({ a: '1' });
  });

  it('never overwrite what is there', () => {
    expect(meta(set('1', pair('a', '1')), { a: '0' })).toEqual({ a: '0' });
  });

  it('delete a value by #default, which later sets may fill again', () => {
    const strong = set('1', pair('a', '1'), 'score="2"');
    const reset = set('2', pair('a', '#Default'), 'score="1"');
    expect(meta(strong + reset)).toEqual({});
    expect(meta(strong + reset + set('3', pair('a', '3')))).toEqual({ a: '3' });
    expect(meta(reset + set('3', pair('a', '3')))).toEqual({ a: '3' });
  });

  it('are skipped unless their first rule passes', () => {
    const never = '<rule id="r"><expression id="e" attribute="x" operation="defined"/></rule>';
    expect(meta(set('1', pair('a', '1')) + set('2', never + pair('a', '2')))).toEqual({ a: '1' });
  });

  it('follow references to sets and pairs, and ignore dangling and circular ones', () => {
    const other = '<meta_attributes id-ref="shared"/><meta_attributes id-ref="nowhere"/><meta_attributes id="c" id-ref="c"/>';
    const pairRef = set('1', '<nvpair id-ref="b-2" name="renamed"/><nvpair id="x" name="y"/>');
    const shared = `<template id="t">${set('shared', pair('a', '1') + pair('b', '2'))}</template>`;
    const evaluation = evaluationOf(`<resources><primitive id="p">${pairRef}${other}</primitive>${shared}</resources>`);
    const target = new Map<string, string>();
    const parent = evaluation.index.firstNamed('primitive');
    if (parent !== undefined) evaluation.fill(parent, 'meta_attributes', {}, target);
    expect(Object.fromEntries(target)).toEqual({ a: '1', b: '2' });
  });
});

describe('cluster options', () => {
  const options = (sets: string): ReturnType<typeof clusterOptions> => clusterOptions(evaluationOf(`<crm_config>${sets}</crm_config>`));
  const properties = (id: string, pairs: string, more = ''): string =>
    `<cluster_property_set id="${id}" ${more}>${pairs}</cluster_property_set>`;

  it('have defaults', () => {
    const values = options('');
    expect(values.flag('fencing-enabled')).toBe(true);
    expect(values.text('cluster-delay')).toBe('60s');
    expect(values.duration('fencing-timeout')).toBe(60_000);
    expect(values.choice('no-quorum-policy')).toBe('stop');
    expect(values.text('cluster-name')).toBeUndefined();
    expect(values.healthWords).toEqual({ red: 0, yellow: 0, green: 0 });
  });

  it('take the bootstrap set first, whatever its score', () => {
    const sets =
      properties('strong', pair('batch-limit', '9'), 'score="100"') + properties('cib-bootstrap-options', pair('batch-limit', '5x'));
    expect(options(sets).text('batch-limit')).toBe('5x');
    expect(options(sets).integer('batch-limit')).toBe(5);
  });

  it('prefer the name to its alias, even across scores', () => {
    const sets = properties('a', pair('stonith-enabled', 'false'), 'score="100"') + properties('b', pair('fencing-enabled', 'true'));
    expect(options(sets).flag('fencing-enabled')).toBe(true);
    expect(options(properties('a', pair('stonith-enabled', 'no'))).flag('fencing-enabled')).toBe(false);
  });

  it('fall back to the default when invalid', () => {
    const values = options(
      properties(
        'a',
        pair('stonith-action', 'poweroff') +
          pair('cluster-delay', 'bogus') +
          pair('symmetric-cluster', 'maybe') +
          pair('Cluster-Delay', '5s'),
      ),
    );
    expect(values.text('fencing-action')).toBe('reboot');
    expect(values.text('cluster-delay')).toBe('60s');
    expect(values.flag('symmetric-cluster')).toBe(true);
    expect(values.configured.get('Cluster-Delay')).toBe('5s');
  });

  it('give health words their worth', () => {
    const custom = properties('a', pair('node-health-strategy', 'Custom') + pair('node-health-yellow', '-10'));
    expect(options(custom).healthWords).toEqual({ red: -INFINITY_SCORE, yellow: -10, green: 0 });
    expect(options(properties('a', pair('node-health-strategy', 'only-green'))).healthWords.yellow).toBe(-INFINITY_SCORE);
  });
});
