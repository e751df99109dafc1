import type { ReportedResult } from '../commands/agent-command.js';

/** A report that a resource was started and went well, by a transition that asked for it as action 7, but for what a test says. */
export function reportedResult(historyId = 'db', changes: Partial<ReportedResult> = {}): ReportedResult {
  return {
    resultId: 'r1',
    actionId: 'c:1:7',
    transitionKey: '7:1:0:c',
    resource: { id: historyId, historyId, class: 'ocf', provider: 'systole', type: 'Dummy' },
    operation: 'start',
    intervalMs: 0,
    status: 'done',
    rc: 0,
    callId: 1,
    startedAt: 1000,
    execMs: 5,
    queueMs: 0,
    recurring: false,
    ...changes,
  };
}
