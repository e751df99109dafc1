import { parseXml, readCib, readsNodeAttribute, type XmlElement } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import { append, EPOCH, option, planned, threeNodes } from '../testing/stream.js';
import type { ClusterState } from './cluster-state.js';
import { nodeAttributesOf } from './node-attributes.js';

const NOW = EPOCH / 1000;
const LIFETIMES = ['reboot', 'forever'] as const;
type Lifetime = (typeof LIFETIMES)[number];

const primitive = (id: string, inner = ''): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy">${inner}</primitive>`;
const location = (rule: string, on = 'rsc="web"'): string => `<rsc_location id="l" ${on}>${rule}</rsc_location>`;

interface Configured {
  readonly fencing?: boolean;
  readonly options?: string;
  readonly resources?: string;
  readonly constraints?: string;
  readonly more?: string;
}

function cluster({ fencing = false, options = '', resources = '', constraints = '', more = '' }: Configured): ClusterState {
  const state = threeNodes({
    options: option('fencing-enabled', String(fencing)) + options,
    resources: `<primitive id="fence" class="stonith" type="fence_test"/>${primitive('web')}${primitive('db')}${primitive('w2', resources)}`,
    more,
  });
  const configuration = state.cib.children.find((child) => child.kind === 'element' && child.name === 'configuration');
  if (configuration?.kind !== 'element') throw new Error('no configuration');
  const written = parseXml(`<constraints>${constraints}</constraints>`);
  const children = configuration.children.map((child) => (child.kind === 'element' && child.name === 'constraints' ? written : child));
  const cib = {
    ...state.cib,
    children: state.cib.children.map((child) => (child === configuration ? { ...configuration, children } : child)),
  };
  return { ...state, cib };
}

const set = (node: string, name: string, value: string, lifetime: Lifetime): ClusterEvent => ({
  type: 'NodeAttributeSet',
  data: { node, name, value, lifetime },
});
const planOf = (cib: XmlElement): string => JSON.stringify(schedule(readCib(cib), { now: NOW }));

/** Everything that makes a configuration read an attribute: what is configured, and the attribute. */
const SOURCES: readonly (readonly [what: string, Configured, name: string, value: string])[] = [
  ['standby', {}, 'standby', 'on'],
  ['maintenance', {}, 'maintenance', 'true'],
  ['shutdown', {}, 'shutdown', '1'],
  ['a request for fencing', { fencing: true }, 'terminate', 'true'],
  ['node health', { options: option('node-health-strategy', 'only-green') }, '#health-disk', 'red'],
  [
    'the site, which rules know by another name',
    { constraints: location('<rule id="r" score="-INFINITY"><expression id="e" attribute="#site-name" operation="eq" value="x"/></rule>') },
    'site-name',
    'x',
  ],
  [
    'fail counts',
    { resources: '<meta_attributes id="m"><nvpair id="mt" name="migration-threshold" value="1"/></meta_attributes>' },
    'fail-count-w2#start_0',
    '1',
  ],
  [
    'a rule of a location',
    { constraints: location('<rule id="r" score="-INFINITY"><expression id="e" attribute="pingd" operation="lt" value="1"/></rule>') },
    'pingd',
    '0',
  ],
  [
    'a rule inside a rule',
    {
      constraints: location(
        '<rule id="r" score="-INFINITY"><rule id="q"><expression id="e" attribute="pingd" operation="lt" value="1"/></rule></rule>',
      ),
    },
    'pingd',
    '0',
  ],
  [
    'a rule that names groups of a pattern',
    {
      constraints: location(
        '<rule id="r" score="-INFINITY"><expression id="e" attribute="bad-%1-x" operation="defined"/></rule>',
        'rsc-pattern="^(w.b)$"',
      ),
    },
    'bad-web-x',
    '1',
  ],
  [
    'a rule that compares with a parameter',
    {
      constraints: location(
        '<rule id="r" score="-INFINITY"><expression id="e" attribute="disk" operation="ne" value-source="param" value="size"/></rule>',
      ),
    },
    'disk',
    'x',
  ],
  [
    'a score',
    {
      constraints: location('<rule id="r" score-attribute="load"><expression id="e" attribute="#uname" operation="defined"/></rule>'),
    },
    'load',
    '-INFINITY',
  ],
  [
    'a score that names groups of a pattern',
    {
      constraints: location(
        '<rule id="r" score-attribute="load-%0"><expression id="e" attribute="#uname" operation="defined"/></rule>',
        'rsc-pattern="^web$"',
      ),
    },
    'load-web',
    '-INFINITY',
  ],
  [
    'a colocation',
    { constraints: '<rsc_colocation id="c" rsc="web" with-rsc="db" score="-INFINITY" node-attribute="rack"/>' },
    'rack',
    'x',
  ],
];

