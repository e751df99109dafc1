import type { ApiBeats, NodeLease } from '@systole/read-models';
import { beforeEach, describe, expect, it } from 'vitest';
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
  readonly warnings: unknown[] = [];
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
      if (this.lost.length > before) return passed;
    }
    return undefined;
  }

  /** Time goes by without a look: agents and apis go on. */
  elapse(ms: number): void {
    this.monotonic += ms;
    this.database += ms;
    if (!this.apiUp) return;
    this.beats += Math.ceil(ms / LOOK_MS);
    for (const node of this.alive) this.renewals.set(node, (this.renewals.get(node) ?? 0) + 1);
  }

  isOver(node: string): boolean {
    return this.watch.isOver(this.leaseOf(node));
  }

  /** As an api that was frozen together with all else. */
  countBeatsAnew(): void {
    this.beats = 0;
  }

  private leaseOf(node: string): NodeLease {
    const time = new Date(this.database).toISOString();
    const renewal = String(this.renewals.get(node) ?? 0);
    return { clusterId: 'c', node, incarnation: 1, leaseMs: LEASE_MS, expiresAt: time, renewedAt: time, renewal };
  }

  private newWatch(): LeaseWatch {
    const note = (details: unknown): void => void this.warnings.push(details);
    return new LeaseWatch(
      {
        leases: { all: () => Promise.resolve([...this.leased].map((node) => this.leaseOf(node))) },
        heartbeats: { all: () => Promise.resolve<readonly ApiBeats[]>([{ apiId: 'api', beats: this.beats }]) },
        clock: { now: () => Promise.resolve(this.database) },
        monotonic: () => this.monotonic,
      },
      {
        judge: () => Promise.resolve({ type: 'lost' }),
        declareLost: ({ node }) => {
          this.lost.push(node);
          this.leased.delete(node);
          return Promise.resolve(true);
        },
        votesChanged: () => Promise.resolve(),
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
});
