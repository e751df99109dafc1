import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Collector } from './collector.js';
import { Redaction, REMOVED } from './redaction.js';
import { StagedFiles } from './staged-files.js';

const problem = { type: 'https://systole.dev/problems/x', title: 'x', status: 500, detail: 'broke at password=geheim1', instance: '/x' };
const answered = <T>(data: T): { data: T; response: Response } => ({ data, response: new Response() });
const refused = (status: number, headers = {}): { error: unknown; response: Response } => ({
  error: { ...problem, status },
  response: new Response(undefined, { status, headers }),
});

describe('what is collected for a report', () => {
  let staged: StagedFiles;
  let collector: Collector;
  let interrupted: AbortController;
  beforeEach(async () => {
    staged = await StagedFiles.open('r');
    interrupted = new AbortController();
    collector = new Collector(staged, new Redaction(), interrupted.signal);
  });
  afterEach(() => staged.close());

  const written = (path: string): Promise<string | undefined> => readFile(join(staged.directory, 'r', path), 'utf8').catch(() => undefined);

  it('goes on where something can not be had, and notes why, without secrets', async () => {
    expect(await collector.document('a.json', 'a', () => Promise.resolve(refused(500)))).toBeUndefined();
    expect(await collector.text('b.txt', 'b', () => Promise.reject(new Error('no connection')))).toBeUndefined();
    expect(await collector.document('c.json', 'c', () => Promise.resolve(answered({ n: 1 })))).toEqual({ n: 1 });
    expect(collector.files.map(({ path }) => path)).toEqual(['c.json']);
    expect(collector.missing).toEqual([
      { path: 'a.json', what: 'a', status: 500, type: problem.type, detail: `broke at password=${REMOVED}` },
      { path: 'b.txt', what: 'b', detail: 'no connection' },
    ]);
  });

  it('takes what says that a server is not ready for what it is: an answer', async () => {
    expect(await collector.document('health.json', 'h', () => Promise.resolve(refused(503)), 503)).toMatchObject({ status: 503 });
    expect(await written('health.json')).toContain('"status": 503');
  });

  it('waits where the server wants to be asked less often', async () => {
    const answers = [refused(429, { 'retry-after': '0.01' }), answered({ n: 1 })];
    expect(await collector.document('a.json', 'a', () => Promise.resolve(answers.shift() ?? answered({ n: 2 })))).toEqual({ n: 1 });
  });

  it('keeps the beginning of a list whose end can not be had', async () => {
    const seen: number[] = [];
    await collector.list<{ n: number }>('l.ndjson', 'a list', {
      most: 10,
      read: ({ cursor }) => Promise.resolve(cursor === undefined ? answered({ items: [{ n: 1 }, { n: 2 }], next: 'x' }) : refused(500)),
      each: ({ n }) => seen.push(n),
    });
    expect([await written('l.ndjson'), seen]).toEqual(['{"n":1}\n{"n":2}\n', [1, 2]]);
    expect(collector.files).toMatchObject([{ path: 'l.ndjson', items: 2, isCut: true }]);
    expect(collector.missing).toMatchObject([{ path: 'l.ndjson', what: 'a list: what follows item 2', status: 500 }]);
  });

  it('ends when it is interrupted, instead of noting one part after the other as missing', async () => {
    const asked = collector.document('a.json', 'a', () => {
      interrupted.abort();
      return Promise.reject(new Error('aborted'));
    });
    await expect(asked).rejects.toThrow('aborted');
    expect(collector.missing).toEqual([]);
  });
});
