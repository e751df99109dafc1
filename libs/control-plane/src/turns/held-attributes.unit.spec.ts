import { decide, evolve, initialState, type ClusterCommand, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { SeenLosses } from '../leases/seen-losses.js';
import { Elapsed } from '../time/elapsed.js';
import { ClusterAdvance, type AdvanceOutcome } from './cluster-advance.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import { restingUntil, type Progress } from './progress.js';

const START = Date.UTC(2026, 0, 1);
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/></nodes><resources/><constraints/></configuration><status/></cib>';

function held(name: string, ms: number): ClusterCommand {
  return { type: 'set-node-attribute', node: 'n1', name, value: '0', lifetime: 'reboot', agent: 'n1', delay: { ms, sets: 'also' } };
}

function stateOf(...then: readonly ClusterCommand[]): ClusterState {
  const commands: readonly ClusterCommand[] = [
    { type: 'create-cluster', name: 'c', cib: CIB },
    { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 },
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

/** What a worker does that looks at these moments (monotonic ms), when the database's clock has stepped by then. */
async function looks(
  state: ClusterState,
  moments: readonly { readonly at: number; readonly step?: number }[],
  wakeAt?: number,
): Promise<{ readonly decided: readonly ClusterCommand[]; readonly outcomes: readonly AdvanceOutcome[] }> {
  let monotonic = 0;
  let step = 0;
  const decided: ClusterCommand[] = [];
  const rest = (): Promise<Progress> => Promise.resolve(restingUntil(wakeAt));
  const lease = { clusterId: 'c', node: 'n1', incarnation: 1 };
  const advance = new ClusterAdvance({
    log: { load: () => Promise.resolve(state) },
    recentLeases: { of: () => Promise.resolve({ leases: [lease], now: START + monotonic + step }) },
    leases: { restore: () => Promise.resolve() },
    decisions: {
      decide: (_: ClusterAtTurn, command: ClusterCommand) => {
        decided.push(command);
        return rest();
      },
    },
    planner: { turn: rest },
    drive: { turn: rest },
    leaseOver: () => false,
    leaseHeld: () => true,
    leaseHeard: () => true,
    couldAllJoin: () => true,
    leaseOverdue: () => undefined,
    elapsed: new Elapsed(() => monotonic),
    losses: new SeenLosses(() => monotonic),
    servedForMs: () => undefined,
  } as never);
  const outcomes: AdvanceOutcome[] = [];
  for (const moment of moments) {
    monotonic = moment.at;
    step = moment.step ?? 0;
    outcomes.push(await advance.advance('c', () => undefined));
  }
  return { decided, outcomes };
}

const quorum: ClusterCommand = { type: 'change-quorum', quorate: true, votes: 1, expectedVotes: 1 };

describe('what is held of attributes', () => {
  it('wakes the worker when its delay is over, and not later than what else does', async () => {
    const state = stateOf(quorum, held('pingd', 10_000));
    expect((await looks(state, [{ at: 0 }])).outcomes).toMatchObject([{ type: 'resting', wakeInMs: 10_000 }]);
    expect((await looks(state, [{ at: 4_000 }], START + 5_000)).outcomes).toMatchObject([{ wakeInMs: 1_000 }]);
    expect((await looks(state, [{ at: 4_000 }], START + 60_000)).outcomes).toMatchObject([{ wakeInMs: 6_000 }]);
  });

  it('is written as soon as that is over, all that is due at once, and nothing else', async () => {
    const state = stateOf(quorum, held('pingd', 10_000), held('load', 10_000), held('slow', 60_000));
    expect((await looks(state, [{ at: 9_999 }])).decided).toEqual([]);
    expect((await looks(state, [{ at: 10_000 }])).decided).toEqual([{ type: 'write-held-attributes', names: ['pingd', 'load'] }]);
  });

  it.each([-3_600_000, 3_600_000])('waits as long although the clock of the database steps by %i ms', async (step) => {
    const state = stateOf(quorum, held('pingd', 10_000));
    expect((await looks(state, [{ at: 0 }, { at: 9_000, step }])).outcomes).toMatchObject([{ wakeInMs: 10_000 }, { wakeInMs: 1_000 }]);
    expect((await looks(state, [{ at: 0 }, { at: 10_000, step }])).decided).toHaveLength(1);
  });
});
