import type { ClusterEvent } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { stepsOf } from './steps-of.js';

const operation = (what: string, resource: string, rc: number, transition = 5): ClusterEvent => ({
  type: 'OperationRecorded',
  data: {
    node: 'n1',
    incarnation: 1,
    resource,
    class: 'ocf',
    agentType: 'Dummy',
    operation: what,
    intervalMs: 0,
    status: 'done',
    rc,
    callId: 1,
    transitionKey: `1:${String(transition)}:0:epoch`,
    lastRcChange: 1,
    late: false,
    execMs: 1,
    queueMs: 0,
  },
});
const attempt = { target: 'n2', action: 'reboot', device: 'ipmi', executor: 'n1' } as const;
const requested: ClusterEvent = {
  type: 'FencingRequested',
  data: { ...attempt, fencingId: 'f', attempt: 1, transition: 5, graphActionId: 9 },
};
const completed: ClusterEvent = { type: 'FencingCompleted', data: { ...attempt, fencingId: 'f', incarnation: 1, outcome: 'succeeded' } };

describe('what became of the lines of a transition', () => {
  it('is told by the results that came in for it', () => {
    const summary = ['fence-reboot n2 (lost)', 'stop db on n1 (moves)', 'start app:0 on n1', 'start ip on n1', 'start web on n1'];
    const events = [requested, operation('stop', 'db', 0), operation('start', 'app', 0), operation('start', 'ip', 1), completed];
    expect(stepsOf(5, summary, [...events, operation('start', 'web', 0, 4)])).toEqual(['done', 'done', 'done', 'failed', 'open']);
    expect(stepsOf(5, summary, [requested])).toEqual(['open', 'open', 'open', 'open', 'open']);
  });

  it('counts what a fencing ended, instances with numbers of their own, and nodes that left', () => {
    const summary = ['fence-reboot n2', 'stop db on n2 (n2 is fenced)', 'start db on n2', 'start web:0 on n1', 'shutdown n3'];
    const left: ClusterEvent = { type: 'NodeLeft', data: { node: 'n3', incarnation: 1 } };
    const events = [requested, completed, operation('start', 'web:0', 0), left];
    expect(stepsOf(5, summary, events)).toEqual(['done', 'done', 'open', 'done', 'done']);
  });
});
