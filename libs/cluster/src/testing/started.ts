import type { ReportedResult } from '../commands/agent-command.js';

/** That a resource was started, as an agent reports it: of the action `a` of the first transition. */
export function startedResult(resource: string, changes: Partial<ReportedResult> = {}): ReportedResult {
  return {
    resultId: `start-${resource}`,
    actionId: 'a',
    transitionKey: '1:1:0:c',
    resource: { id: resource, historyId: resource, class: 'ocf', provider: 'systole', type: 'Dummy' },
    operation: 'start',
    intervalMs: 0,
    status: 'done',
    rc: 0,
    callId: 1,
    startedAt: 1,
    execMs: 1,
    queueMs: 0,
    recurring: false,
    ...changes,
  };
}
