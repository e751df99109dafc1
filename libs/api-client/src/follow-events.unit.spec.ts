import { afterEach, describe, expect, it, vi } from 'vitest';
import { followEvents } from './follow-events.js';

describe('following events', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('ends with the reason when the log no longer holds what was sent', async () => {
    const problem = { type: 'https://systole.dev/problems/event-gone', title: 'Gone', status: 410, detail: 'read its state again' };
    const text = `retry: 1000\nid: 1\n\nid: 2\nevent: A\ndata: {"version":2,"type":"A"}\n\nid:\nevent: gone\ndata: ${JSON.stringify(problem)}\n\n`;
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(text)));
    const seen: number[] = [];
    const following = async (): Promise<void> => {
      const signal = AbortSignal.timeout(500);
      for await (const event of followEvents({ baseUrl: 'http://api', token: 't', cluster: 'c', after: 1, signal }))
        seen.push(event.version);
    };
    await expect(following()).rejects.toMatchObject({ name: 'ProblemError', status: 410, problem });
    expect(seen).toEqual([2]);
  });

  it('says by its id which event it has, so that another one of that version is not taken for it', async () => {
    const asked: { readonly url: string; readonly lastId: string | null }[] = [];
    const ended = new AbortController();
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      asked.push({ url, lastId: new Headers(init.headers).get('last-event-id') });
      if (asked.length === 2) ended.abort();
      return Promise.resolve(new Response('id: 1.aa\n\nid: 2.bb\nevent: A\ndata: {"version":2,"type":"A"}\n\n'));
    });
    const options = { baseUrl: 'http://api', token: 't', cluster: 'c', after: 1, signal: ended.signal };
    for await (const event of followEvents(options)) expect(event.version).toBe(2);
    expect(asked).toEqual([
      { url: 'http://api/v1/clusters/c/events/stream?after=1', lastId: null },
      { url: 'http://api/v1/clusters/c/events/stream', lastId: '2.bb' },
    ]);
  });
});
