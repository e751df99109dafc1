import { describe, expect, it } from 'vitest';
import { Audience } from './audience.js';

const never = (): Promise<string> => new Promise(() => undefined);

describe('what several wait for', () => {
  it('goes on while one of them is left, and is given up when the last has gone', async () => {
    const audience = new Audience();
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [audience.wait(never(), first.signal), audience.wait(never(), second.signal)];
    first.abort();
    await expect(waiting[0]).rejects.toMatchObject({ code: 'caller-gone' });
    expect(audience.isGone).toBe(false);
    second.abort();
    await expect(waiting[1]).rejects.toMatchObject({ code: 'caller-gone' });
    expect(audience.isGone).toBe(true);
  });

  it('is never given up for whoever waits to the end', async () => {
    const audience = new Audience();
    const client = new AbortController();
    const patient = audience.wait(Promise.resolve('done'));
    const gone = audience.wait(never(), client.signal);
    client.abort();
    await expect(gone).rejects.toThrow();
    expect(audience.isGone).toBe(false);
    expect(await patient).toBe('done');
  });

  it('is answered to all; who goes after that gives nothing up', async () => {
    const audience = new Audience();
    const client = new AbortController();
    expect(await audience.wait(Promise.resolve('done'), client.signal)).toBe('done');
    client.abort();
    expect(audience.isGone).toBe(false);
  });

  it('is not waited for by whoever has gone before', async () => {
    const audience = new Audience();
    await expect(audience.wait(never(), AbortSignal.abort())).rejects.toMatchObject({ code: 'caller-gone' });
    expect(audience.isGone).toBe(true);
  });

  it('tells all why it failed', async () => {
    const audience = new Audience();
    await expect(audience.wait(Promise.reject(new Error('broke')), new AbortController().signal)).rejects.toThrow('broke');
  });
});
