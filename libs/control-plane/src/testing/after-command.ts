import { decide, fold, type ClusterCommand, type ClusterState } from '@systole/cluster';

/** What a cluster is after a command, all at one moment. @throws {Error} when it is refused */
export function after(state: ClusterState, command: ClusterCommand): ClusterState {
  const decision = decide(command, state);
  if (!decision.ok) throw new Error(decision.rejection.message);
  const at = { occurredAt: '2026-01-01T00:00:00.000Z', actor: 'test', correlationId: 'test' };
  return fold(
    state,
    decision.events.map((event, index) => ({ version: state.version + 1 + index, ...at, event })),
  );
}
