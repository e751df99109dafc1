import { describe, expect, it } from 'vitest';
import { CibEvaluation } from '../document/cib-evaluation.js';
import { CibRefused } from '../document/cib-refused.js';
import { readCib } from '../document/cib.js';
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

describe("Systole's own options", () => {
  const read = (pairs: string, schema = 'pacemaker-4.0'): readonly string[] => {
    const text =
      `<cib validate-with="${schema}" epoch="0" num_updates="0" admin_epoch="0"><configuration><crm_config><cluster_property_set id="s">${pairs}` +
      '</cluster_property_set></crm_config><nodes/><resources/><constraints/></configuration><status/></cib>';
    try {
      readCib(text, { mistakes: 'refuse' });
      return [];
    } catch (thrown) {
      if (!(thrown instanceof CibRefused)) throw thrown;
      return thrown.problems.map(({ path, attribute, message }) => `${path}/@${attribute ?? ''} ${message}`);
    }
  };
  const at = (id: string): string => `/cib/configuration/crm_config/cluster_property_set[@id='s']/nvpair[@id='${id}']`;

  it.each(['pacemaker-4.0', 'none'])('are refused with a wrong value, whatever the schema (%s)', (schema) => {
    expect(read('<nvpair id="p" name="systole-down-margin" value="five minutes"/>', schema)).toEqual([
      `${at('p')}/@value systole-down-margin: "five minutes" is not valid: use auto, or a time such as 30, 30s, 5min, 2h, 200ms or PT5M (without a unit: seconds)`,
    ]);
  });

  it('are refused when nobody knows them, with the nearest name that is known', () => {
    expect(read('<nvpair id="p" name="systole-down-margins" value="5s"/>')).toEqual([
      `${at('p')}/@name there is no cluster option systole-down-margins: did you mean systole-down-margin?`,
    ]);
    expect(read('<nvpair id="p" name="systole_two_node" value="yes"/>')).toEqual([
      `${at('p')}/@name there is no cluster option systole_two_node: did you mean systole-two-node?`,
    ]);
    expect(read('<nvpair id="p" name="systole-zzzzzzzzzzzzzzz" value="yes"/>')[0]).toContain('known are systole-two-node, ');
  });

  it('are found behind a reference', () => {
    const pairs = '<nvpair id="p" name="systole-fencing-limit" value="0%"/><nvpair id-ref="p" name="x"/>';
    expect(read(pairs)).toHaveLength(2);
  });

  it.each([
    ['systole-down-margin', ['auto', '0', '90s', '5 min', 'PT1M', '#default'], ['', 'soon', '-5s', '5 fortnights']],
    ['systole-fencing-limit', ['auto', '1', '100%', '#DEFAULT'], ['0', '0%', '101%', '1.5', '-1', 'half', '1e3']],
    ['systole-expected-votes', ['1', '31'], ['0', '-3', '5x', 'INFINITY']],
    ['systole-on-lease-loss', ['auto', 'keep', 'Stop', 'watchdog'], ['ignore', '']],
    ['systole-two-node', ['yes', 'FALSE'], ['maybe']],
  ])('%s accepts %j and refuses %j', (name, right, wrong) => {
    const problems = (value: string): number => read(`<nvpair id="p" name="${name}" value="${value}"/>`).length;
    expect(right.map(problems)).toEqual(right.map(() => 0));
    expect(wrong.map(problems)).toEqual(wrong.map(() => 1));
  });

  it('have accessors by their type', () => {
    const values = (pairs: string) =>
      evaluationOf(`<crm_config><cluster_property_set id="s">${pairs}</cluster_property_set></crm_config>`).options;
    expect(values('').chosenDuration('systole-down-margin')).toBeUndefined();
    expect(values(pair('systole-down-margin', '2min')).chosenDuration('systole-down-margin')).toBe(120_000);
    expect(values('').share('systole-fencing-limit')).toBeUndefined();
    expect(values(pair('systole-fencing-limit', '30%')).share('systole-fencing-limit')).toEqual({ by: 'percent', percent: 30 });
    expect(values(pair('systole-fencing-limit', '3')).share('systole-fencing-limit')).toEqual({ by: 'count', count: 3 });
    expect(values(pair('systole-expected-votes', '5')).count('systole-expected-votes')).toBe(5);
    expect(values('').count('systole-expected-votes')).toBeUndefined();
  });
});

