import { parseXml } from '@systole/cib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENDLESS_CIB } from '../testing/endless-cib.js';
import { CIB } from '../testing/api-under-test.js';
import { ComputingLane } from './computing-lane.js';
import type { Task } from './task.js';

const TASK_MS = 2_000;

describe('what a lane could not compute', () => {
  let lane: ComputingLane;
  beforeEach(() => {
    lane = new ComputingLane('tried', { places: { total: 8, each: 8 }, taskMs: TASK_MS, memoryMib: 2_048 });
  });
  afterEach(() => lane.close());

  const stays = new AbortController().signal;
  const endless = parseXml(ENDLESS_CIB);
  const compute = (owner: string, tree = endless, gone = stays): Promise<unknown> => {
    const task = (): Task => ({ kind: 'picture', cib: { format: 'told', key: 'c' }, now: 1_800_000_000 });
    return lane.compute({ owner, gone }, task, { key: 'c', tree, what: 'picture' });
  };
  const timeout = { status: 503, code: 'computation-timeout' };
  const again = { ...timeout, message: expect.stringContaining('nothing has changed since') as string };

  it('is not begun again at once for who asks for the same, nor for who asked before; others are served', { timeout: 30_000 }, async () => {
    const [first, second] = [compute('viewer'), compute('viewer')];
    await expect(first).rejects.toMatchObject(timeout);
    const start = performance.now();
    await expect(second).rejects.toMatchObject({ ...again, headers: { 'retry-after': expect.stringMatching(/^[12]$/) as string } });
    await expect(compute('viewer')).rejects.toMatchObject(again);
    expect(performance.now() - start).toBeLessThan(TASK_MS);
    // What has changed is another computation.
    await lane.compute({ owner: 'viewer', gone: stays }, () => ({ kind: 'xml', json: '{"element":"cib"}' }));
    await expect(compute('viewer', parseXml(CIB))).resolves.toBeDefined();
    await expect(compute('another')).rejects.not.toMatchObject(again);
  });

  it('is not begun again at once either where its caller went after a long while', { timeout: 30_000 }, async () => {
    await lane.compute({ owner: 'viewer', gone: stays }, () => ({ kind: 'xml', json: '{"element":"cib"}' }));
    await expect(compute('viewer', endless, AbortSignal.timeout(TASK_MS - 500))).rejects.toMatchObject({ code: 'caller-gone' });
    await expect(compute('viewer')).rejects.toMatchObject(again);
  });
});
