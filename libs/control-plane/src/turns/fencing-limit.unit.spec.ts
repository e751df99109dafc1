import { decide, evolve, fencingHold, initialState, type ClusterCommand, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { SeenLosses } from '../leases/seen-losses.js';
import { Elapsed } from '../time/elapsed.js';
import { ClusterAdvance } from './cluster-advance.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import { restingUntil } from './progress.js';

const START = Date.UTC(2026, 0, 1);
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes><resources/><constraints/></configuration><status/></cib>';

function fencedN3(...then: readonly ClusterCommand[]): ClusterState {
  const commands: readonly ClusterCommand[] = [
    { type: 'create-cluster', name: 'c', cib: CIB },
    ...['n1', 'n2', 'n3'].map((node): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5_000 })),
    {
      type: 'plan-transition',
      plan: {
        inputVersion: 4,
        now: START / 1000,
        schedulerVersion: 't',
        digest: 'd',
        counts: { actions: 1, pseudo: 0, fencing: 1 },
        trigger: 't',
        summary: [],
      },
    },
    {
      type: 'request-fencing',
      request: { fencingId: 'f', target: 'n3', action: 'off', device: 'd', executor: 'n1', attempt: 1, transition: 1, graphActionId: 1 },
    },
    ...then,
  ];
  return commands.reduce((state, command) => {
    const decision = decide(command, state);
    if (!decision.ok) throw new Error(decision.rejection.message);
    return decision.events.reduce(
      (folded, event) =>
        evolve(folded, {
          version: folded.version + 1,
          occurredAt: new Date(START).toISOString(),
          actor: 'test',
          correlationId: 'c',
          event,
        }),
      state,
    );
  }, initialState());
}

/** For how long the fencing of n2 waits, after turns at these moments and steps (monotonic ms). */
async function leftMsAfter(state: ClusterState, ...turns: readonly { readonly at: number; readonly step?: number }[]): Promise<number> {
  let monotonic = 0;
  let step = 0;
  let seen: ClusterAtTurn | undefined;
  const note = (cluster: ClusterAtTurn) => {
    seen = cluster;
    return Promise.resolve(restingUntil());
  };
  const advance = new ClusterAdvance({
    log: { load: () => Promise.resolve(state) },
    recentLeases: { of: () => Promise.resolve({ leases: [], now: START + 1_000 + monotonic + step }) },
    leases: { restore: () => Promise.resolve() },
    decisions: { decide: note },
    drive: { turn: note },
    leaseOver: () => false,
    leaseOverdue: () => undefined,
    elapsed: new Elapsed(() => monotonic),
    losses: new SeenLosses(() => monotonic),
    servedForMs: () => undefined,
  } as never);
  for (const turn of turns) {
    monotonic = turn.at;
    step = turn.step ?? 0;
    await advance.advance('c', () => undefined);
  }
  if (!seen) throw new Error('no turn');
  return fencingHold(seen.state, { target: 'n2', action: 'off' }, seen.elapsed, START)?.forMs ?? 0;
}

describe.each([3_600_000, -3_600_000])('when the database clock steps by %i ms after the fencing', (step) => {
  it('the limit on fencing stays as long', async () => {
    const state = fencedN3();
    expect(await leftMsAfter(state, { at: 0 }, { at: 59_000, step })).toBe(540_000);
    expect(await leftMsAfter(state, { at: 0 }, { at: 599_000, step })).toBe(0);
  });

  it('a node that joined again is back after a minute', async () => {
    const state = fencedN3(
      {
        type: 'complete-fencing',
        result: { fencingId: 'f', target: 'n3', action: 'off', device: 'd', executor: 'n1', outcome: 'succeeded' },
      },
      { type: 'join-node', node: 'n3', agentVersion: '1', leaseMs: 5_000 },
    );
    expect(await leftMsAfter(state, { at: 0 }, { at: 29_000, step })).toBe(30_000);
    expect(await leftMsAfter(state, { at: 0 }, { at: 59_000, step })).toBe(0);
  });
});
