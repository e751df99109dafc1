import { describe, expect, it } from 'vitest';
import { createSystoleClient, tryLosses, type LossesTried } from './index.js';

const BEGUN = { clusterId: 'c', version: 7, now: 1, tries: 2 };
const loss = (node: string): object => ({ nodes: [node], affected: [] });
const WHOLE = { clusterId: 'c', version: 7, now: 1, losses: [], singlePointsOfFailure: [], without: [] };

function tried(pieces: readonly string[], status = 200): { readonly told: LossesTried[]; readonly whole: ReturnType<typeof tryLosses> } {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const type = status === 200 ? 'application/x-ndjson' : 'application/problem+json';
  const answer = new Response(body, { status, headers: { 'content-type': type } });
  const client = createSystoleClient({ baseUrl: 'http://server.test', token: 't', fetch: () => Promise.resolve(answer) });
  const told: LossesTried[] = [];
  return { told, whole: tryLosses(client, 'c', {}, (progress) => told.push(progress)) };
}

const lines = (...all: readonly object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('trying losses', () => {
  it('tells how far it is, and gives the whole with all losses, wherever the answer was cut into pieces', async () => {
    const text = lines(BEGUN, loss('n1'), loss('n2'), WHOLE);
    const { told, whole } = tried([text.slice(0, 20), text.slice(20, 95), text.slice(95)]);
    expect(await whole).toEqual({ ...WHOLE, losses: [loss('n1'), loss('n2')] });
    expect(told).toEqual([
      { done: 0, of: 2 },
      { done: 1, of: 2 },
      { done: 2, of: 2 },
    ]);
  });

  it('does not take half an answer for a whole one', async () => {
    await expect(tried([lines(BEGUN, loss('n1'))]).whole).rejects.toThrow('cut off');
  });

  it('says why the server refuses', async () => {
    const problem = { type: 'https://systole.dev/problems/busy', title: 'Busy', status: 503, detail: 'later' };
    await expect(tried([JSON.stringify(problem)], 503).whole).rejects.toMatchObject({ name: 'ProblemError', status: 503 });
  });
});
