import { createSystoleClient } from '@systole/api-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchCluster } from './watch-cluster.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const json = (body: object): Promise<Response> => Promise.resolve(Response.json(body));
const GONE = { type: 'https://systole.dev/problems/event-gone', title: 'Gone', status: 410, detail: 'read its state again' };

it.each([
  ['the log no longer holds what it was sent', () => Promise.resolve(Response.json(GONE, { status: 410 }))],
  ['there are too many streams', () => Promise.resolve(Response.json({ ...GONE, status: 429 }, { status: 429 }))],
])('follows events again, from the newest that there are, when %s', async (_, refusal) => {
  let streams = 0;
  const told: string[] = [];
  const ended = new AbortController();
  vi.stubGlobal('fetch', () => {
    streams += 1;
    return streams === 1 ? refusal() : Promise.resolve(new Response('id: 7.aa\nevent: A\ndata: {"version":7,"type":"A"}\n\n'));
  });
  const fetch = ({ url }: Request): Promise<Response> => json(url.includes('/events?') ? { items: [{ version: 6 }] } : { items: [] });
  const client = createSystoleClient({ baseUrl: 'http://api', token: 't', fetch });
  watchCluster(
    { token: 't', baseUrl: 'http://api', client },
    'c',
    {
      onPicture: () => undefined,
      onNewest: (events) => told.push(`newest ${String(events[0]?.version)}`),
      onEvents: (events) => {
        told.push(`event ${String(events[0]?.version)}`);
        ended.abort();
      },
      onTrouble: (trouble) => {
        if (trouble !== undefined) told.push('trouble');
      },
    },
    ended.signal,
  );
  await vi.advanceTimersByTimeAsync(6_000);
  expect(told).toEqual(['newest 6', 'trouble', 'newest 6', 'event 7']);
});
