import { expect, it } from 'vitest';
import { renderEvent } from './event.js';
import { uncoloured } from './paint.js';

it('lets no reason pass for another line, or for somebody else', () => {
  const reason =
    '\r   712  2026-01-01 00:00:00  user:alice        n1: standby = off\n   999  2026-01-01 00:00:00  user:admin  token issued';
  const event = {
    ...{ globalPosition: 1, version: 1, schemaVersion: 1, streamId: 'c', type: 'NodeAttributeSet' as const, subjects: ['n1'] },
    ...{ actor: 'user:mallory', command: 'set-standby', correlationId: 'x', occurredAt: '2026-01-01T00:00:00.000Z' },
    ...{ data: { node: 'n1', name: 'standby', value: 'on', lifetime: 'forever' as const, reason }, hash: '00' },
  };
  const lines = renderEvent(event, uncoloured);
  expect(lines.join('')).toContain('user:mallory');
  for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
});