describe('attributes that the schedule depends on', () => {
  it.each(SOURCES)('are read: %s', (_, configured, name, value) => {
    const state = cluster(configured);
    expect(readsNodeAttribute(state.cib, name)).toBe(true);
    for (const lifetime of LIFETIMES) {
      const differs = ['n1', 'n2', 'n3'].some((node) => planOf(append(state, set(node, name, value, lifetime)).cib) !== planOf(state.cib));
      expect(differs).toBe(true);
      expect(append(planned(state), set('n1', name, value, lifetime)).transition?.status).toBe('aborting');
    }
  });

  it.each([
    ['promotion scores', '', 'master-web'],
    ['probing of remote nodes', '', 'resource-discovery-enabled'],
    ['unfencing', '', '#digests-all'],
    [
      'levels of fencing',
      '<fencing-topology><fencing-level id="fl" index="1" devices="fence" target-attribute="rack" target-value="1"/></fencing-topology>',
      'rack',
    ],
    [
      'rules of parameters',
      '<rsc_defaults><meta_attributes id="rd"><rule id="rr"><expression id="re" attribute="tier" operation="defined"/></rule></meta_attributes></rsc_defaults>',
      'tier',
    ],
  ])('are read: %s', (_, more, name) => {
    expect(readsNodeAttribute(cluster({ more }).cib, name)).toBe(true);
  });

  it('are all of them where something else borrows the sets of nodes, or what stands in the status', () => {
    const borrowed = (reference: string): XmlElement =>
      parseXml(
        '<cib><configuration><nodes><node id="1" uname="n1"><instance_attributes id="own"><nvpair id="p" name="ip" value="1"/></instance_attributes>' +
          `</node></nodes><resources><primitive id="a"><instance_attributes id-ref="${reference}"/></primitive>` +
          '<primitive id="b"><instance_attributes id="b-i"/></primitive></resources></configuration><status/></cib>',
      );
    expect(readsNodeAttribute(borrowed('own'), 'any')).toBe(true);
    expect(readsNodeAttribute(borrowed('status-1'), 'any')).toBe(true);
    expect(readsNodeAttribute(borrowed('b-i'), 'any')).toBe(false);
  });
});

describe('an attribute that nothing reads', () => {
  it('is noted, and lets the running transition go on; the configuration that comes to read it is what counts', () => {
    for (const lifetime of LIFETIMES) {
      const before = planned(cluster({}));
      const state = append(before, set('n1', 'replay-lag', '7', lifetime), {
        type: 'NodeAttributeCleared',
        data: { node: 'n2', name: 'x', lifetime },
      });
      expect(nodeAttributesOf(state, 'n1', EPOCH).get('replay-lag')).toBe('7');
      expect(state.transition?.status).toBe('running');
      expect(state.recompute).toEqual(before.recompute);
    }
  });

  it('takes the place of no other whose id it would get', () => {
    for (const lifetime of LIFETIMES) {
      const state = append(
        cluster({}),
        set('n1', 'fail-count-web#start_0', '3', lifetime),
        set('n1', 'fail-count-web.start_0', 'x', lifetime),
        set('n1', 'fail-count-web%start_0', 'y', lifetime),
        set('n1', 'fail-count-web.start_0', 'z', lifetime),
        { type: 'NodeAttributeCleared', data: { node: 'n1', name: 'fail-count-web%start_0', lifetime } },
      );
      const attributes = nodeAttributesOf(state, 'n1', EPOCH);
      expect([...attributes].filter(([name]) => name.startsWith('fail-count'))).toEqual([
        ['fail-count-web#start_0', '3'],
        ['fail-count-web.start_0', 'z'],
      ]);
    }
  });

  const values = fc.constantFrom('0', '1', 'true', 'on', 'red', 'INFINITY', '-INFINITY', '#default', 'x', '');
  const names = fc.oneof(
    fc.constantFrom(
      ...SOURCES.map(([, , name]) => name),
      'promotion-web',
      'probe_complete',
      'load-',
      'bad-',
      'uname',
      'kind',
      'e',
      'c',
      'n1',
      'web',
    ),
    fc.string({ minLength: 1, maxLength: 20 }),
  );

  it('changes no plan, whatever the configuration', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(
        fc.subarray(SOURCES.map(([, configured]) => configured)),
        fc.array(fc.tuple(fc.constantFrom('n1', 'n2', 'n3'), names, values, fc.constantFrom(...LIFETIMES)), { minLength: 1, maxLength: 8 }),
        (configurations, changes) => {
          const all = (part: 'options' | 'resources'): string => configurations.map((configured) => configured[part] ?? '').join('');
          // One stands for each kind: ids of several would be the same.
          const constraints = configurations.find(({ constraints: some }) => some !== undefined)?.constraints ?? '';
          const state = cluster({
            fencing: configurations.some(({ fencing }) => fencing),
            options: all('options'),
            resources: all('resources'),
            constraints,
          });
          const unread = changes.filter(([, name]) => !readsNodeAttribute(state.cib, name));
          const after = append(state, ...unread.map((change) => set(...change)));
          expect(planOf(after.cib)).toBe(planOf(state.cib));
        },
      ),
      { numRuns: 150 },
    );
  });
});
