import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AnswerLost, sendingOnce, type Send } from './lost-answers.js';

const SHORT = { repeatForMs: 60, pauseMs: 5, readWithinMs: 30 };
const signal = new AbortController().signal;
const write = () => new Request('http://server/v1/x', { method: 'POST', body: '{"a":1}' });
const closed = () => new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });
const refused = () => new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
const running = () => Response.json({ type: 'https://systole.dev/problems/request-running' }, { status: 409 });

/** Answers one after another, the last one for ever, and keeps what was sent. */
function answering(...answers: readonly (Response | Error)[]): {
  readonly send: Send;
  readonly sent: { key: string | null; body: string }[];
} {
  const sent: { key: string | null; body: string }[] = [];
  const send: Send = async (request) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ key: request.headers.get('idempotency-key'), body: await request.text() });
    if (answer instanceof Response) return answer.clone();
    throw answer ?? new Error('nothing to answer');
  };
  return { send, sent };
}

describe('a request that changes something', () => {
  it('is sent again with its key and body when its answer was lost, until there is one', async () => {
    const { send, sent } = answering(closed(), refused(), running(), Response.json({ done: true }));
    const told: string[] = [];
    const response = await sendingOnce(send, (text) => told.push(text), { ...SHORT, repeatForMs: 2_000 })(write(), { signal });
    expect(await response.json()).toEqual({ done: true });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => '{"a":1}'));
    expect(told).toEqual(['the answer was lost; asking again what came of it']);
  });

  it('has another key than any other', async () => {
    const { send, sent } = answering(new Response(null, { status: 204 }));
    const once = sendingOnce(send, () => undefined, SHORT);
    for (let time = 0; time < 2; time++) await once(write(), { signal });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  it('is unknown when its answer stays lost', async () => {
    const { send } = answering(closed());
    await expect(sendingOnce(send, () => undefined, SHORT)(write(), { signal })).rejects.toThrow(AnswerLost);
  });

  it('was not made when nothing could be sent, and what is refused is refused', async () => {
    const { send, sent } = answering(refused());
    await expect(sendingOnce(send, () => undefined, SHORT)(write(), { signal })).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(1);
    const conflict = answering(running());
    expect((await sendingOnce(conflict.send, () => undefined, SHORT)(write(), { signal })).status).toBe(409);
  });
});

describe('a read', () => {
  const read = () => new Request('http://server/v1/x');

  it('is given up when its answer does not begin in time, and may go on for long once it has', async () => {
    const never: Send = (_request, options) =>
      new Promise((_resolve, reject) => {
        options.signal.addEventListener('abort', () => {
          reject(options.signal.reason as Error);
        });
      });
    await expect(sendingOnce(never, () => undefined, SHORT)(read(), { signal })).rejects.toThrow(/no answer within 0.03 s/);
    let given: AbortSignal | undefined;
    const begins: Send = (_request, options) => {
      given = options.signal;
      return Promise.resolve(new Response('x'));
    };
    await sendingOnce(begins, () => undefined, SHORT)(read(), { signal });
    await sleep(60);
    expect(given?.aborted).toBe(false);
  });
});
