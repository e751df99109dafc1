import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { KEPT_EVENTS, withEvents } from './timeline.js';

/** Also of a type that this page does not know yet. */
const event = (version: number, type = 'NodeLeft') =>
  ({
    version,
    globalPosition: version,
    type,
    data: { node: 'alpha', incarnation: 1 },
    subjects: [],
    actor: 'agent:alpha',
    command: 'leave',
    correlationId: 'x',
    occurredAt: '2026-01-01T00:00:00.000Z',
    hash: '0',
  }) as components['schemas']['EventDto'];

describe('withEvents', () => {
  it('keeps the newest first, however they come', () => {
    const entries = withEvents(withEvents([], [event(3), event(2), event(1)]), [event(4), event(5)]);
    expect(entries.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    expect(entries[0]?.text).toBe('node alpha left');
  });

  it('takes none twice', () => {
    const entries = withEvents([], [event(2), event(1)]);
    expect(withEvents(entries, [event(1), event(2)])).toBe(entries);
  });

  it('forgets the oldest', () => {
    const many = Array.from({ length: KEPT_EVENTS + 10 }, (_, index) => event(index + 1));
    const entries = withEvents([], many);
    expect(entries).toHaveLength(KEPT_EVENTS);
    expect(entries.at(-1)?.version).toBe(11);
  });

  it('shows an event that it does not know by its name', () => {
    expect(withEvents([], [event(1, 'SomethingNew')])[0]?.text).toBe('SomethingNew');
  });
});
