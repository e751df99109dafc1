import { describe, expect, it } from 'vitest';
import { becameOf, waits, WriteInterrupted } from './interruption.js';
import { sendingOnce, type Send } from './lost-answers.js';
import { renderInterrupted } from './render/interrupted.js';

const URL_OF = 'http://server/v1/clusters/prod/resources/db/commands';
const write = (path = 'disable?wait=settled'): Request => new Request(`${URL_OF}/${path}`, { method: 'POST', body: '{}' });
const problem = (type: string, status: number): Response => Response.json({ type: `https://systole.dev/problems/${type}` }, { status });
const EVENT = {
  ...{ version: 29, type: 'ConfigurationChanged', occurredAt: '2026-01-01T00:00:00.000Z', actor: 'user:a' },
  data: { command: 'disable-resource', arguments: { resource: 'db' }, changes: [] },
};

/** The first request is never answered; those that ask what became of it are answered one after another. */
function server(...answers: readonly Response[]): { readonly send: Send; readonly asked: (string | null)[] } {
  const asked: (string | null)[] = [];
  const send: Send = (request, { signal }) => {
    if (request.headers.get('idempotency-replay-only') === null) {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
    }
    asked.push(request.headers.get('idempotency-key'));
    return Promise.resolve((answers[Math.min(asked.length, answers.length) - 1] ?? problem('request-running', 409)).clone());
  };
  return { send, asked };
}

async function interrupted(send: Send, request = write()): Promise<unknown> {
  const control = new AbortController();
  setTimeout(() => {
    control.abort();
  }, 20);
  return sendingOnce(send, () => undefined)(request, { signal: control.signal }).then(
    () => 'answered',
    (error: unknown) => error,
  );
}

describe('Ctrl-C while a write is waited for', () => {
  it('says which change stands, and how to look on', async () => {
    const made = server(problem('request-running', 409), Response.json({ version: 29, events: [EVENT] }));
    const error = await interrupted(made.send);
    expect(made.asked).toHaveLength(2);
    expect(made.asked[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(error).toBeInstanceOf(WriteInterrupted);
    const lines = renderInterrupted(error as WriteInterrupted);
    expect(lines[0]).toBe('Interrupted while waiting. The change was made and stands: version 29.');
    expect(lines[1]).toContain('disable-resource');
    expect(lines.at(-1)).toContain('systole status --watch');
  });

  it('says that nothing was changed where the server did not have it yet, and else that nobody knows', async () => {
    const lines = async (...answers: readonly Response[]) =>
      renderInterrupted((await interrupted(server(...answers).send)) as WriteInterrupted).join();
    expect(await lines(problem('request-not-found', 404))).toBe(
      'Interrupted before the server had the request, or it was refused: nothing was changed.',
    );
    expect(await lines(Response.json({ version: 9, events: [] }))).toBe('Interrupted. There was nothing to change (version 9).');
    expect(await lines(problem('internal', 500))).toContain('does not say whether the change was made');
    expect((await becameOf(write(), server().send, 300)).outcome).toEqual({ outcome: 'unknown' });
  });

  it('is asked of what waits only', async () => {
    const { send, asked } = server(Response.json({ version: 29, events: [] }));
    expect(await interrupted(send, write('disable'))).not.toBeInstanceOf(WriteInterrupted);
    expect(asked).toEqual([]);
    expect(['restart', 'relocate', 'disable', 'disable?wait=settled'].map((path) => waits(write(path)))).toEqual([true, true, false, true]);
  });
});
