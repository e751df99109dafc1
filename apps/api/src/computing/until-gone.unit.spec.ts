import { describe, expect, it } from 'vitest';
import { untilGone } from './until-gone.js';

const never = (): Promise<string> => new Promise(() => undefined);

describe('a wait for what goes on', () => {
  it('ends with whoever waits, and with nobody else', async () => {
    const client = new AbortController();
    const shared = Promise.resolve('done');
    const waiting = untilGone(never(), client.signal);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'caller-gone' });
    expect(await untilGone(shared)).toBe('done');
    expect(await untilGone(shared, new AbortController().signal)).toBe('done');
  });

  it('is none of whoever has gone before', async () => {
    await expect(untilGone(never(), AbortSignal.abort())).rejects.toMatchObject({ code: 'caller-gone' });
  });

  it('tells why it failed', async () => {
    await expect(untilGone(Promise.reject(new Error('broke')), new AbortController().signal)).rejects.toThrow('broke');
  });
});
