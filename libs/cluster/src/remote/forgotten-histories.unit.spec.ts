import { describe, expect, it } from 'vitest';
import type { ReportedResult } from '../commands/agent-command.js';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import { disturbanceBy } from '../state/disturbance.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { EPOCH, execute, option, threeNodes } from '../testing/stream.js';
import { untilRest, type Answering } from '../testing/until-rest.js';
import { connectionHosts } from './connection.js';
import { strandedResources } from './stranded.js';

const DEVICE =
  '<primitive id="f" class="stonith" type="fence_x"><instance_attributes id="f-p"><nvpair id="f-p-h" name="pcmk_host_list" value="n1 n2 n3 far"/></instance_attributes></primitive>';
const CONNECTION =
  '<primitive id="far" class="ocf" provider="pacemaker" type="remote"><operations><op id="far-monitor" name="monitor" interval="10s"/></operations></primitive>';
const MACHINE =
  '<primitive id="vm" class="ocf" provider="pacemaker" type="Dummy"><meta_attributes id="vm-m"><nvpair id="vm-m-r" name="remote-node" value="guest"/></meta_attributes></primitive>';
const DATABASE = '<primitive id="db" class="ocf" provider="pacemaker" type="Dummy"/>';
const BUNDLE =
  '<bundle id="web"><podman image="i" replicas="1"/><network control-port="3121"/><primitive id="app" class="ocf" provider="pacemaker" type="Dummy"/></bundle>';

const prefers = (id: string, node: string, score = '200'): string =>
  `<rsc_location id="${id}-${node}" rsc="${id}" node="${node}" score="${score}"/>`;
const fencing = (on: boolean): string => option('stonith-enabled', String(on)) + option('startup-fencing', 'false');

const join = (node: string, more: Partial<Extract<ClusterCommand, { readonly type: 'join-node' }>> = {}): ClusterCommand => ({
  ...{ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 },
  ...more,
});
const policy = (withFencing: boolean): { readonly onLeaseLoss: 'keep' | 'stop' } => ({ onLeaseLoss: withFencing ? 'keep' : 'stop' });
const quorate: ClusterCommand = { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 };
const refresh: ClusterCommand = { type: 'refresh-resource', resource: 'db' };

function lose(node: string, state: ClusterState): ClusterState {
  const expiredAt = new Date(EPOCH + state.version * 1000).toISOString();
  return execute(state, { type: 'lose-lease', node, incarnation: memberOf(state, node)?.incarnation ?? 0, expiredAt });
}

function result(id: string, operation: string, rc: number, more: Partial<ReportedResult> = {}): ReportedResult {
  return {
    ...{ resultId: `r-${id}-${operation}`, actionId: 'a', transitionKey: '5:1:0:c', operation, intervalMs: 0, status: 'done', rc },
    ...{ resource: { id, historyId: id, class: 'ocf', provider: 'pacemaker', type: 'Dummy' }, callId: 990, startedAt: EPOCH / 1000 + 1000 },
    ...{ execMs: 1, queueMs: 0, recurring: false },
    ...more,
  };
}

const says = (node: string, state: ClusterState, ...results: readonly ReportedResult[]): ClusterCommand => ({
  ...{ type: 'record-results', node, incarnation: memberOf(state, node)?.incarnation ?? 0, results },
});

const startsOfDb = (state: ClusterState): readonly string[] => untilRest(state).happened.filter((one) => one.startsWith('start of db'));

/** `db` runs on `far`, whose connection can be on n1 alone: that is down, and the agent of `far` is in its session still. */
function cutOff(withFencing: boolean, debugging?: ClusterCommand): ClusterState {
  const constraints = prefers('db', 'far') + prefers('far', 'n1') + prefers('far', 'n2', '-INFINITY') + prefers('far', 'n3', '-INFINITY');
  const cib = { options: fencing(withFencing), resources: DEVICE + CONNECTION + DATABASE, constraints };
  const { state } = untilRest(
    execute(threeNodes(cib), join('far', { bootId: 'b1', debugOperations: true, ...policy(withFencing) }), quorate),
  );
  expect(connectionHosts(state, 'far')).toEqual(['n1']);
  const asked = debugging === undefined ? state : execute(state, debugging);
  return execute(lose('n1', asked), { type: 'confirm-node-down', node: 'n1' });
}

