import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { uncoloured } from './paint.js';
import { renderTransition, renderTransitions } from './transition.js';

const transition = (given: Partial<components['schemas']['TransitionDetailDto']> = {}): components['schemas']['TransitionDetailDto'] => ({
  number: 7,
  status: 'complete',
  inputVersion: 40,
  plannedVersion: 41,
  now: 1_800_000_000,
  digest: 'abc',
  plannedAt: '2026-01-01T08:00:00.000Z',
  trigger: 'db failed',
  counts: { actions: 12, pseudo: 4, fencing: 0 },
  summary: ['stop db on n1', 'start db on n2'],
  graph: {},
  outcome: { completed: 16, failed: 0, skipped: 0 },
  ...given,
});
const aborted = transition({ status: 'aborted', abortReason: 'node n3 joined', outcome: { completed: 3, failed: 0, skipped: 13 } });

describe('a transition', () => {
  it('that was aborted does not list what never began as if it had been done', () => {
    const lines = renderTransition(aborted, uncoloured);
    expect(lines).toContain('Plan:     12 actions, and 4 pseudo actions');
    expect(lines).toContain('Outcome:  3 steps done, 0 not as expected, 13 never begun');
    expect(lines.slice(-3)).toEqual(['What was planned; 13 steps never began', '  stop db on n1', '  start db on n2']);
    expect(renderTransitions([aborted], uncoloured)[1]).toMatch(/^7 +aborted .* 12 \(13 of all steps never begun\) +db failed$/);
  });

  it('counts its actions as the status does, fencing included', () => {
    const fencing = transition({ counts: { actions: 1_169, pseudo: 4, fencing: 1 } });
    expect(renderTransition(fencing, uncoloured)).toContain('Plan:     1170 actions (1 of them to fence), and 4 pseudo actions');
    expect(renderTransitions([fencing], uncoloured)[1]).toMatch(/ 1170 +db failed$/);
  });

  it('that is complete, or runs, says which of the two its lines are', () => {
    expect(renderTransition(transition(), uncoloured).at(-3)).toBe('What was done');
    expect(renderTransitions([transition()], uncoloured)[1]).toMatch(/ 12 +db failed$/);
    const running = transition({ status: 'running' });
    delete (running as { outcome?: unknown }).outcome;
    expect(renderTransition(running, uncoloured).at(-3)).toBe('What is planned');
  });
});
