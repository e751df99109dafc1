import { describe, expect, it } from 'vitest';
import { AnswerTooLong, bounded, MOST_BYTES, mostBytesIn } from './bounded-answer.js';

/** An answer that has no end; `sent` says how much of it was read. */
function endless(type: string): { readonly response: Response; readonly sent: () => number } {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_000;
      controller.enqueue(new Uint8Array(1_000).fill(0x20));
    },
  });
  return { response: new Response(body, { headers: { 'content-type': type } }), sent: () => sent };
}

describe('an answer', () => {
  it('is read no further than it may be long, which the error says', async () => {
    const { response, sent } = endless('application/json; charset=utf-8');
    const reading = bounded(response, 100_000).text();
    await expect(reading).rejects.toThrow(AnswerTooLong);
    await expect(reading).rejects.toThrow('is longer than 0.1 MiB, and was read no further: ask for less, or set SYSTOLE_MAX_ANSWER_MIB');
    expect(sent()).toBeLessThan(150_000);
  });

  it('stays as it is where it is not longer', async () => {
    const response = bounded(Response.json({ a: 1 }, { status: 201, headers: { etag: '"1"' } }), 7);
    expect([response.status, response.headers.get('etag'), await response.json()]).toEqual([201, '"1"', { a: 1 }]);
    await expect(bounded(Response.json({ a: 1 }), 6).text()).rejects.toThrow(AnswerTooLong);
    expect(bounded(new Response(null, { status: 204 }), 1).status).toBe(204);
  });

  it('that is a stream may be as long as it is', async () => {
    for (const type of ['application/x-ndjson', 'text/csv; charset=utf-8', 'text/event-stream']) {
      const reader = bounded(endless(type).response, 10_000).body?.getReader();
      for (let read = 0; read < 50; read++) expect((await reader?.read())?.done).toBe(false);
      await reader?.cancel();
    }
  });

  it('may be longer where somebody says so', () => {
    expect(mostBytesIn({})).toBe(MOST_BYTES);
    expect(mostBytesIn({ SYSTOLE_MAX_ANSWER_MIB: '0.5' })).toBe(524_288);
    for (const given of ['0', '-1', 'much', '1e9']) expect(() => mostBytesIn({ SYSTOLE_MAX_ANSWER_MIB: given })).toThrow('number of MiB');
  });
});
