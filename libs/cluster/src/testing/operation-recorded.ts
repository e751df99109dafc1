import type { OperationRecorded } from '../events/cluster-event.js';

/** A start of `db` on n1 that went well, ordered as action 7 of transition 1, but for what a test says. */
export function operationRecorded(changes: Partial<OperationRecorded['data']> = {}): OperationRecorded {
  return {
    type: 'OperationRecorded',
    data: {
      node: 'n1',
      incarnation: 1,
      resource: 'db',
      class: 'ocf',
      provider: 'systole',
      agentType: 'Dummy',
      operation: 'start',
      intervalMs: 0,
      status: 'done',
      rc: 0,
      callId: 5,
      transitionKey: '7:1:0:abc',
      lastRcChange: 1000,
      execMs: 12,
      queueMs: 0,
      late: false,
      ...changes,
    },
  };
}