describe('what runs on a remote node that is cut off, when its history is forgotten', () => {
  it.each([true, false])('is not started elsewhere once somebody has refreshed it (fencing: %s)', (withFencing) => {
    const state = execute(cutOff(withFencing), refresh);
    expect(memberOf(state, 'far')?.membership).toBe('joined');
    expect(strandedResources(state)).toEqual(['db']);
    expect(startsOfDb(state)).toEqual([]);
  });

  it('nor when the node is lost after that, and keeps what it runs', () => {
    expect(startsOfDb(lose('far', execute(cutOff(true), refresh)))).toEqual([]);
  });

  it.each([true, false])('nor when a stop that a person has had tried there has failed (fencing: %s)', (withFencing) => {
    const debugging: ClusterCommand = {
      type: 'request-debug-operation',
      debugId: 'x',
      node: 'far',
      resource: 'db',
      operation: 'stop',
      timeoutMs: 20_000,
    };
    const state = cutOff(withFencing, debugging);
    const failed = result('db', 'stop', 1, { actionId: 'c:debug:x', transitionKey: '-1:-1:0:c' });
    expect(startsOfDb(execute(state, says('far', state, failed)))).toEqual([]);
  });

  it('is started when somebody says that the node is down', () => {
    const state = execute(lose('far', execute(cutOff(true), refresh)), { type: 'confirm-node-down', node: 'far' });
    expect(startsOfDb(state)).toHaveLength(1);
  });
});

/** The machine runs on n1, and `db` in its guest. */
function guest(): ClusterState {
  const cib = { options: fencing(true), resources: DEVICE + MACHINE + DATABASE, constraints: prefers('vm', 'n1') + prefers('db', 'guest') };
  const begun = execute(threeNodes(cib), join('n1', { bootId: 'h1' }), join('guest', { bootId: 'g1', onLeaseLoss: 'keep' }), quorate);
  const { state } = untilRest(begun);
  expect(connectionHosts(state, 'guest')).toEqual(['n1']);
  return state;
}

/** What runs where, for probes. */
const running =
  (where: Readonly<Record<string, RegExp>>): Answering =>
  ({ operation, expectedRc, resource }, node) =>
    operation === 'monitor' && where[node]?.test(resource.id) === true ? 0 : expectedRc;

describe('a guest whose host has its agent started anew on the same boot', () => {
  it('runs on, and so does the machine that it is', () => {
    const { state, happened } = untilRest(execute(guest(), join('n1', { bootId: 'h1' })), {
      answering: running({ n1: /^vm$/, guest: /^db$/ }),
    });
    expect(happened.filter((one) => /^stop|^start of db/.test(one))).toEqual([]);
    expect(memberOf(state, 'guest')?.membership).toBe('joined');
  });

  it('runs on as a replica of a bundle', () => {
    const cib = { options: fencing(true), resources: DEVICE + BUNDLE, constraints: prefers('web', 'n1') };
    const replica = join('web-0', { bootId: 'k.r1', onLeaseLoss: 'keep', remote: true });
    const { state } = untilRest(execute(threeNodes(cib), join('n1', { bootId: 'h1' }), quorate, replica));
    const answering = running({ n1: /^web-podman/, 'web-0': /^app/ });
    const { happened } = untilRest(execute(state, join('n1', { bootId: 'h1' })), { answering });
    expect(happened.filter((one) => /^stop/.test(one))).toEqual([]);
  });

  it('ends with another boot of the host', () => {
    const off = execute(lose('n1', guest()), { type: 'confirm-node-down', node: 'n1' });
    const { happened } = untilRest(execute(off, join('n1', { bootId: 'h2' })));
    expect(happened).toContain('start of vm on n1');
  });

  it.each(['n2', 'guest'])('is not ended by %s, which says to have stopped the machine', (liar) => {
    const state = execute(guest(), join('n1', { bootId: 'h1' }));
    expect(memberOf(execute(state, says(liar, state, result('vm', 'stop', 0))), 'guest')?.membership).toBe('joined');
  });
});

describe('the result of a debug operation that nobody asked for', () => {
  it('counts as a disturbance, as it has the resource probed', () => {
    const state = guest();
    const decision = decide(says('n2', state, result('db', 'stop', 0, { actionId: 'c:debug:never', transitionKey: '-1:-1:0:c' })), state);
    const deleted = decision.ok ? decision.events.filter(({ type }) => type === 'HistoryDeleted') : [];
    expect(deleted.map((event) => disturbanceBy(state, event, () => false))).toEqual(['history of db on n2 deleted']);
  });
});
