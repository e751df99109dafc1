import { parseXml, serializeXml } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { append, threeNodes } from '../testing/stream.js';
import type { ClusterEvent, OperationRecorded } from './cluster-event.js';
import { readableEvent } from './readable-event.js';

const operation = (changes: Partial<OperationRecorded['data']>): OperationRecorded => ({
  type: 'OperationRecorded',
  data: {
    node: 'n1',
    incarnation: 1,
    resource: 'db',
    class: 'ocf',
    agentType: 'x',
    operation: 'monitor',
    intervalMs: 0,
    status: 'done',
    rc: 1,
    callId: 1,
    transitionKey: '1:1:7:c',
    lastRcChange: 1,
    execMs: 1,
    queueMs: 0,
    late: false,
    ...changes,
  },
});

describe('an event that was stored with text which XML cannot carry', () => {
  it.each([
    ['ESC', '\u001b[31m', '␛[31m'],
    ['U+FFFF', '\uffff', '\ufffd'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
  ])('such as %s leaves a CIB that can be written, and says so', (_, text, shown) => {
    const events: readonly ClusterEvent[] = [
      operation({ exitReason: text }),
      { type: 'NodeAttributeSet', data: { node: 'n1', name: `a${text}`, value: text, lifetime: 'reboot' } },
      { type: 'NodeAttributeSet', data: { node: 'n1', name: 'b', value: text, lifetime: 'forever' } },
      { type: 'TicketChanged', data: { ticket: `t${text}`, attributes: { x: text } } },
    ];
    const state = append(threeNodes(), ...events);
    expect(serializeXml(state.cib)).toContain(`exit-reason="${shown}"`);
    expect(state.problems.map(({ text: problem }) => problem)).toContain(
      'OperationRecorded has text that XML cannot carry: it is shown replaced',
    );
  });

  it('whatever the text is, and what is readable stays the same object', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, two) => {
        const state = append(threeNodes(), operation({ exitReason: one, output: two }));
        expect(() => parseXml(serializeXml(state.cib))).not.toThrow();
        const event = readableEvent(operation({ exitReason: one }));
        expect(readableEvent(event)).toBe(event);
      }),
    );
  });
});
