import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { OperatorsApi, OperatorsNotServed } from './operators-api.js';

/** A thread that does at its n-th start what the n-th of these says, and the last of them from then on. */
const threadThat = (...starts: readonly string[]): string => `
import { parentPort, workerData } from 'node:worker_threads';
const starts = ${JSON.stringify(starts)};
const number = Number(/operators-([0-9]+)/.exec(workerData.frontedAt)[1]);
const does = starts[Math.min(number, starts.length) - 1];
if (does === 'hang') for (;;);
if (does === 'break') throw new Error('no memory is left');
if (does === 'exit') process.exit(1);
if (does === 'load') { const until = performance.now() + 6_000; while (performance.now() < until); }
parentPort.postMessage({ kind: 'ready' });
setInterval(() => parentPort.postMessage({ kind: 'alive' }), 100);
parentPort.on('message', ({ kind }) => { if (kind === 'close') process.exit(0); });
`;

describe('the thread that serves operators, at its first start', () => {
  let operators: OperatorsApi | undefined;
  let directory = '';
  afterEach(async () => {
    await operators?.close();
    await rm(directory, { recursive: true });
  });

  async function begin(starts: readonly string[], { hangsAfterMs = 60_000, startsWithinMs = 120_000 } = {}): Promise<OperatorsApi> {
    directory = await mkdtemp(join(tmpdir(), 'operators-'));
    const entry = join(directory, 'thread.mjs');
    await writeFile(entry, threadThat(...starts));
    const config = { databaseUrl: 'postgres://none', operatorsHangAfterMs: hangsAfterMs };
    operators = await OperatorsApi.start(config, { error: () => undefined }, pathToFileURL(entry), startsWithinMs);
    return operators;
  }

  it('is waited for when one before it hung and was ended', { timeout: 60_000 }, async () => {
    const begun = await begin(['hang', 'hang', 'hang', 'serve'], { startsWithinMs: 2_500 });
    await begun.ready();
    expect(begun.isReady).toBe(true);
    expect(begun.ends).toEqual({ broke: 0, hung: 3 });
  });

  it('is waited for when one before it broke', { timeout: 60_000 }, async () => {
    const begun = await begin(['break', 'exit', 'serve']);
    await begun.ready();
    expect(begun.ends).toEqual({ broke: 2, hung: 0 });
  });

  it('is given up when it breaks again and again, and whoever waits learns of what', { timeout: 60_000 }, async () => {
    const begun = await begin(['break']);
    await expect(begun.ready()).rejects.toThrow(
      new OperatorsNotServed(
        'the thread that serves operators broke at each of 3 starts: no memory is left; look for "broke" in the log of the api',
      ),
    );
  });

  it('may load for longer than one that serves may say nothing', { timeout: 60_000 }, async () => {
    const begun = await begin(['load'], { hangsAfterMs: 2_500 });
    await begun.ready();
    expect(begun.ends).toEqual({ broke: 0, hung: 0 });
  });

  it('is waited for no longer when the api is closed', { timeout: 60_000 }, async () => {
    const begun = await begin(['hang']);
    const waiting = expect(begun.ready()).rejects.toThrow('closed before anybody served operators');
    await begun.close();
    await waiting;
  });
});
