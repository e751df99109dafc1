import { type ClusterCommand } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import { ClusterCommands } from './cluster-commands.js';
import type { ExecuteOptions, ExecuteResult } from './command-results.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const MINUTE = 60_000;
const by = { actor: 'admin', correlationId: 'r' };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0 };
const ticket = (granted: boolean): ClusterCommand => ({ type: 'change-ticket', ticket: 'siteA', granted });

describe('a command of an operator that is carried out late, by a server that stood still with it', () => {
  let passed: number;
  /** By which the clock of the database is elsewhere than that of the servers. */
  let stepped: number;
  let database: MemoryDatabase;
  let frozen: ClusterCommands;
  let other: ClusterCommands;
  let gate: Promise<void>;
  let thaw: () => void;
  let place: 'before' | 'after';
  const clockOf = (ahead: () => number): Clock => ({
    timeOfDay: () => 1_800_000_000_000 + passed + ahead(),
    monotonic: () => passed,
    after: (_, run) => {
      queueMicrotask(run);
      return () => undefined;
    },
  });

  /** With what the request was received by, as an api notes it. */
  const ask = (on: ClusterCommands, granted: boolean, options: Partial<ExecuteOptions> = {}): Promise<ExecuteResult> =>
    on.execute(CLUSTER, ticket(granted), { ...by, received: { at: passed, databaseAt: 1_800_000_000_000 + passed + stepped }, ...options });
  const said = (): readonly boolean[] =>
    database
      .eventsOf(CLUSTER)
      .flatMap(({ event }) => (event.type === 'TicketChanged' && event.data.granted !== undefined ? [event.data.granted] : []));

  beforeEach(async () => {
    passed = 0;
    stepped = 0;
    gate = Promise.resolve();
    place = 'before';
    const clock = clockOf(() => 0);
    database = new MemoryDatabase(clockOf(() => stepped));
    const log = database.openLog();
    const held: ClusterLog = Object.assign(Object.create(log) as ClusterLog, {
      load: async (clusterId: string) => {
        if (place === 'before') await gate;
        const state = await log.load(clusterId);
        if (place === 'after') await gate;
        return state;
      },
    });
    frozen = new ClusterCommands({ log: held, clock, chance });
    other = new ClusterCommands({ log: database.openLog(), clock, chance });
    await other.execute(CLUSTER, { type: 'create-cluster', name: 'c' }, by);
  });
  const freeze = (): void => {
    gate = new Promise((resolve) => (thaw = resolve));
  };

  it('is not carried out, after what was asked for elsewhere since', async () => {
    freeze();
    const late = ask(frozen, true);
    await ask(other, true);
    await ask(other, false);
    passed += MINUTE;
    thaw();
    await expect(late).rejects.toMatchObject({ name: 'CarriedOutLate' });
    expect(said()).toEqual([true, false]);
  });

  it('is not either where the clock of the server stood still with it', async () => {
    freeze();
    const late = ask(frozen, true);
    stepped += MINUTE;
    thaw();
    await expect(late).rejects.toMatchObject({ name: 'CarriedOutLate' });
    expect(said()).toEqual([]);
  });

  it('is carried out where only the dates of events are ahead, as the clock of the database went back', async () => {
    stepped = MINUTE;
    await ask(other, true);
    stepped = 0;
    expect(await ask(frozen, false)).toMatchObject({ ok: true });
    expect(said()).toEqual([true, false]);
  });

  it('is carried out within 30 s, and whenever it is where nobody waits for it', async () => {
    freeze();
    const slow = ask(frozen, true);
    passed += 29_000;
    thaw();
    expect(await slow).toMatchObject({ ok: true });
    freeze();
    const own = frozen.execute(CLUSTER, ticket(false), by);
    passed += MINUTE;
    thaw();
    expect(await own).toMatchObject({ ok: true });
    expect(said()).toEqual([true, false]);
  });

  it.each(['before', 'after'] as const)(
    'is done once where its key was taken over by another server (it stood still %s it read the state)',
    async (at) => {
      place = at;
      const id = crypto.randomUUID();
      freeze();
      const late = ask(frozen, true, { request: { id, repeated: false } });
      // Until it stands still.
      await new Promise(setImmediate);
      passed += 20_000;
      const done = await ask(other, true, { request: { id, repeated: true } });
      await ask(other, false);
      thaw();
      expect(await late).toEqual(done);
      expect(said()).toEqual([true, false]);
    },
  );
});
