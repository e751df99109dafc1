import { describe, expect, it } from 'vitest';
import type { EndedAlertRun } from '../commands/worker-command.js';
import { decide } from '../commands/decide.js';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import { failingAlerts } from './failing-alerts.js';

const TWO =
  '<alerts><alert id="a" path="/p"><recipient id="r1" value="x"/><recipient id="r2" value="y"/></alert><alert id="b" path="/q"/></alerts>';
const cluster = (): ClusterState => threeNodes({ resources: '', more: TWO });

/** Of alert a, for r1, on n1. */
function run(number: number, changes: Partial<EndedAlertRun> = {}): EndedAlertRun {
  return { run: number, node: 'n1', alert: 'a', recipient: 'r1', path: '/p', outcome: 'failed', rc: 3, detail: 'no server', ...changes };
}

function note(state: ClusterState, ...runs: readonly EndedAlertRun[]): ClusterState {
  return execute(state, { type: 'note-alert-runs', runs });
}

/** Types of the events that it makes. */
function said(state: ClusterState, ...runs: readonly EndedAlertRun[]): readonly string[] {
  const decision = decide({ type: 'note-alert-runs', runs }, state);
  return decision.ok ? decision.events.map(({ type }) => type) : [decision.rejection.code];
}

const failing = (state: ClusterState): readonly string[] =>
  failingAlerts(state, 0).map(({ alert, recipient = '-', node }) => `${alert} ${recipient} ${node}`);

describe('an alert whose program fails', () => {
  it('is said once, with what it printed, until it works again', () => {
    const failed = note(cluster(), run(1));
    expect(failingAlerts(failed, 0)).toMatchObject([{ alert: 'a', recipient: 'r1', node: 'n1', rc: 3, detail: 'no server', path: '/p' }]);
    expect(said(failed, run(2, { outcome: 'timeout' }))).toEqual([]);
    const worked = note(failed, run(3, { outcome: 'done', rc: 0 }));
    expect(failing(worked)).toEqual([]);
    expect(worked.failingAlerts).toBeUndefined();
    expect(said(worked, run(4, { outcome: 'done' }))).toEqual([]);
  });

  it('is told for each recipient and each node by itself', () => {
    const failed = note(cluster(), run(1), run(2, { node: 'n2' }), run(3, { alert: 'b', path: '/q', recipient: undefined } as object));
    expect(failing(failed)).toEqual(['a r1 n1', 'a r1 n2', 'b - n1']);
    expect(failing(note(failed, run(4, { outcome: 'done' })))).toEqual(['a r1 n2', 'b - n1']);
  });

  it('is what its newest run says, in whatever order runs are looked at', () => {
    expect(said(cluster(), run(2, { outcome: 'done' }), run(1))).toEqual([]);
    const failed = note(cluster(), run(5));
    expect(said(failed, run(4, { outcome: 'done' }))).toEqual([]);
  });

  it('is nothing where the node is away that was to run it, nor when it is away later', () => {
    const left = execute(cluster(), { type: 'leave-node', node: 'n1', incarnation: 1 });
    expect(said(left, run(1, { outcome: 'not-run' }))).toEqual([]);
    expect(failing(execute(note(cluster(), run(1)), { type: 'leave-node', node: 'n1', incarnation: 1 }))).toEqual([]);
  });

  it('is no more when it is not configured any more, or switched off', () => {
    const configured = (alerts: string): ClusterState => {
      const failed = note(cluster(), run(1));
      return { ...failed, cib: threeNodes({ resources: '', more: alerts }).cib };
    };
    expect(failing(configured(TWO))).toEqual(['a r1 n1']);
    expect(failing(configured('<alerts/>'))).toEqual([]);
    expect(failing(configured(TWO.replace('id="r1"', 'id="r9"')))).toEqual([]);
    const off = '<meta_attributes id="m"><nvpair id="m1" name="enabled" value="false"/></meta_attributes>';
    expect(failing(configured(TWO.replace('path="/p">', `path="/p">${off}`)))).toEqual([]);
  });

  it('keeps a long text short, and plans nothing', () => {
    const before = cluster();
    const failed = note(before, run(1, { detail: 'x'.repeat(5_000) }));
    expect(failed.failingAlerts?.[0]?.detail).toHaveLength(500);
    expect(failed.recompute).toEqual(before.recompute);
  });
});
