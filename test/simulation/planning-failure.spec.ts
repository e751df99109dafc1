import type { Scheduling } from '@systole/control-plane';
import { MemoryDatabase } from '@systole/control-plane/memory';
import { PROTOCOL } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { MachineClock, Process } from './process.js';
import { SimulatedQueue } from './queue.js';
import { Random } from './random.js';
import { ApiProcess, SCHEDULING, workerIn, type Ground } from './server.js';
import { VirtualTime } from './virtual-time.js';

const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/></nodes><resources/><constraints/></configuration><status/></cib>';

describe('a cluster that can’t be planned', () => {
  it('is said to be stuck, is tried again ever less often, holds up no other, and goes on as soon as it can', async () => {
    const time = new VirtualTime();
    const random = new Random(3);
    const database = new MemoryDatabase(new MachineClock(time));
    const ground: Ground = {
      database,
      random,
      queue: new SimulatedQueue(time, random),
      report: { info: () => undefined, warn: () => undefined },
    };
    const spawn = (): Process => new Process(time, random, new MachineClock(time));
    const api = new ApiProcess(spawn(), ground);
    const tries: number[] = [];
    let broken = true;
    const scheduling: Scheduling = {
      ...SCHEDULING,
      schedule: (cluster, cib, now) => {
        if (!broken || cib.children.length === 0 || !JSON.stringify(cib).includes('"poisoned"'))
          return SCHEDULING.schedule(cluster, cib, now);
        tries.push(time.now);
        return Promise.reject(new Error('no plan for this'));
      },
    };
    const process = spawn();
    const worker = workerIn(process, ground, scheduling);
    ground.queue.consumers = [{ process, worker }];
    database.onAppended = (clusterId) => {
      worker.want(clusterId);
    };
    void api.start();
    worker.start();
    for (const id of ['sound', 'ill'])
      void api.operate(id, { type: 'create-cluster', name: id, cib: id === 'ill' ? CIB.replaceAll('n1', 'poisoned') : CIB });
    await time.runUntil(1_000);
    const join = async (clusterId: string, node: string): Promise<void> => {
      const caller = { clusterId, node, tokenId: 't', actor: `agent:${node}` };
      const joined = await api.sessions.join(caller, { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' }, 'test');
      if (!joined.ok) throw new Error(joined.rejection.message);
      const { incarnation } = joined.answer;
      for (let seq = 1; ; seq++) {
        await api.sessions.poll(caller, { incarnation, waitMs: 1_000, seq, known: [], active: [], watchdog: false }, [], 'test');
      }
    };
    void join('ill', 'poisoned');
    await time.runUntil(10_000);
    void join('sound', 'n1');
    // Events of the cluster do not make it be tried more often.
    for (let at = 20_000; at <= 200_000; at += 1_000) {
      time.after(at - time.now, () => {
        void api.operate('ill', { type: 'set-node-attribute', node: 'poisoned', name: 'a', value: String(at), lifetime: 'forever' });
      });
    }
    await time.runUntil(200_000);
    const planned = (id: string): boolean => database.eventsOf(id).some(({ event }) => event.type === 'TransitionPlanned');
    expect(planned('sound')).toBe(true);
    expect(planned('ill')).toBe(false);
    expect(await database.failures.all()).toMatchObject([{ clusterId: 'ill', reason: 'Error: no plan for this', tries: tries.length }]);
    const gaps = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(tries.length).toBeLessThan(10);
    expect(Math.max(...gaps)).toBeLessThan(65_000);
    expect(gaps.every((gap) => gap >= 2_000)).toBe(true);
    broken = false;
    await time.runUntil(270_000);
    expect(planned('ill')).toBe(true);
    expect(await database.failures.all()).toEqual([]);
  });
});
