import { beforeEach, describe, expect, it } from 'vitest';
import type { LeaseVerdict } from '@systole/cluster';
import type { ApiBeats } from '../ports/heartbeats.js';
import type { LeaseReading, NodeLease } from '../ports/node-leases.js';
import { LeaseWatch } from './lease-watch.js';

const LOOK_MS = 500;
const LEASE_MS = 5_000;
const HOUR_MS = 3_600_000;
/** A lease, what is learnt one look later, and the look itself. */
const SOON_MS = LEASE_MS + 3 * LOOK_MS;
const AGENT_PAUSE_MS = 5_000;

/** A world of two agents and an api, in which only the monotonic clock is sure to go on. */
class World {
  monotonic = 1_000;
  database = 1_700_000_000_000;
  apiUp = true;
  readonly alive = new Set(['n1', 'n2']);
  readonly lost: string[] = [];
  readonly vanished: string[] = [];
  readonly warnings: unknown[] = [];
  /** Another cluster, with leases that are over from the beginning, and what becomes of judging one of them. */
  other: { readonly nodes: readonly string[]; readonly judge: () => Promise<LeaseVerdict> } | undefined;
  /** The database that is read. */
  source = 'one';
  /** What was written since a reading is not told. */
  isDeaf = false;
  readInFull = 0;
  rollCall = { id: 'call-0', number: 0 };
  /** What its agent shows with each renewal; others show the newest roll call. */
  readonly shows = new Map<string, string | undefined>();
  private calls = 0;
  private readonly answered = new Map<string, string | undefined>();
  private readonly readings = new Map<string, ReadonlyMap<string, string>>();
  private readonly renewals = new Map<string, number>();
  private beats = 100;
  private readonly leased = new Set(['n1', 'n2']);
  private watch = this.newWatch();

  restartWorker(): void {
    this.watch = this.newWatch();
  }

  /** Time goes by, with a look each LOOK_MS. @returns the ms until a lease was lost, or undefined */
  async pass(ms: number): Promise<number | undefined> {
    const before = this.lost.length;
    for (let passed = 0; passed < ms;) {
      this.elapse(LOOK_MS);
      passed += LOOK_MS;
      await this.watch.look();
      // Leases are settled beside the looks.
      await new Promise(setImmediate);
      if (this.lost.length > before) return passed;
    }
    return undefined;
  }

  /** By a copy of a moment ago, between two looks. */
  replaceDatabase(): void {
    this.source = 'another';
    for (const [node, renewal] of this.renewals) this.renewals.set(node, renewal - 1);
  }

  /** Time goes by without a look: agents and apis go on. */
  elapse(ms: number): void {
    this.monotonic += ms;
    this.database += ms;
    if (!this.apiUp) return;
    this.beats += Math.ceil(ms / LOOK_MS);
    for (const node of this.alive) {
      this.renewals.set(node, (this.renewals.get(node) ?? 0) + 1);
      this.answered.set(node, this.shows.has(node) ? this.shows.get(node) : this.rollCall.id);
    }
  }

  isOver(node: string): boolean {
    return this.watch.isOver(this.leaseOf(node));
  }

  isHeard(node: string): boolean {
    return this.watch.isHeard(this.leaseOf(node));
  }

  overdueBeside(node: string): readonly string[] {
    return this.watch.overdueBeside(this.leaseOf(node));
  }

  get couldAllJoin(): boolean {
    return this.watch.couldAllJoin;
  }

  isHeld(node: string): boolean {
    return this.watch.isHeld(this.leaseOf(node));
  }

  /** Its row goes, and nobody says why. */
  emptyLease(node: string): void {
    this.leased.delete(node);
  }

  /** As an api that was frozen together with all else. */
  countBeatsAnew(): void {
    this.beats = 0;
  }

  private leaseOf(node: string, clusterId = 'c'): NodeLease {
    const time = new Date(this.database).toISOString();
    const renewal = clusterId === 'c' ? String(this.renewals.get(node) ?? 0) : '0';
    return {
      clusterId,
      node,
      incarnation: 1,
      leaseMs: LEASE_MS,
      expiresAt: time,
      renewedAt: time,
      renewal,
      answered: this.answered.get(node),
    };
  }

