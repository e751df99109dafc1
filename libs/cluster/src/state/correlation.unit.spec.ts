import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { MOST_ALSO_ANSWERED, initialState, type ClusterState } from './cluster-state.js';
import { correlationCarried } from './correlation.js';
import { evolve } from './evolve.js';

interface By {
  readonly actor: string;
  readonly correlationId: string;
}

const alice = (correlationId: string): By => ({ actor: 'user:alice', correlationId });
const agent = (correlationId: string): By => ({ actor: 'agent:n1', correlationId });

function append(state: ClusterState, { actor, correlationId }: By, event: ClusterEvent): ClusterState {
  return evolve(state, { version: state.version + 1, occurredAt: '2026-01-01T00:00:00.000Z', actor, correlationId, event });
}

const created = append(initialState(), alice('created'), {
  type: 'ClusterCreated',
  data: { name: 'c', cib: '<cib><configuration><crm_config/><nodes/><resources/><constraints/></configuration><status/></cib>' },
});
const joined = append(created, agent('joined'), {
  type: 'NodeJoined',
  data: { node: 'n1', nodeId: '1', incarnation: 1, agentVersion: '1', leaseMs: 1_000 },
});

const grant = (granted: boolean): ClusterEvent => ({ type: 'TicketChanged', data: { ticket: 't', granted } });

const plan = (number: number, inputVersion = 1): ClusterEvent => ({
  type: 'TransitionPlanned',
  data: {
    number,
    inputVersion,
    now: 0,
    schedulerVersion: 's',
    digest: 'd',
    counts: { actions: 1, pseudo: 0, fencing: 0 },
    trigger: 't',
    summary: [],
  },
});

const result = (transitionKey: string): ClusterEvent => operationRecorded({ transitionKey });

/** Planned as the worker would. */
function planned(state: ClusterState): ClusterState {
  const event = plan(state.lastTransitionNumber + 1, state.version);
  return append(state, { actor: 'worker', correlationId: correlationCarried(state, event) ?? 'own' }, event);
}

describe('what a plan follows from', () => {
  it('is what somebody asked for, before what nodes reported', () => {
    const asked = append(joined, alice('asked'), grant(true));
    expect(asked.recompute).toMatchObject({ cause: { correlationId: 'created', asked: true }, alsoAnswers: ['joined', 'asked'] });
    expect(correlationCarried(asked, plan(1))).toBe('created');
    const reported = append(planned(asked), agent('again'), {
      type: 'NodeJoined',
      data: { node: 'n2', nodeId: '2', incarnation: 1, agentVersion: '1', leaseMs: 1_000 },
    });
    expect(correlationCarried(reported, plan(2))).toBe('again');
    expect(append(reported, alice('later'), grant(false)).recompute).toMatchObject({
      cause: { correlationId: 'later' },
      alsoAnswers: ['again'],
    });
  });

  it('is no request of a program of the server, which nobody asked', () => {
    const begun = append(planned(joined), { actor: 'api', correlationId: 'by itself' }, grant(true));
    expect(begun.recompute?.cause).toEqual({ correlationId: 'by itself', asked: false });
    expect(append(begun, { actor: 'oidc:bob', correlationId: 'bob' }, grant(false)).recompute?.cause.correlationId).toBe('bob');
  });

  it('names each once, and no more than it may', () => {
    let state = planned(joined);
    for (let index = 0; index < MOST_ALSO_ANSWERED + 20; index++) state = append(state, alice(`c${String(index)}`), grant(index % 2 === 0));
    expect(state.recompute?.alsoAnswers).toEqual(Array.from({ length: MOST_ALSO_ANSWERED }, (_, index) => `c${String(index + 1)}`));
  });

  it('is nothing where nobody asked: time went by', () => {
    expect(correlationCarried(planned(joined), plan(2))).toBeUndefined();
  });
});

describe('what follows from a transition', () => {
  const running = planned(append(planned(joined), alice('asked'), grant(true)));

  it('has its id: results, its end, what is planned since it was aborted', () => {
    expect(correlationCarried(running, result('7:2:0:abc'))).toBe('asked');
    const end = { number: 2, outcome: 'aborted', completed: 0, skipped: 0, failed: 0 } as const;
    const ended: ClusterEvent = { type: 'TransitionCompleted', data: end };
    expect(correlationCarried(running, ended)).toBe('asked');
    expect(correlationCarried(append(running, { actor: 'worker', correlationId: 'asked' }, ended), plan(3))).toBe('asked');
  });

  it('is nothing of another transition, nor what a node says of its own accord', () => {
    expect(correlationCarried(running, result('7:1:0:abc'))).toBeUndefined();
    expect(
      correlationCarried(running, {
        type: 'TransitionCompleted',
        data: { number: 1, outcome: 'complete', completed: 0, skipped: 0, failed: 0 },
      }),
    ).toBeUndefined();
  });
});
