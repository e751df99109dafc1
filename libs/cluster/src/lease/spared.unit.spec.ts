import { diffConfiguration, isManaged, parseBoolean, readingOf, type XmlElement } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { nodeAttributesOf } from '../state/node-attributes.js';
import { nodeStateOf } from '../state/node-state.js';
import { resourcesWithHistory } from '../state/history.js';
import { planTime } from '../state/plan-time.js';
import { startedResult } from '../testing/started.js';
import { append, EPOCH, execute, threeNodes } from '../testing/stream.js';
import { unmanagedResources } from './unmanaged.js';

const NODES = ['n1', 'n2', 'n3'] as const;
/** When a rule of the generated documents turns, epoch seconds. */
const TURN = Date.UTC(2026, 5, 1) / 1000;

/** What a generated document says about what is managed. */
interface Said {
  readonly mode: 'none' | 'always' | 'until the turn';
  /** Ids of resources with `is-managed=false`. */
  readonly unmanaged: readonly string[];
  readonly nodes: readonly string[];
}

const nothingSaid: Said = { mode: 'none', unmanaged: [], nodes: [] };
const pair = (id: string, name: string, value: string): string => `<nvpair id="${id}" name="${name}" value="${value}"/>`;

function clusterThatSays({ mode, unmanaged, nodes }: Said): ClusterState {
  const meta = (id: string): string =>
    unmanaged.includes(id) ? `<meta_attributes id="${id}-m">${pair(`${id}-mm`, 'is-managed', 'false')}</meta_attributes>` : '';
  const primitive = (id: string): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy">${meta(id)}</primitive>`;
  const rule = `<rule id="r" score="INFINITY"><date_expression id="d" operation="lt" end="2026-06-01"/></rule>`;
  const maintenance = pair('mm', 'maintenance-mode', 'true');
  const options =
    mode === 'none' ? '' : mode === 'always' ? maintenance : `</cluster_property_set><cluster_property_set id="p">${rule}${maintenance}`;
  const resources =
    primitive('db') +
    `<group id="grp">${primitive('first')}${meta('grp')}</group>` +
    `<clone id="webs">${primitive('web')}${meta('webs')}</clone>` +
    `<bundle id="box"><docker image="i" replicas="2"/>${primitive('app')}${meta('box')}</bundle>`;
  const state = threeNodes({ options, resources });
  return nodes.reduce(
    (said, node) => append(said, { type: 'NodeAttributeSet', data: { node, name: 'maintenance', value: 'true', lifetime: 'forever' } }),
    state,
  );
}

function ran(state: ClusterState, node: string, resources: readonly string[]): ClusterState {
  const incarnation = memberOf(state, node)?.incarnation ?? 0;
  const handedOut = new Set(['a']);
  return execute(state, { type: 'record-results', node, incarnation, results: resources.map((id) => startedResult(id)), handedOut });
}

/** What a node leaves alone, by its definition (specification 02 §3.3, 03 §2.4): all that it has a history of is asked. */
function leftAlone(state: ClusterState, node: string, now: number): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member && nodeStateOf(state.cib, member);
  const reading = readingOf(state.cib, now);
  const everything =
    reading.options.flag('maintenance-mode') || parseBoolean(nodeAttributesOf(state, node, now).get('maintenance')) === true;
  const unmanaged = reading.resources.filter(({ meta }) => !isManaged(meta));
  return (nodeState === undefined ? [] : resourcesWithHistory(nodeState)).filter(
    (id) =>
      everything ||
      unmanaged.some(({ kind, id: of }) =>
        kind === 'bundle' ? id.startsWith(`${of}-`) : kind === 'primitive' && (id === of || id.replace(/:\d+$/, '') === of),
      ),
  );
}

/** What a node leaves alone with the event, and did not leave alone after it, and what was so before. */
function sparedByDefinition(before: ClusterState, after: ClusterState, node: string): Readonly<Record<string, number>> {
  const is = leftAlone(after, node, planTime(after));
  const ended = leftAlone(before, node, planTime(before)).filter((id) => !is.includes(id));
  return { ...memberOf(before, node)?.spared, ...Object.fromEntries(ended.map((id) => [id, after.version])) };
}

const histories = fc.constantFrom(
  'db',
  'db:0',
  'first',
  'web',
  'web:0',
  'web:3',
  'app',
  'app:1',
  'box-docker-0',
  'box-0',
  'box-ip-10',
  'gone',
);
const said: fc.Arbitrary<Said> = fc.record({
  mode: fc.constantFrom('none', 'none', 'always', 'until the turn'),
  unmanaged: fc.subarray(['db', 'first', 'grp', 'web', 'webs', 'app', 'box']),
  nodes: fc.subarray([...NODES]),
});
const node = fc.constantFrom(...NODES);

type Step = (state: ClusterState) => ClusterState;
const appended =
  (event: ClusterEvent): Step =>
  (state) =>
    append(state, event);