  private leases(): readonly NodeLease[] {
    const others = this.other?.nodes.map((node) => this.leaseOf(node, 'other')) ?? [];
    return [...others, ...[...this.leased].map((node) => this.leaseOf(node))];
  }

  /** All, or what was written since the reading before. */
  private read(mark: string | undefined): LeaseReading {
    const leases = this.leases();
    const before = mark === undefined ? undefined : this.readings.get(mark);
    const written = this.isDeaf ? [] : leases.filter(({ clusterId, node, renewal }) => before?.get(`${clusterId}/${node}`) !== renewal);
    const next = String(this.readings.size);
    this.readings.set(next, new Map(leases.map(({ clusterId, node, renewal }) => [`${clusterId}/${node}`, renewal])));
    if (before === undefined) this.readInFull += 1;
    return {
      leases: before === undefined ? leases : written,
      isComplete: before === undefined,
      count: leases.length,
      source: this.source,
      rollCall: this.rollCall,
      mark: next,
    };
  }

  private newWatch(): LeaseWatch {
    const note = (details: unknown): void => void this.warnings.push(details);
    return new LeaseWatch(
      {
        leases: {
          since: (mark) => Promise.resolve(this.read(mark)),
          callRoll: () => {
            this.calls += 1;
            this.rollCall = { id: `call-${String(this.calls)}`, number: this.rollCall.number + 1 };
            return Promise.resolve(this.rollCall);
          },
        },
        heartbeats: { all: () => Promise.resolve<readonly ApiBeats[]>([{ apiId: 'api', beats: this.beats }]) },
        databaseClock: { now: () => Promise.resolve(this.database) },
        clock: { monotonic: () => this.monotonic, timeOfDay: () => this.database, after: () => () => undefined },
      },
      {
        judge: ({ clusterId }) => (clusterId === 'c' || this.other === undefined ? Promise.resolve({ type: 'lost' }) : this.other.judge()),
        declareLost: ({ node }) => {
          this.lost.push(node);
          this.leased.delete(node);
          return Promise.resolve(true);
        },
        votesChanged: () => undefined,
        vanished: (clusterId) => this.vanished.push(clusterId),
      },
      LOOK_MS,
      { info: () => undefined, warn: note },
    );
  }
}

