import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { differences, readWritten } from '../compare/environment/calls.js';
import { agentsDirectory, callsOf, clusterCib, environmentDirectory } from '../compare/environment/conduct.js';
import { reasonFor } from '../compare/environment/reasons.js';
import { systoleSide } from '../compare/systole-side.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

describe('the environment of resource agents', () => {
  it('has in each action and notification what Pacemaker gives them, but for what there is a reason for', async () => {
    const record = await mkdtemp(join(tmpdir(), 'systole-environment-'));
    cleanups.push(() => rm(record, { recursive: true, force: true }));
    const side = await systoleSide(await clusterCib(record), {}, [agentsDirectory]);
    cleanups.push(() => side.stop());
    const ours = await callsOf(side, record);
    const theirs = readWritten(await readFile(join(environmentDirectory, 'recorded.txt'), 'utf8'));
    const unexplained = differences(theirs, ours).filter((one) => reasonFor(one) === undefined);
    expect(unexplained).toEqual([]);
  }, 300_000);
});
