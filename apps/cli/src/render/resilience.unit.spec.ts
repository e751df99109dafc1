import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { uncoloured } from './paint.js';
import { resilienceLines } from './resilience.js';

type Resilience = components['schemas']['ResilienceDto'];
type Loss = components['schemas']['LossDto'];

const loss = (node: string, given: Partial<Loss> = {}): Loss => ({
  nodes: [node],
  quorum: true,
  fenced: [node],
  affected: [],
  unaffected: 3,
  actions: 0,
  plans: 1,
  why: [],
  ...given,
});
const affected = (effect: Loss['affected'][number]['effect'], ...resources: string[]): Loss['affected'] =>
  resources.map((resource) => ({ resource, effect, before: [], after: [] }));
const shown = (losses: readonly Loss[], given: Partial<Resilience> = {}): readonly string[] =>
  resilienceLines(
    { clusterId: 'c', version: 1, now: 1, losses: [...losses], singlePointsOfFailure: [], without: [], ...given },
    uncoloured,
  );

describe('what a cluster would bear, in lines', () => {
  it('names what is down, and counts the rest', () => {
    const many = Array.from({ length: 8 }, (_, index) => `r${String(index)}`);
    const lines = shown(
      [loss('n1', { affected: [...affected('down', ...many), ...affected('moved', 'a', 'b')], actions: 9 }), loss('n2')],
      { singlePointsOfFailure: [{ nodes: ['n1'], resources: many }] },
    );
    expect(lines[1]).toMatch(/^n1 +yes +r0 r1 r2 r3 r4 r5 and 2 more +- +0 +2 +0 +9$/);
    expect(lines[2]).toMatch(/^n2 +yes +- +- +0 +0 +0 +0$/);
    expect(lines.at(-1)).toBe('Something would be down at the loss of: n1. systole --json resilience says why.');
  });

  it('says what would not recover, and what was not tried', () => {
    const lines = shown([loss('n1', { quorum: false, fenced: [] }), loss('n2', { fenced: [] })], { without: ['n3'] });
    expect(lines[1]).toMatch(/^n1 +no quorum/);
    expect(lines[2]).toMatch(/^n2 +not fenced/);
    expect(lines.slice(-2)).toEqual(['Nothing would be down.', 'Without a value of the attribute, and not tried: n3']);
    const resting: Loss = { nodes: ['n1'], quorum: true, fenced: ['n1'], affected: [], unaffected: 3, actions: 0, why: [] };
    expect(shown([resting])[1]).toMatch(/does not rest$/);
    expect(shown([])[0]).toBe('Nothing is there that could be lost.');
  });
});