let plans = 0;
const steps: fc.Arbitrary<Step> = fc.oneof(
  said.map((next): Step => {
    const { cib } = clusterThatSays(next);
    return (state) =>
      append(state, { type: 'ConfigurationChanged', data: { command: 't', arguments: {}, changes: diffConfiguration(state.cib, cib) } });
  }),
  fc.record({ node, resource: histories }).map((data) => appended({ type: 'HistoryDeleted', data })),
  fc.record({ node, resource: histories }).map(
    ({ node: on, resource }): Step =>
      (state) =>
        ran(state, on, [resource]),
  ),
  fc
    .record({ node, lifetime: fc.constantFrom('forever', 'reboot'), value: fc.constantFrom('true', 'false', undefined) })
    .map(({ value, ...of }) =>
      appended(
        value === undefined
          ? { type: 'NodeAttributeCleared', data: { ...of, name: 'maintenance' } }
          : { type: 'NodeAttributeSet', data: { ...of, name: 'maintenance', value } },
      ),
    ),
  fc.constantFrom(TURN - 1, TURN, TURN + 1).map((now): Step => (state) => {
    const counts = { actions: 0, pseudo: 0, fencing: 0 };
    const data = {
      number: (plans += 1),
      inputVersion: state.version,
      now,
      schedulerVersion: 't',
      digest: 'd',
      counts,
      trigger: 't',
      summary: [],
    };
    return append(state, { type: 'TransitionPlanned', data });
  }),
);

describe('what an agent may take for not managed', () => {
  it('is what it left alone before an event, and does not after it', () => {
    const onEach = fc.tuple(fc.uniqueArray(histories), fc.uniqueArray(histories), fc.uniqueArray(histories));
    fc.assert(
      fc.property(said, onEach, fc.array(steps, { maxLength: 12 }), (first, known, following) => {
        let state = NODES.reduce((next, name, index) => ran(next, name, known[index] ?? []), clusterThatSays(first));
        for (const step of following) {
          const before = state;
          state = step(before);
          for (const name of NODES) {
            expect(memberOf(state, name)?.spared ?? {}).toEqual(sparedByDefinition(before, state, name));
            expect(unmanagedResources(state, name, planTime(state))).toEqual(leftAlone(state, name, planTime(state)));
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** The same, where looking at what these nodes ever ran is an error. */
function withoutLooking(state: ClusterState, nodes: readonly string[]): ClusterState {
  const blind = (at: XmlElement, path: readonly string[]): XmlElement => {
    const [name, ...rest] = path;
    if (name === undefined) {
      return Object.defineProperty({ ...at }, 'children', {
        enumerable: true,
        get: () => {
          throw new Error('a history was looked at');
        },
      });
    }
    const children = at.children.map((child) => {
      const hidden =
        child.kind === 'element' && child.name === name && (name !== 'node_state' || nodes.includes(child.attributes['uname'] ?? ''));
      return hidden ? blind(child, rest) : child;
    });
    return { ...at, children };
  };
  return { ...state, cib: blind(state.cib, ['status', 'node_state', 'lrm', 'lrm_resources']) };
}

it('names instances that were first heard of after it was asked', () => {
  let state = clusterThatSays({ ...nothingSaid, unmanaged: ['webs'] });
  for (const known of [['web:0'], ['web:0', 'web:3'], ['web:0', 'web:3', 'web']]) {
    state = ran(state, 'n1', known.slice(-1));
    expect(unmanagedResources(state, 'n1', EPOCH)).toEqual(known);
  }
});

describe('where everything is managed', () => {
  const busy = NODES.reduce((state, name) => ran(state, name, ['db', 'web']), clusterThatSays(nothingSaid));
  const other = diffConfiguration(busy.cib, threeNodes().cib);
  const plan = { number: 1, inputVersion: 1, now: TURN, schedulerVersion: 't', digest: 'd', trigger: 't', summary: [] };

  it.each<[string, readonly string[], ClusterEvent]>([
    ['a change of the configuration', NODES, { type: 'ConfigurationChanged', data: { command: 't', arguments: {}, changes: other } }],
    ['a plan', NODES, { type: 'TransitionPlanned', data: { ...plan, counts: { actions: 1, pseudo: 0, fencing: 0 } } }],
    ['a deleted history, but on its node', ['n2', 'n3'], { type: 'HistoryDeleted', data: { node: 'n1', resource: 'db' } }],
    ['maintenance', NODES, { type: 'NodeAttributeSet', data: { node: 'n1', name: 'maintenance', value: 'true', lifetime: 'forever' } }],
    [
      'maintenance until a boot',
      NODES,
      { type: 'NodeAttributeSet', data: { node: 'n1', name: 'maintenance', value: 'true', lifetime: 'reboot' } },
    ],
  ])('%s looks at no history', (_, nodes, event) => {
    expect(append(withoutLooking(busy, nodes), event).version).toBe(busy.version + 1);
  });

  it('a poll looks at no history', () => {
    expect(unmanagedResources(withoutLooking(busy, NODES), 'n1', EPOCH)).toEqual([]);
  });

  it('the end of one node’s maintenance looks at its history alone', () => {
    const of = { node: 'n1', name: 'maintenance', lifetime: 'forever' } as const;
    const maintained = append(busy, { type: 'NodeAttributeSet', data: { ...of, value: 'true' } });
    const ended = append(withoutLooking(maintained, ['n2', 'n3']), { type: 'NodeAttributeCleared', data: of });
    expect(Object.keys(memberOf(ended, 'n1')?.spared ?? {})).toEqual(['db', 'web']);
  });
});
