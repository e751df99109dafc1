import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Timeline } from '../timeline.js';
import { Fencings } from './fencings.js';

const LEASE_MS = 6_000;
let shared = '';
let fencings: Fencings;

beforeEach(async () => {
  shared = await mkdtemp(join(tmpdir(), 'systole-fencings-'));
  fencings = new Fencings(shared, LEASE_MS, new Timeline(() => undefined));
});
afterEach(() => rm(shared, { recursive: true }));

/** What fence_chaos writes. */
const fence = (target: string, at = Date.now()): Promise<void> =>
  appendFile(join(shared, 'fencings'), `${at} begin ${target} n1\n${at + 200} end ${target} n1\n`);

describe('the judgement of fencings', () => {
  it('blames the fencing of a node to which nothing was done', async () => {
    fencings.excuse({ kind: 'power-cut', target: 'n2', ms: 1 });
    fencings.excuse({ kind: 'freeze', target: 'api-1', ms: 60_000 });
    await fence('n3');
    expect(fencings.look()).toEqual(['n3 was fenced though it was alive and reachable']);
    expect(fencings.look()).toEqual([]);
    expect(fencings.count).toBe(1);
  });

  it('accepts it while the node is cut off, and for a lease and some seconds more', async () => {
    const healed = fencings.excuse({ kind: 'partition', targets: ['n3'], direction: 'both', ms: 20_000 });
    await fence('n3');
    expect(fencings.look()).toEqual([]);
    healed();
    await fence('n3', Date.now() + LEASE_MS);
    expect(fencings.look()).toEqual([]);
    await fence('n3', Date.now() + LEASE_MS + 11_000);
    expect(fencings.look()).toHaveLength(1);
  });

  it('accepts it for longer after a node was switched off: it waits with those that were lost with it', async () => {
    fencings.excuse({ kind: 'power-cut', target: 'n3', ms: 1 })();
    await fence('n3', Date.now() + LEASE_MS + 19_000);
    expect(fencings.look()).toEqual([]);
    await fence('n3', Date.now() + LEASE_MS + 21_000);
    expect(fencings.look()).toHaveLength(1);
  });

  it('blames it before the fault', async () => {
    await fence('n3', Date.now() - 1_000);
    fencings.excuse({ kind: 'power-cut', target: 'n3', ms: 1 });
    expect(fencings.look()).toHaveLength(1);
  });
});
