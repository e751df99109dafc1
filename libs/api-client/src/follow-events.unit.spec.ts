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
});
