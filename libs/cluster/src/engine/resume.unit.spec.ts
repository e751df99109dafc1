import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, planned, threeNodes } from '../testing/stream.js';
import type { EngineStanding, EngineLimits } from './engine-types.js';
import { isRunning, resumeEngine, type DispatchedAction } from './resume.js';
import { graphOf } from './testing/scenario.js';

const LIMITS: EngineLimits = { batch: 10, actionsPerNode: 10, networkAllowanceMs: 1_000, activationHeld: false };
const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';

function resumed(lines: readonly string[], state: ClusterState, dispatches: readonly DispatchedAction[]): EngineStanding {
  if (!isRunning(state)) throw new Error('no transition runs');
  return resumeEngine(graphOf(lines), LIMITS, state, dispatches).standing();
}

describe('an action that was handed out before the server ended', () => {
  const start = planned(threeNodes({ resources: DB }));
  const progress = (state: ClusterState, row: Omit<DispatchedAction, 'graphActionId' | 'dispatchedAt'>) =>
    resumed(['1 stop db n1'], state, [{ graphActionId: 1, dispatchedAt: 0, ...row }]).progress[0];
  const again = execute(start, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 });
  const lost = execute(start, { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' });

  it('is in flight while the life of the node goes on that it went to, or that it waits for', () => {
    expect(progress(start, { incarnation: 1 })).toBe('in-flight');
    expect(progress(start, {})).toBe('in-flight');
    expect(progress(again, {})).toBe('in-flight');
  });

  it('is unanswered when the node has joined anew since, or is lost', () => {
    expect(progress(again, { incarnation: 1 })).toBe('unanswered');
    expect(progress(lost, { incarnation: 1 })).toBe('unanswered');
    expect(progress(lost, {})).toBe('unanswered');
  });

  it('has its time-out, its delay and the allowance for the network from then on', () => {
    const engine = resumed(['1 start db n1 timeout=20000 start_delay=3000'], start, [{ graphActionId: 1, dispatchedAt: 500 }]);
    expect(engine.inFlight['1']?.expiresAt).toBe(500 + 20_000 + 3_000 + LIMITS.networkAllowanceMs);
  });
});

describe('what was not handed out', () => {
  it('waits in the order of the graph', () => {
    const engine = resumed(['1 start a n1', '2 start b n2', '3 start c n3', '4 start d n1 < 1'], planned(threeNodes()), []);
    expect(engine.held).toEqual([0, 1, 2]);
  });

  it('of an aborting transition keeps the reason, and no fencing is in flight but what was tried', () => {
    const aborting = execute(planned(threeNodes()), { type: 'abort-transition', number: 1, reason: 'because' });
    const engine = resumed(['1 fence n3', '2 shutdown n2'], aborting, []);
    expect(engine).toMatchObject({ status: 'aborting', abortReason: 'because', inFlight: {}, held: [0, 1] });
    expect(resumed(['1 fence n3'], planned(threeNodes()), [])).not.toHaveProperty('abortReason');
  });
});

describe('a cluster event', () => {
  const doneFor = (state: ClusterState, line: string) => resumed([line], state, []).progress[0];

  it('is done when the state shows it', () => {
    const left = planned(execute(threeNodes(), { type: 'leave-node', node: 'n2', incarnation: 1 }));
    expect(doneFor(left, '1 shutdown n2')).toBe('done');
    expect(doneFor(left, '1 shutdown n3')).toBe('waiting');
    const down = planned(
      execute(threeNodes(), { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' }, { type: 'confirm-node-down', node: 'n2' }),
    );
    expect(doneFor(down, '1 shutdown n2')).toBe('done');
    expect(doneFor(down, '1 fence n2')).toBe('done');
    expect(doneFor(down, '1 fence n3')).toBe('waiting');
    expect(doneFor(down, '1 clear db n2')).toBe('waiting');
  });
});