describe('the watch over leases', () => {
  let world: World;

  beforeEach(async () => {
    world = new World();
    await world.pass(60_000);
    expect(world.lost).toEqual([]);
  });

  it('says that a lease is held when it saw a renewal that is not older than the lease, and not because it began to look late', async () => {
    expect(world.isHeld('n1')).toBe(true);
    world.alive.delete('n1');
    world.restartWorker();
    expect(world.isHeld('n2')).toBe(false);
    await world.pass(2 * LOOK_MS);
    expect(world.isHeld('n1')).toBe(false);
    expect(world.isOver('n1')).toBe(false);
    expect(world.isHeld('n2')).toBe(true);
  });

  it.each([
    [
      'it began anew',
      (): void => {
        world.restartWorker();
      },
    ],
    [
      'it was frozen',
      (): void => {
        world.elapse(20_000);
      },
    ],
  ])('says that a node was heard of when it renewed its lease since %s, and of nobody before', async (_, breaks) => {
    expect([world.isHeard('n1'), world.isHeard('n2'), world.couldAllJoin]).toEqual([true, true, true]);
    world.alive.delete('n1');
    await world.pass(LOOK_MS);
    breaks();
    expect([world.isHeard('n1'), world.isHeard('n2'), world.couldAllJoin]).toEqual([false, false, false]);
    await world.pass(2 * LOOK_MS);
    expect([world.isHeard('n1'), world.isHeard('n2')]).toEqual([false, true]);
    world.alive.add('n1');
    await world.pass(LOOK_MS);
    expect(world.isHeard('n1')).toBe(true);
  });

  it('does not take a poll of before for an answer to the roll that it called when it began, though that renews the lease', async () => {
    world.shows.set('n1', world.rollCall.id);
    world.restartWorker();
    await world.pass(4 * LOOK_MS);
    expect([world.isHeard('n1'), world.isHeard('n2')]).toEqual([false, true]);
    expect(world.isHeld('n1')).toBe(true);
    world.shows.delete('n1');
    await world.pass(LOOK_MS);
    expect(world.isHeard('n1')).toBe(true);
    // What comes late afterwards takes nothing back.
    world.shows.set('n1', '');
    await world.pass(2 * LOOK_MS);
    expect(world.isHeard('n1')).toBe(true);
  });

  it('takes each renewal of an agent that knows of no roll calls for an answer', async () => {
    world.shows.set('n1', undefined);
    world.restartWorker();
    await world.pass(3 * LOOK_MS);
    expect(world.isHeard('n1')).toBe(true);
  });

  it('takes the answer to the roll that another worker called since for one to its own', async () => {
    world.alive.delete('n1');
    world.restartWorker();
    await world.pass(2 * LOOK_MS);
    world.rollCall = { id: 'of-another', number: world.rollCall.number + 1 };
    await world.pass(LOOK_MS);
    expect(world.isHeard('n1')).toBe(false);
    world.alive.add('n1');
    await world.pass(LOOK_MS);
    expect([world.isHeard('n1'), world.isHeard('n2')]).toEqual([true, true]);
  });

  it.each([
    ['a lower number', -1],
    ['the same number', 0],
  ])('begins anew when the newest roll call has %s and is another one: the database went back', async (_, step) => {
    world.alive.delete('n1');
    await world.pass(LOOK_MS);
    expect(world.isHeard('n1')).toBe(true);
    world.rollCall = { id: 'of-a-copy', number: world.rollCall.number + step };
    await world.pass(LOOK_MS);
    expect(world.isHeard('n1')).toBe(false);
  });

  it('says so of nobody either when another database has taken the place of the one before, between two looks of which none failed', async () => {
    world.alive.delete('n1');
    await world.pass(LOOK_MS);
    world.replaceDatabase();
    await world.pass(LOOK_MS);
    expect([world.isHeard('n1'), world.isHeard('n2'), world.couldAllJoin]).toEqual([false, false, false]);
    await world.pass(LOOK_MS);
    expect([world.isHeard('n1'), world.isHeard('n2')]).toEqual([false, true]);
    await world.pass(2 * AGENT_PAUSE_MS);
    expect(world.couldAllJoin).toBe(true);
  });

  it('says that all could join when some api was there for so long that the slowest agent has tried', async () => {
    world.apiUp = false;
    await world.pass(30_000);
    world.restartWorker();
    await world.pass(10_000);
    expect(world.couldAllJoin).toBe(false);
    world.apiUp = true;
    world.countBeatsAnew();
    await world.pass(AGENT_PAUSE_MS);
    expect(world.couldAllJoin).toBe(false);
    await world.pass(4 * LOOK_MS);
    expect(world.couldAllJoin).toBe(true);
    // Whoever could not join for a while then has left, or was lost, by the same database.
    world.apiUp = false;
    await world.pass(30_000);
    expect(world.couldAllJoin).toBe(true);
  });

  it('names the others of a cluster whose leases are overdue, and no longer those that are back', async () => {
    world.alive.delete('n2');
    await world.pass(LEASE_MS / 2 + 2 * LOOK_MS);
    expect(world.overdueBeside('n1')).toEqual(['n2']);
    expect(world.overdueBeside('n2')).toEqual([]);
    world.alive.add('n2');
    await world.pass(LOOK_MS);
    expect(world.overdueBeside('n1')).toEqual([]);
  });

  it('loses a node one lease after its last renewal, and no other', async () => {
    world.alive.delete('n1');
    expect(await world.pass(60_000)).toBeLessThanOrEqual(SOON_MS);
    expect(await world.pass(60_000)).toBeUndefined();
    expect(world.lost).toEqual(['n1']);
    expect(world.isOver('n2')).toBe(false);
  });

  it.each([-HOUR_MS, -300_000, HOUR_MS, 300_000])(
    'is not misled by a clock of the database that steps by %i ms before a node dies',
    async (stepMs) => {
      world.database += stepMs;
      expect(await world.pass(10_000)).toBeUndefined();
      world.alive.delete('n1');
      expect(await world.pass(2 * HOUR_MS)).toBeLessThanOrEqual(SOON_MS);
      expect(world.lost).toEqual(['n1']);
      expect(world.warnings).toEqual([{ stepMs: expect.closeTo(stepMs, -3) as number }]);
    },
  );

  it.each([-HOUR_MS, HOUR_MS])('is not misled by a clock that steps by %i ms after a node died', async (stepMs) => {
    world.alive.delete('n1');
    await world.pass(2_000);
    world.database += stepMs;
    expect(await world.pass(2 * HOUR_MS)).toBeLessThanOrEqual(SOON_MS + AGENT_PAUSE_MS);
    expect(world.lost).toEqual(['n1']);
  });

  it('that has just begun takes one lease to tell', async () => {
    world.alive.delete('n1');
    await world.pass(4_000);
    world.restartWorker();
    const after = await world.pass(60_000);
    expect(after).toBeGreaterThanOrEqual(LEASE_MS);
    expect(after).toBeLessThanOrEqual(SOON_MS);
  });

  it('that was frozen itself gives each agent a lease to be heard again', async () => {
    world.alive.delete('n1');
    world.elapse(30_000);
    const after = await world.pass(60_000);
    expect(after).toBeGreaterThanOrEqual(LEASE_MS);
    expect(after).toBeLessThanOrEqual(SOON_MS + LOOK_MS);
    expect(world.lost).toEqual(['n1']);
  });

  it('judges nothing while no api is up, and gives a lease and the pause of an agent afterwards', async () => {
    world.apiUp = false;
    world.alive.delete('n1');
    expect(await world.pass(60_000)).toBeUndefined();
    world.apiUp = true;
    const after = await world.pass(60_000);
    expect(after).toBeGreaterThanOrEqual(LEASE_MS + AGENT_PAUSE_MS);
    expect(world.lost).toEqual(['n1']);
  });

  it('loses nobody when the whole machine slept, which only the clock of the database shows', async () => {
    world.database += HOUR_MS;
    world.apiUp = false;
    expect(await world.pass(1_000)).toBeUndefined();
    world.apiUp = true;
    expect(await world.pass(60_000)).toBeUndefined();
  });

  it('gives agents their time after a silence that the api itself tells of', async () => {
    world.alive.delete('n1');
    await world.pass(4_000);
    world.countBeatsAnew();
    expect(await world.pass(60_000)).toBeGreaterThanOrEqual(LEASE_MS + AGENT_PAUSE_MS);
  });

  it('goes on for all other clusters when one can not be judged, and says so once for each of its leases', async () => {
    world.other = { nodes: ['o1', 'o2'], judge: () => Promise.reject(new Error('cluster other can not be read')) };
    await world.pass(60_000);
    world.alive.delete('n1');
    expect(await world.pass(60_000)).toBeLessThanOrEqual(SOON_MS);
    expect(world.lost).toEqual(['n1']);
    expect(world.warnings).toMatchObject([
      { clusterId: 'other', node: 'o1' },
      { clusterId: 'other', node: 'o2' },
    ]);
  });

  it('goes on for all other clusters while one takes long to judge', async () => {
    world.other = { nodes: ['o1'], judge: () => new Promise(() => undefined) };
    await world.pass(60_000);
    world.alive.delete('n1');
    expect(await world.pass(60_000)).toBeLessThanOrEqual(SOON_MS);
    expect(world.lost).toEqual(['n1']);
  });

  it('reads what was written since the look before, and all leases when one is over, and every now and then', async () => {
    world.readInFull = 0;
    await world.pass(20_000);
    expect(world.readInFull).toBeLessThanOrEqual(1);
    await world.pass(60_000);
    expect(world.readInFull).toBeLessThanOrEqual(3);
    world.alive.delete('n1');
    const before = world.readInFull;
    expect(await world.pass(60_000)).toBeLessThanOrEqual(SOON_MS);
    expect(world.readInFull).toBeGreaterThan(before);
  });

  it('loses nobody because a database does not tell what was written', async () => {
    world.isDeaf = true;
    expect(await world.pass(60_000)).toBeUndefined();
    world.alive.delete('n1');
    expect(await world.pass(60_000)).toBeLessThanOrEqual(2 * SOON_MS);
    expect(world.lost).toEqual(['n1']);
  });

  it('says once of which cluster a lease is gone, whoever took it away', async () => {
    world.emptyLease('n1');
    await world.pass(2 * LOOK_MS);
    expect(world.vanished).toEqual(['c']);
    expect(world.lost).toEqual([]);
  });
});
