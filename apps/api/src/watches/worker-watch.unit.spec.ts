import { parseXml } from '@systole/cib';
import { initialState, memberOf, type ClusterState } from '@systole/cluster';
import type { LeaseReading, NodeLease } from '@systole/control-plane';
import { describe, expect, it } from 'vitest';
import { WorkerWatch } from './worker-watch.js';

const LEASE_MS = 10_000;
const AT = '2027-01-15T08:00:00.000Z';

/** A watch that looks every second at what the test sets. */
function watched() {
  let now = 1_000;
  const tables = {
    beats: 1,
    renewal: 1,
    away: false,
    gone: false,
    others: [] as NodeLease[],
    rollCall: 'call-1',
    answered: undefined as string | undefined,
  };
  const lease = (): NodeLease => {
    const dates = { expiresAt: '2001-01-01T00:00:00.000Z', renewedAt: '2001-01-01T00:00:00.000Z' };
    return {
      clusterId: 'c',
      node: 'm1',
      incarnation: 1,
      leaseMs: LEASE_MS,
      ...dates,
      renewal: String(tables.renewal),
      answered: tables.answered,
    };
  };
  const read = <T>(rows: readonly T[]): Promise<readonly T[]> =>
    tables.away ? Promise.reject(new Error('the database is away')) : Promise.resolve(rows);
  const marks: (string | undefined)[] = [];
  const marked = new Map<string, number>();
  const since = async (mark: string | undefined): Promise<LeaseReading> => {
    const all = await read(tables.gone ? [] : [lease(), ...tables.others]);
    marks.push(mark);
    const next = `mark ${String(marks.length)}`;
    marked.set(next, tables.renewal);
    const before = mark === undefined ? undefined : marked.get(mark);
    const written = all.filter(({ node }) => node === 'm1' && before !== tables.renewal);
    const rollCall = { id: tables.rollCall, number: 1 };
    const isComplete = before === undefined;
    return { leases: isComplete ? all : written, isComplete, count: all.length, source: 'one', rollCall, mark: next };
  };
  const watch = new WorkerWatch({ all: () => read([{ apiId: 'w', beats: tables.beats }]) }, { since }, () => now);
  const pass = async (seconds: number, each: () => void = () => undefined): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      each();
      await watch.look().catch(() => undefined);
      now += 1_000;
    }
  };
  const freeze = (seconds: number): void => {
    now += seconds * 1_000;
  };
  return {
    watch,
    tables,
    /** What was shown to each reading of the leases; undefined: all were read. */
    marks,
    lease,
    pass,
    freeze,
    unheard: (state: ClusterState) => watch.unheard(state, [lease()]).map(({ node }) => node),
    lapsed: (state: ClusterState) => watch.lapsed(state, [lease()], Date.parse(AT)),
    waits: (state: ClusterState) => watch.waits(state, [lease()], Date.parse(AT)),
  };
}

function joined(options: string): ClusterState {
  const set = `<cluster_property_set id="o">${options}</cluster_property_set>`;
  const cib = parseXml(`<cib><configuration><crm_config>${set}</crm_config><nodes/><resources/></configuration><status/></cib>`);
  const m1 = { id: '1', name: 'm1', membership: 'joined', incarnation: 1, leaseMs: LEASE_MS, agentVersion: '1', since: AT } as const;
  return { ...initialState(), cib, nodes: { m1: { ...m1, shutdownRequested: false } } };
}