describe("wrong values of Pacemaker's own options", () => {
  it('are told as mistyped where the name is one letter or two from a known one, and left alone else', () => {
    const said = (name: string) =>
      evaluationOf(`<crm_config><cluster_property_set id="s">${pair(name, 'false')}</cluster_property_set></crm_config>`).options.mistakes;
    expect(said('stonith-enabeld')).toEqual([
      'Cluster option stonith-enabeld is not known: did you mean stonith-enabled?; meanwhile it has no effect',
    ]);
    for (const own of ['dc-version', 'cluster-name', 'cluster-infrastructure', 'last-lrm-refresh', 'my-tool'])
      expect(said(own)).toEqual([]);
  });

  it('count as the default, and are said aloud', () => {
    const set = `<cluster_property_set id="s">${pair('cluster-delay', 'bogus')}${pair('stonith-action', 'poweroff')}${pair('batch-limit', '5x')}${pair('own-option', '1')}`;
    expect(evaluationOf(`<crm_config>${set}</cluster_property_set></crm_config>`).options.mistakes).toEqual([
      'Cluster option cluster-delay: "bogus" is not valid: use a time such as 30, 30s, 5min, 2h, 200ms or PT5M (without a unit: seconds); meanwhile 60s is used',
      'Cluster option stonith-action: "poweroff" is not valid: use reboot or off; meanwhile reboot is used',
      'Cluster option batch-limit: of "5x" only the beginning is read: use an integer, or INFINITY; meanwhile 5 is used',
    ]);
  });

  it.each([
    ['batch-limit', '1e3', 1],
    ['node-action-limit', '1.5', 1],
    ['migration-limit', '1,000', 1],
    ['node-health-base', ' -3.9', -3],
    ['batch-limit', '0x10', 0],
    ['fencing-max-attempts', '10 times', 10],
  ] as const)('are told of where only the beginning of a number counts (%s: %j is %d)', (name, text, value) => {
    const { options } = evaluationOf(`<crm_config><cluster_property_set id="s">${pair(name, text)}</cluster_property_set></crm_config>`);
    expect(options.integer(name)).toBe(value);
    expect(options.mistakes).toEqual([
      expect.stringMatching(
        new RegExp(`^Cluster option ${name}: of "${text}" only the beginning is read: use .*; meanwhile ${String(value)} is used$`),
      ),
    ]);
  });

  it.each(['7', ' 7', '7 ', '+7', '7.0', '7.', 'INFINITY', '-1'])('are none in %j: all of it counts', (text) => {
    const set = `<cluster_property_set id="s">${pair('batch-limit', text)}</cluster_property_set>`;
    expect(evaluationOf(`<crm_config>${set}</crm_config>`).options.mistakes).toEqual([]);
  });

  it('count as the default where they do not even begin with a number, or are below what is accepted', () => {
    const set = `<cluster_property_set id="s">${pair('batch-limit', 'x3')}${pair('fencing-max-attempts', '0.5')}</cluster_property_set>`;
    const { options } = evaluationOf(`<crm_config>${set}</crm_config>`);
    expect([options.integer('batch-limit'), options.integer('fencing-max-attempts')]).toEqual([0, 10]);
    expect(options.mistakes.map((mistake) => mistake.replace(/use .*; /, ''))).toEqual([
      'Cluster option batch-limit: "x3" is not valid: meanwhile 0 is used',
      'Cluster option fencing-max-attempts: "0.5" is not valid: meanwhile 10 is used',
    ]);
  });
});
