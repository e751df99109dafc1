import { describe, expect, it } from 'vitest';
import { Patience, patienceOf } from './patience.js';
import { ServerUnavailable } from './server-connection.js';

const never = new AbortController().signal;
const away = (): Promise<never> => Promise.reject(new ServerUnavailable('away'));

describe('the wait for a server that is away', () => {
  it('is a share of what the operation has, and 15 s at most', () => {
    expect(patienceOf({ OCF_RESKEY_CRM_meta_timeout: '9000' })).toBe(3_000);
    expect(patienceOf({ OCF_RESKEY_CRM_meta_timeout: '120000' })).toBe(15_000);
    for (const env of [{}, { OCF_RESKEY_CRM_meta_timeout: 'soon' }, { OCF_RESKEY_CRM_meta_timeout: '0' }])
      expect(patienceOf(env)).toBe(15_000);
  });

  it('ends when the server is back', async () => {
    const patience = new Patience();
    let attempts = 0;
    expect(await patience.ask(() => ((attempts += 1) === 1 ? away() : Promise.resolve('here')), never)).toBe('here');
  });

  it('is over at once for the next question of an outage that somebody waited through', async () => {
    let now = 0;
    const patience = new Patience(() => now);
    let attempts = 0;
    const attempt = (): Promise<never> => {
      attempts += 1;
      now += 4_000;
      return away();
    };
    await expect(patience.ask(attempt, never, 3_000)).rejects.toThrow('away');
    expect(attempts).toBe(2);
    await expect(patience.ask(attempt, never, 3_000)).rejects.toThrow('away');
    expect(attempts).toBe(2);
    now += 2_000;
    await expect(patience.ask(attempt, never, 3_000)).rejects.toThrow('away');
    expect(attempts).toBe(3);
    expect(await patience.ask(() => Promise.resolve('here'), never, 60_000)).toBe('here');
    await expect(patience.ask(attempt, never, 3_000)).rejects.toThrow('away');
    expect(attempts).toBe(5);
  });

  it('is no longer where a server takes the question and says nothing', async () => {
    const begun = performance.now();
    await expect(new Patience().ask(() => new Promise<never>(() => undefined), never, 100)).rejects.toThrow('did not answer');
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  it('is there again in the next outage', async () => {
    let now = 0;
    const patience = new Patience(() => now);
    await expect(patience.ask(away, AbortSignal.abort())).rejects.toThrow('away');
    now = 3_600_000;
    let attempts = 0;
    expect(await patience.ask(() => ((attempts += 1) === 1 ? away() : Promise.resolve('here')), never, 10_000)).toBe('here');
    await expect(patience.ask(away, AbortSignal.abort(), 0)).rejects.toThrow('away');
    await expect(patience.ask(() => Promise.reject(new RangeError('no')), never)).rejects.toThrow(RangeError);
    attempts = 0;
    expect(await patience.ask(() => ((attempts += 1) === 1 ? away() : Promise.resolve('here')), never, 10_000)).toBe('here');
  });

  it('is none for what the server refuses', async () => {
    await expect(new Patience().ask(() => Promise.reject(new RangeError('no')), never)).rejects.toThrow(RangeError);
  });
});
