import { describe, expect, it } from 'vitest';
import { callersTrace, correlationWithin, spanIdOf, traceOf } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const REQUEST = '5f8e4a0c-7f0e-4b1c-9d36-0f4e2a0f9c11';

describe('a traceparent', () => {
  it('says whose trace a request is a part of, and whether that is kept', () => {
    expect(callersTrace(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
    expect(callersTrace(`00-${TRACE}-${SPAN}-02`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: false });
    expect(callersTrace(`cc-${TRACE}-${SPAN}-01-what-comes-later`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
  });

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['one in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['one with more behind than its version has', `00-${TRACE}-${SPAN}-01-more`],
    ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['two', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['one without end', `01-${TRACE}-${SPAN}-01-${'x'.repeat(10_000)}`],
  ])('that can not be read is none: %s', (_, header) => {
    expect(callersTrace(header)).toBeUndefined();
  });
});

describe('a correlation id', () => {
  it('of a request of nobody else’s trace is a trace of its own', () => {
    expect(traceOf(REQUEST)).toEqual({ traceId: '5f8e4a0c7f0e4b1c9d360f4e2a0f9c11' });
  });

  it('carries the trace of its caller, and stays one of its own', () => {
    for (const sampled of [true, false]) {
      const id = correlationWithin(REQUEST, { traceId: TRACE, spanId: SPAN, sampled });
      expect(id.startsWith(REQUEST)).toBe(true);
      expect(traceOf(id)).toEqual({ traceId: TRACE, callerKeeps: sampled });
    }
  });

  it('that is no UUID has a trace, too, always the same', () => {
    const { traceId } = traceOf('unknown');
    expect(traceId).toMatch(/^[\da-f]{32}$/);
    expect(traceOf('unknown')).toEqual({ traceId });
    expect(traceOf('others').traceId).not.toBe(traceId);
  });

  it('and a key name a span wherever they are put together', () => {
    const id = spanIdOf(REQUEST, 'beginning');
    expect(id).toMatch(/^[\da-f]{16}$/);
    expect(spanIdOf(REQUEST, 'beginning')).toBe(id);
    expect(spanIdOf(REQUEST, 'transition c 1')).not.toBe(id);
    expect(spanIdOf(correlationWithin(REQUEST, { traceId: TRACE, spanId: SPAN, sampled: true }), 'beginning')).not.toBe(id);
  });
});
