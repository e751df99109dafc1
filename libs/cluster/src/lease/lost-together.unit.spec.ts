import { describe, expect, it } from 'vitest';
import type { MeasuredLosses } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { evolve } from '../state/evolve.js';
import { execute, planned, threeNodes } from '../testing/stream.js';
import { planningHold } from './planning-hold.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

/** @param at what the log dates it, epoch ms */
function lose(state: ClusterState, node: string, at: number, measured?: MeasuredLosses): ClusterState {
  const data = {
    node,
    incarnation: memberOf(state, node)?.incarnation ?? 0,
    expiredAt: 'x',
    ...(measured === undefined ? {} : { measured }),
  };
  return evolve(state, {
    version: state.version + 1,
    occurredAt: new Date(at).toISOString(),
    actor: 'test',
    correlationId: 'c',
    event: { type: 'NodeLeaseLost', data },
  });
}

/** By a worker that saw each loss when it came. @param agoMs by stream version */
const holdWhere = (state: ClusterState, agoMs: Readonly<Record<number, number>>) =>
  planningHold(state, (_cause, _moment, version) => (version === undefined ? HOUR_MS : (agoMs[version] ?? HOUR_MS)), NOON);

describe('nodes of which a clock that stepped dates the losses', () => {
  it('were lost alone, each, when a worker measured so, though one date stands at both', () => {
    const one = planned(lose(threeNodes(), 'n3', NOON));
    const back = execute(one, { type: 'join-node', node: 'n3', agentVersion: '1', leaseMs: 5000 });
    const dated = lose(back, 'n2', NOON);
    expect(holdWhere(dated, { [dated.version]: 0 })?.reason).toBe('n2 was not lost alone: waiting for it to come back');
    const measured = lose(back, 'n2', NOON, { version: back.version, near: [] });
    expect(holdWhere(measured, { [measured.version]: 0 })).toBeUndefined();
  });

  it('were lost together when a worker measured so, though an hour lies between the dates', () => {
    const one = planned(lose(threeNodes(), 'n3', NOON - HOUR_MS));
    const measured = lose(one, 'n2', NOON, { version: one.version, near: ['n3'] });
    expect(holdWhere(measured, { [measured.version]: 0, [one.version]: HOUR_MS })?.reason).toContain('n2 was not lost alone');
    expect(memberOf(measured, 'n3')?.lastLoss?.withOthers).toBe(true);
  });

  it('go by the dates where the worker did not see a loss come, or measured before it was stored', () => {
    const one = planned(lose(threeNodes(), 'n3', NOON));
    const withOthers = (measured: MeasuredLosses): unknown => memberOf(lose(one, 'n2', NOON, measured), 'n2')?.lastLoss?.withOthers;
    expect(withOthers({ version: one.version, near: [] })).toBeUndefined();
    expect(withOthers({ version: one.version, near: [], unseen: ['n3'] })).toBe(true);
    const lostAt = memberOf(one, 'n3')?.lastLoss?.version ?? 0;
    expect(withOthers({ version: lostAt - 1, near: [] })).toBe(true);
  });
});
