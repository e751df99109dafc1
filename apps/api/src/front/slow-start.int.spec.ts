import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorsApi } from './operators-api.js';

/** How long a thread that serves may say nothing here, ms. */
const HANGS_AFTER_MS = 1_000;

/** A thread that does `first` in its first life, before it says that it serves. */
const thread = (first: string): string => `
import { parentPort, workerData } from 'node:worker_threads';
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
if (workerData.frontedAt.endsWith('-1.sock')) { ${first} }
parentPort.postMessage({ kind: 'ready' });
setInterval(() => parentPort.postMessage({ kind: 'alive' }), 100);
parentPort.on('message', ({ kind }) => { if (kind === 'close') process.exit(0); });
`;

describe('the thread that serves operators, at its start', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'front-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  async function start(first: string, startsWithinMs?: number): Promise<OperatorsApi> {
    const entry = join(directory, 'thread.mjs');
    await writeFile(entry, thread(first));
    const config = { databaseUrl: 'postgres://none', operatorsHangAfterMs: HANGS_AFTER_MS };
    return OperatorsApi.start(config, { error: () => undefined }, pathToFileURL(entry), startsWithinMs);
  }

  it('may load for longer than one that serves may say nothing', async () => {
    const operators = await start(`block(${3 * HANGS_AFTER_MS});`);
    await operators.ready();
    expect(operators.ends).toEqual({ broke: 0, hung: 0 });
    await operators.close();
  });

  it('is replaced when it hangs, and the server waits for the other one', async () => {
    const operators = await start('block();', HANGS_AFTER_MS);
    await operators.ready();
    expect(operators.isReady).toBe(true);
    expect(operators.ends).toEqual({ broke: 0, hung: 1 });
    await operators.close();
  });

  it('takes the server with it when it breaks: what breaks a start will break the next', async () => {
    const operators = await start('process.exit(1);');
    await expect(operators.ready()).rejects.toThrow('ended at its start');
    await operators.close();
  });
});
