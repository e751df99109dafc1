import type { AgentAction, AgentResult } from '@systole/protocol';

/** An action for tests of the journal; the parameters contain what could break a file of lines. */
export function sampleAction(id: number, operation: string, resource: string): AgentAction {
  return {
    actionId: `act${id}`,
    kind: 'operation',
    transitionKey: `${id}:1:0:c`,
    operation,
    intervalMs: 0,
    timeoutMs: 1000,
    expectedRc: 0,
    resource: { id: resource, historyId: resource, class: 'ocf', provider: 'systole', type: 'Dummy' },
    parameters: { secret: 'ü\n"' },
    meta: {},
  };
}

/** A result of it. */
export function sampleResult(of: AgentAction, rc: number, status: AgentResult['status'] = 'done'): AgentResult {
  const { actionId, transitionKey, resource, operation, intervalMs } = of;
  const timing = { callId: 1, startedAt: 0, execMs: 1, queueMs: 0 };
  return { resultId: `res-${actionId}`, actionId, transitionKey, resource, operation, intervalMs, status, rc, ...timing, recurring: false };
}
