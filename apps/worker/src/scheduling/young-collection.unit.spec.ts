import { setTimeout as sleep } from 'node:timers/promises';
import { garbageCollector } from '@systole/read-models/idle-memory';
import { describe, expect, it } from 'vitest';
import { YoungCollection } from './young-collection.js';

const MIB = 1024 * 1024;

describe('what a plan leaves behind', () => {
  it('is collected once after several plans, and not before all else had its turn', async () => {
    const collected: unknown[] = [];
    const collection = new YoungCollection(
      (options) => collected.push(options),
      () => 20 * MIB,
    );
    collection.due();
    collection.due();
    expect(collected).toEqual([]);
    await sleep(20);
    expect(collected).toEqual([{ type: 'minor' }]);
    collection.due();
    await sleep(20);
    expect(collected).toHaveLength(2);
  });

  it('stays while it is little', async () => {
    const collected: unknown[] = [];
    const collection = new YoungCollection(
      (options) => collected.push(options),
      () => MIB,
    );
    collection.due();
    await sleep(20);
    expect(collected).toEqual([]);
  });

  it('is gone from the young generation of the thread', async () => {
    const collect = garbageCollector();
    const collected: unknown[] = [];
    const collection = new YoungCollection((options) => {
      collect(options);
      collected.push(options);
    });
    let made: unknown[] = [];
    for (let round = 0; round < 100 && collected.length === 0; round++) {
      made = Array.from({ length: 50_000 }, (_, index) => ({ index }));
      collection.due();
      await sleep(2);
    }
    expect(made).toHaveLength(50_000);
    expect(collected).not.toEqual([]);
  });
});
