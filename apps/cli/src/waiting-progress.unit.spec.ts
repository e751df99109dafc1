import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { waitsFor, watching } from './waiting-progress.js';

const SOON = { firstMs: 5, everyMs: 5 };
const STAYS = new AbortController().signal;
const URL_OF = 'http://server/v1/clusters/prod/resources/db/commands/disable';

describe('what a write waits for', () => {
  it('is told in a line', () => {
    expect(
      waitsFor({
        settled: false,
        hold: 'waiting for n2 to join',
        transition: {
          ...{ number: 7, status: 'running', ended: 3, failed: 1, actions: 8 },
          waitsFor: [
            { node: 'n1', text: 'start of db on n1', forMs: 1 },
            { node: 'n2', text: 'x', forMs: 1 },
          ],
        } as unknown as NonNullable<Parameters<typeof waitsFor>[0]['transition']>,
      }),
    ).toBe('transition 7 running, 3 of 8 actions ended, 1 not as expected, next start of db on n1 and 1 more; waiting for n2 to join');
    expect(waitsFor({ settled: false, recompute: 'a node joined' })).toBe('to be planned anew');
    expect(waitsFor({ settled: true })).toBe('the answer; the cluster has settled');
  });

  it('is shown while it waits, by the status of its cluster, and taken away afterwards', async () => {
    const shown: (string | undefined)[] = [];
    const asked: string[] = [];
    const send = watching(async () => pause(200, Response.json({ done: true })), {
      ...SOON,
      read: (request) => {
        asked.push(`${request.url} ${request.headers.get('authorization') ?? ''}`);
        return Promise.resolve(Response.json({ settled: false, hold: 'n2 is missing' }));
      },
      progress: (text) => shown.push(text),
    });
    const request = new Request(`${URL_OF}?wait=settled`, { method: 'POST', headers: { authorization: 'Bearer t' } });
    expect(await (await send(request, { signal: STAYS })).json()).toEqual({ done: true });
    expect(shown[0]).toBe('Waiting for 0 s: n2 is missing');
    expect(shown.at(-1)).toBeUndefined();
    expect(asked[0]).toBe('http://server/v1/clusters/prod/status Bearer t');
  });

  it('is not shown of what waits for nothing, and a status that can not be read does no harm', async () => {
    const shown: (string | undefined)[] = [];
    const watched = { ...SOON, read: () => Promise.reject(new Error('away')), progress: (text: string | undefined) => shown.push(text) };
    const send = watching(async () => pause(60, new Response(null, { status: 204 })), watched);
    await send(new Request(URL_OF, { method: 'POST' }), { signal: STAYS });
    expect(shown).toEqual([]);
    expect((await send(new Request(`${URL_OF}?wait=settled`, { method: 'POST' }), { signal: STAYS })).status).toBe(204);
    expect(shown.at(-1)).toBeUndefined();
  });
});