describe('the watch over the workers', () => {
  it('hears a worker that beats, also one that counts from the start again', async () => {
    const { watch, tables, pass } = watched();
    await pass(60, () => (tables.beats += 2));
    expect(watch.silentForMs()).toBeUndefined();
    tables.beats = 1;
    await pass(1);
    expect(watch.silenceMs()).toBe(1_000);
  });

  it('tells of silence, from the first look on, and no more when a worker is heard', async () => {
    const { watch, tables, pass } = watched();
    await pass(15);
    expect(watch.silentForMs()).toBeUndefined();
    await pass(45);
    expect(watch.silentForMs()).toBe(60_000);
    tables.beats += 1;
    await pass(1);
    expect(watch.silentForMs()).toBeUndefined();
  });

  it('says nothing of a time when it could not look itself', async () => {
    const { watch, tables, pass, freeze } = watched();
    await pass(20);
    freeze(60);
    expect(watch.silentForMs()).toBeUndefined();
    await pass(10);
    expect(watch.silentForMs()).toBeUndefined();
    tables.away = true;
    await pass(30);
    expect([watch.silentForMs(), watch.longestOverMs()]).toEqual([undefined, 0]);
    tables.away = false;
    await pass(16);
    expect(watch.silentForMs()).toBe(16_000);
  });

  it('tells of a lease that ran out and that nobody declared lost, whatever its dates say', async () => {
    const { watch, tables, pass, lapsed } = watched();
    const state = joined('<nvpair id="s" name="stonith-enabled" value="true"/>');
    await pass(60, () => (tables.renewal += 1));
    expect([lapsed(state), watch.longestOverMs()]).toEqual([[], 0]);
    await pass(23);
    expect(lapsed(state)).toEqual([]);
    await pass(2);
    expect(lapsed(state)).toEqual([{ node: 'm1', forMs: 16_000 }]);
    expect(watch.longestOverMs()).toBe(15_000);
    expect(lapsed({ ...state, nodes: {} })).toEqual([]);
  });

  it('tells for how long a node without fencing is waited for, from the end of its lease on, or from when its machine was started again', async () => {
    const { tables, pass, waits } = watched();
    const state = joined('<nvpair id="s" name="stonith-enabled" value="false"/>');
    const member = memberOf(state, 'm1');
    if (member === undefined) throw new Error('no m1');
    const refusedJoin = { bootId: 'b2', at: AT, version: 3 };
    const restarted = { ...state, nodes: { m1: { ...member, refusedJoin } } };
    await pass(5, () => (tables.renewal += 1));
    expect(waits(state)).toEqual([]);
    expect(waits(restarted)).toEqual([{ node: 'm1', forMs: 29_000, restarted: true }]);
    await pass(9);
    expect(waits(state)).toEqual([{ node: 'm1', forMs: 20_000, restarted: false }]);
    expect(waits(restarted)).toEqual([{ node: 'm1', forMs: 20_000, restarted: true }]);
    const second = { ...state, nodes: { m1: { ...member, refusedJoin, secondBoots: ['b2'] } } };
    expect(waits(second)).toEqual([{ node: 'm1', forMs: 20_000, restarted: false }]);
    const fenced = joined('<nvpair id="s" name="stonith-enabled" value="true"/>');
    expect(waits({ ...fenced, nodes: restarted.nodes })).toEqual([]);
    await pass(20);
    expect(waits(state)).toEqual([]);
  });

  it('tells how many leases there are, and how much is left of the one that is the nearest to its end', async () => {
    const { watch, tables, lease, pass } = watched();
    expect([watch.leaseCount, watch.leastLeftMs()]).toEqual([0, undefined]);
    tables.others = [{ ...lease(), node: 'm2', leaseMs: 60_000 }];
    await pass(5, () => (tables.renewal += 1));
    expect([watch.leaseCount, watch.leastLeftMs()]).toEqual([2, lease().leaseMs]);
    await pass(4);
    expect(watch.leastLeftMs()).toBe(lease().leaseMs - 4_000);
    tables.gone = true;
    await pass(2);
    expect([watch.leaseCount, watch.leastLeftMs()]).toEqual([0, undefined]);
    tables.away = true;
    await pass(10);
    expect(watch.leastLeftMs()).toBeUndefined();
  });

  it('reads what was written since the look before, and all leases every half minute', async () => {
    const { watch, tables, marks, pass } = watched();
    await pass(60, () => (tables.renewal += 1));
    expect(marks.flatMap((mark, look) => (mark === undefined ? [look] : []))).toEqual([0, 30]);
    expect(marks.slice(1, 4)).toEqual(['mark 1', 'mark 2', 'mark 3']);
    expect(watch.longestOverMs()).toBe(0);
  });

  it('reads all leases when some are gone, after a time without a look, and before it says that one is over', async () => {
    const { watch, tables, marks, pass, freeze, lease } = watched();
    const readAll = (): number => marks.filter((mark) => mark === undefined).length;
    tables.others = [{ ...lease(), node: 'm2' }];
    await pass(5, () => (tables.renewal += 1));
    expect(readAll()).toBe(1);
    tables.others = [];
    await pass(3, () => (tables.renewal += 1));
    expect(readAll()).toBe(2);
    freeze(10);
    await pass(3, () => (tables.renewal += 1));
    expect(readAll()).toBe(3);
    tables.away = true;
    await pass(3);
    tables.away = false;
    await pass(3, () => (tables.renewal += 1));
    expect([readAll(), watch.longestOverMs()]).toEqual([3, 0]);
    await pass(15);
    expect([readAll(), watch.longestOverMs()]).toEqual([4, 5_000]);
  });

  it('forgets a lease that was ended', async () => {
    const { watch, tables, pass } = watched();
    await pass(15);
    expect(watch.longestOverMs()).toBeGreaterThan(0);
    tables.gone = true;
    await pass(1);
    expect(watch.longestOverMs()).toBe(0);
  });

  it('names who has not answered the newest roll call in time, and nobody who knows of none', async () => {
    const { tables, pass, unheard, freeze } = watched();
    const state = joined('');
    tables.answered = 'call-1';
    await pass(5);
    expect(unheard(state)).toEqual([]);
    tables.rollCall = 'call-2';
    await pass(2);
    expect(unheard(state)).toEqual([]);
    await pass(3);
    expect(unheard(state)).toEqual(['m1']);
    tables.answered = undefined;
    expect(unheard(state)).toEqual([]);
    tables.answered = '';
    expect(unheard(state)).toEqual(['m1']);
    freeze(60);
    expect(unheard(state)).toEqual([]);
    await pass(1);
    tables.answered = 'call-2';
    expect(unheard(state)).toEqual([]);
  });

  it('waits for the margin where fencing is off', async () => {
    const { pass, lapsed } = watched();
    const state = joined('<nvpair id="s" name="stonith-enabled" value="false"/><nvpair id="m" name="systole-down-margin" value="40s"/>');
    await pass(64);
    expect(lapsed(state)).toEqual([]);
    await pass(2);
    expect(lapsed(state)).toEqual([{ node: 'm1', forMs: 56_000 }]);
  });
});
