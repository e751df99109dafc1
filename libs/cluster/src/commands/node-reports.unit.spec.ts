import { describe, expect, it } from 'vitest';
import { historyOf, resourcesWithHistory } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import type { ReportedResult } from './agent-command.js';
import type { SetNodeAttribute } from './cluster-command.js';
import { decide } from './decide.js';
import { doubtfulResults, droppedResults } from './decide-results.js';
import { reportedResult } from '../testing/reported-result.js';

const RESOURCES =
  '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>' +
  '<clone id="c"><primitive id="web" class="ocf" provider="systole" type="Dummy"/></clone>' +
  '<bundle id="b"><docker image="x"/><network ip-range-start="192.168.0.1"/><primitive id="in" class="ocf" provider="systole" type="Dummy"/></bundle>';
const state = threeNodes({ resources: RESOURCES });

describe('what the agent of one node sets for another', () => {
  const set = (name: string, changes: Partial<SetNodeAttribute> = {}): SetNodeAttribute => ({
    type: 'set-node-attribute',
    node: 'n2',
    name,
    value: '1',
    lifetime: 'reboot',
    agent: 'n1',
    ...changes,
  });
  const codeOf = (command: Parameters<typeof decide>[0]): string => {
    const decision = decide(command, state);
    return decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.code} ${decision.rejection.pointer ?? ''}`;
  };

  it.each([
    'terminate',
    'standby',
    'maintenance',
    'shutdown',
    'resource-discovery-enabled',
    'fail-count-db#start_0',
    'last-failure-db#start_0',
    '#health-cpu',
    '#node-unfenced',
  ])('%s is refused: the cluster itself acts upon it', (name) => {
    expect(codeOf(set(name))).toBe('403 attribute-reserved /name');
    expect(codeOf(set(name, { lifetime: 'forever' }))).toBe('403 attribute-reserved /name');
    expect(codeOf({ type: 'clear-node-attribute', node: 'n2', name, lifetime: 'reboot', agent: 'n1' })).toBe(
      '403 attribute-reserved /name',
    );
    expect(codeOf(set(name, { agent: 'n2' }))).toBe('accepted');
  });

  it.each(['master-db', 'db-status', 'fail-counter', 'standby2'])('%s is accepted: databases tell one another who is ahead', (name) => {
    expect(codeOf(set(name))).toBe('accepted');
  });

  it.each([
    [
      'levels go by it',
      'rack',
      '<fencing-topology><fencing-level id="l" index="1" target-attribute="rack" target-value="a" devices="f"/></fencing-topology>',
      '<primitive id="f" class="stonith" type="fence_x"/>',
    ],
    [
      'a rule of a device reads it',
      'site',
      '',
      '<primitive id="f" class="stonith" type="fence_x"><instance_attributes id="f-i"><rule id="f-r" score="0"><expression id="f-e" attribute="site" operation="eq" value="a"/></rule></instance_attributes></primitive>',
    ],
  ])('is nothing that decides who fences a node, not even its own: %s', (_, name, more, devices) => {
    const steered = threeNodes({ resources: RESOURCES + devices, more });
    const outcomes = (['n1', 'n2'] as const).flatMap((agent) =>
      (['reboot', 'forever'] as const).map((lifetime) => {
        const decision = decide(set(name, { agent, lifetime }), steered);
        return decision.ok ? 'accepted' : decision.rejection.code;
      }),
    );
    expect(outcomes).toEqual(Array(4).fill('attribute-reserved'));
    expect(decide({ type: 'set-node-attribute', node: 'n2', name, value: '1', lifetime: 'forever' }, steered).ok, 'by a person').toBe(true);
    expect(codeOf(set(name)), 'where nothing goes by it').toBe('accepted');
  });

  it('is for people to set whatever it is', () => {
    const byAPerson: SetNodeAttribute = { type: 'set-node-attribute', node: 'n2', name: 'terminate', value: '1', lifetime: 'reboot' };
    expect(codeOf(byAPerson)).toBe('accepted');
  });
});

describe('how much agents set', () => {
  const setBy = (agent: string, name: string, value: string): SetNodeAttribute => ({
    type: 'set-node-attribute',
    node: 'n1',
    name,
    value,
    lifetime: 'reboot',
    agent,
  });

  it.each(['reboot', 'forever'] as const)(
    'is bounded in all (%s), half of it for other nodes; what is there may be changed',
    (lifetime) => {
      const large = 'x'.repeat(60_000);
      let now = state;
      for (let index = 0; index < 17; index++) now = execute(now, { ...setBy('n1', `a${String(index)}`, large), lifetime });
      const refused = decide({ ...setBy('n1', 'a17', large), lifetime }, now);
      expect(refused.ok ? 'accepted' : refused.rejection).toMatchObject({ code: 'attributes-full', status: 409 });
      expect(decide({ ...setBy('n2', 'b', '1'), lifetime }, now).ok).toBe(false);
      expect(decide({ ...setBy('n1', 'a3', '1'), lifetime }, now).ok).toBe(true);
      expect(decide({ type: 'set-node-attribute', node: 'n1', name: 'by-a-person', value: large, lifetime }, now).ok).toBe(true);
    },
  );

  it('is bounded in number', () => {
    let now = state;
    for (let index = 0; index < 1_000; index++) now = execute(now, setBy('n2', `a${String(index)}`, '1'));
    expect(decide(setBy('n2', 'more', '1'), now).ok).toBe(false);
    expect(decide(setBy('n1', 'more', '1'), now).ok).toBe(true);
  });
});

describe('what an agent reports of resources', () => {
  const result = (historyId: string, changes: Partial<ReportedResult> = {}): ReportedResult =>
    reportedResult(historyId, {
      resultId: `r-${historyId}-${changes.operation ?? 'monitor'}-${String(changes.intervalMs ?? 0)}`,
      ...{ actionId: `c:9:${historyId}`, transitionKey: '7:9:7:c', operation: 'monitor', rc: 7 },
      ...changes,
    });
  const report = (of: ClusterState, results: readonly ReportedResult[], handedOut: readonly string[] = []) =>
    execute(of, { type: 'record-results', node: 'n1', incarnation: 1, results, handedOut: new Set(handedOut) });
  const known = (of: ClusterState): readonly string[] => {
    const member = of.nodes['n1'];
    const nodeState = member && nodeStateOf(of.cib, member);
    return nodeState === undefined ? [] : resourcesWithHistory(nodeState);
  };

  it.each(['db', 'web', 'web:1', 'web:2', 'b-docker-0', 'in:0'])('%s is configured: taken in', (id) => {
    expect(known(report(state, [result(id)]))).toEqual([id]);
  });

  it.each([
    'db:0',
    'db:7',
    'web:3',
    'web:01',
    'web:99999',
    'in:1',
    'b-docker-1',
    'b-podman-7',
    'b-1',
    'b-ip-192.168.0.99',
    'b-junk',
    'c-0',
  ])('%s is made up: dropped unless it was handed out', (id) => {
    expect(known(report(state, [result(id)]))).toEqual([]);
    expect(known(report(state, [result(id)], [`c:9:${id}`]))).toEqual([id]);
  });

  it('b-0 is a connection: dropped, for the server knows by itself how it is', () => {
    expect(known(report(state, [result('b-0')]))).toEqual([]);
  });

  it('of instances is bounded by clone-max, where that is more than the nodes, and by the replicas', () => {
    const large = threeNodes({
      resources: RESOURCES.replace(
        '<clone id="c">',
        '<clone id="c"><meta_attributes id="m"><nvpair id="m-x" name="clone-max" value="5"/></meta_attributes>',
      ).replace('image="x"', 'image="x" replicas="2"'),
    });
    expect(
      known(
        report(
          large,
          ['web:4', 'web:5', 'in:1', 'in:2', 'b-docker-1', 'b-docker-2'].map((id) => result(id)),
        ),
      ),
    ).toEqual(['web:4', 'in:1', 'b-docker-1']);
  });

  it('of what nobody knows is dropped, and counted with each report, whatever life of the node it is of', () => {
    const junk = Array.from({ length: 1000 }, (_, index) => result(`junk-${String(index)}`));
    const first = decide({ type: 'record-results', node: 'n1', incarnation: 1, results: junk }, state);
    expect(first).toMatchObject({ ok: true, events: [{ type: 'ResultsDropped', data: { node: 'n1', incarnation: 1, count: 1000 } }] });
    const after = report(state, junk);
    expect(known(after)).toEqual([]);
    const again = execute(after, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 });
    for (const incarnation of [1, 2]) {
      const more = [result('more'), result('more'), result('db')];
      expect(decide({ type: 'record-results', node: 'n1', incarnation, results: more }, again)).toMatchObject({
        events: [{ type: 'OperationRecorded' }, { type: 'ResultsDropped', data: { incarnation, count: 1, resources: ['more'] } }],
      });
    }
  });

  it('says which results are dropped, and why', () => {
    const many = Array.from({ length: 101 }, (_, index) => result('db', { resultId: `db-${String(index)}`, intervalMs: index + 1 }));
    const junk = [result('junk'), result('asked')];
    const handedOut = new Set(['c:9:asked']);
    expect(droppedResults({ node: 'n1', results: [...many, ...junk], handedOut }, state)).toEqual([
      { resultId: 'db-100', resource: 'db', reason: 'too-many-operations' },
      { resultId: junk[0]?.resultId, resource: 'junk', reason: 'not-asked-for' },
    ]);
  });

  it('of what was handed out is taken in, although it is not configured any more', () => {
    const gone = result('gone', { operation: 'start', rc: 0 });
    expect(doubtfulResults(state, 'n1', [gone, result('db')])).toEqual([gone]);
    const taken = report(state, [gone], [gone.actionId]);
    expect(known(taken)).toEqual(['gone']);
    expect(doubtfulResults(taken, 'n1', [result('gone', { operation: 'stop', rc: 0 })])).toEqual([]);
    expect(known(report(taken, [result('gone', { operation: 'monitor', intervalMs: 10 })]))).toEqual(['gone']);
  });

  it('cannot fill the history of a resource with operations that were never asked for', () => {
    const many = Array.from({ length: 300 }, (_, index) => result('db', { intervalMs: index + 1, rc: 0, transitionKey: '7:9:0:c' }));
    const member = state.nodes['n1'];
    const filled = report(state, many);
    const history = member && historyOf(nodeStateOf(filled.cib, member), 'db');
    expect(history?.children.length).toBe(100);
    const asked = result('db', { intervalMs: 7_000, rc: 0, transitionKey: '7:9:0:c', actionId: 'asked' });
    const more = report(filled, [asked], ['asked']);
    expect((member && historyOf(nodeStateOf(more.cib, member), 'db'))?.children.length).toBe(101);
  });
});
