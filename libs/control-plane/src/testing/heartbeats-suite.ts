import { beforeEach, expect, it } from 'vitest';
import type { PortBench, PortsOfProcess } from './port-bench.js';

/** That processes are there. */
export function describeHeartbeats(bench: PortBench): void {
  let one: PortsOfProcess;
  let other: PortsOfProcess;
  beforeEach(() => {
    ({ one, other } = bench.now());
  });

  it('heartbeats count on, and from the start again after a silence', async () => {
    const apiId = crypto.randomUUID();
    const beats = async () => (await other.heartbeats.all()).find((api) => api.apiId === apiId)?.beats;
    const counted: (number | undefined)[] = [];
    for (const unbroken of [false, true, true, false, true]) {
      await one.heartbeats.beat(apiId, unbroken);
      counted.push(await beats());
    }
    expect(counted).toEqual([1, 2, 3, 1, 2]);
  });

  it('heartbeats say what keeps a process from storing events, as long as it does', async () => {
    const apiId = crypto.randomUUID();
    const heard = async () => (await other.heartbeats.all()).find((api) => api.apiId === apiId);
    await one.heartbeats.beat(apiId, false, 'the disk is full');
    expect(await heard()).toEqual({ apiId, beats: 1, trouble: 'the disk is full' });
    await one.heartbeats.beat(apiId, true);
    expect(await heard()).toEqual({ apiId, beats: 2 });
  });
}
