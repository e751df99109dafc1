import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventStore } from '../event-store.js';
import type { NewEvent } from '../event.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import type { EventFilter, StreamQuery } from './query-events.js';

const EVENTS = 6_000;

let database: ScratchDatabase;
let store: EventStore;

/** Resource `r<n mod 7>` on node `n<n mod 5>`; one in a thousand is of alice. */
function event(number: number): NewEvent {
  const data = { resource: `r${number % 7}`, node: `n${number % 5}` };
  return { type: number % 3 === 0 ? 'Moved' : 'Recorded', subjects: [data.resource, data.node], data };
}

const indexed = async (): Promise<number> =>
  Number(
    (await database.pool.query<{ version: string }>(`SELECT version FROM event_term_heads WHERE stream_id = 's'`)).rows[0]?.version ?? 0,
  );

beforeAll(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
  for (let first = 1; first <= EVENTS; first += 200) {
    const events = Array.from({ length: 200 }, (_, index) => event(first + index));
    const actor = first % 1_000 === 1 ? 'alice' : 'agent';
    await store.append('s', 'any', events, { actor, command: 'test', correlationId: `c-${Math.floor(first / 1_000)}` });
  }
  await vi.waitFor(async () => {
    expect(await indexed()).toBeGreaterThan(EVENTS - 500);
  }, 10_000);
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

/** What a query gives, page after page. */
async function paged(filter: EventFilter, direction: StreamQuery['direction'] = 'forward'): Promise<number[]> {
  const found: number[] = [];
  for (let after: number | undefined; ;) {
    const page = await store.query({
      streamId: 's',
      ...filter,
      direction,
      limit: 300,
      ...(after === undefined ? {} : { afterVersion: after }),
    });
    found.push(...page.map(({ version }) => version));
    const last = page.at(-1);
    if (last === undefined) return found;
    after = last.version;
  }
}

const versions = (fits: (number: number) => boolean): number[] => Array.from({ length: EVENTS }, (_, index) => index + 1).filter(fits);
const isAlices = (number: number): boolean => (Math.ceil(number / 200) - 1) % 5 === 0;

describe('what events are found by', () => {
  it.each<[string, EventFilter, (number: number) => boolean]>([
    ['one subject', { subjects: [{ anyOf: ['r3'] }] }, (number) => number % 7 === 3],
    ['one of several', { subjects: [{ anyOf: ['r3', 'n3'] }] }, (number) => number % 7 === 3 || number % 5 === 3],
    ['several, all of them', { subjects: [{ anyOf: ['r3'] }, { anyOf: ['n1'] }] }, (number) => number % 7 === 3 && number % 5 === 1],
    ['a correlation', { correlationId: 'c-2' }, (number) => Math.floor((Math.ceil(number / 200) * 200 - 199) / 1_000) === 2],
    ['a subject and an actor', { subjects: [{ anyOf: ['r0'] }], actor: 'alice' }, (number) => number % 7 === 0 && isAlices(number)],
    ['a subject and a type', { subject: 'n2', types: ['Moved'] }, (number) => number % 5 === 2 && number % 3 === 0],
    ['several types', { types: ['Moved', 'Recorded'] }, () => true],
    ['nothing that there is', { subjects: [{ anyOf: ['r3'] }, { anyOf: ['nowhere'] }] }, () => false],
  ])('is %s, oldest or newest first', async (_, filter, fits) => {
    const expected = versions(fits);
    expect(await paged(filter)).toEqual(expected);
    expect(await paged(filter, 'backward')).toEqual(expected.toReversed());
  });

  it('is a name in a field of what happened, where that is asked for', async () => {
    const named = (fields: readonly string[]): EventFilter => ({ subjects: [{ anyOf: ['r3'], named: { in: fields, orTypes: [] } }] });
    expect(await paged(named(['resource', 'device']))).toEqual(versions((number) => number % 7 === 3));
    expect(await paged(named(['node']))).toEqual([]);
  });

  it('is right while the index is behind, and after the log has lost its end and grown again', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('ALTER TABLE events DISABLE TRIGGER ALL');
      await client.query(`DELETE FROM events WHERE stream_id = 's' AND version > 5000`);
      await client.query('ALTER TABLE events ENABLE TRIGGER ALL');
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    const meta = { actor: 'agent', command: 'test', correlationId: 'after' };
    await store.append('s', 'any', [{ type: 'Other', subjects: ['new'], data: {} }], meta);
    const before = versions((number) => number % 7 === 3 && number <= 5_000);
    expect(await paged({ subject: 'r3' })).toEqual(before);
    expect(await paged({ subject: 'new' })).toEqual([5_001]);
    for (let more = 0; more < 3; more++) {
      await store.append(
        's',
        'any',
        Array.from({ length: 400 }, () => ({ type: 'Other', subjects: ['new'], data: {} })),
        meta,
      );
    }
    await expect.poll(indexed).toBeLessThanOrEqual(6_201);
    await expect.poll(indexed).toBeGreaterThan(5_700);
    expect(await paged({ subject: 'r3' })).toEqual(before);
    expect((await paged({ subject: 'new' })).length).toBe(1_201);
  });

  it('may be longer than an index takes', async () => {
    const long = `x${'y'.repeat(10_000)}`;
    const events = Array.from({ length: 600 }, () => ({ type: 'Long', subjects: [long], data: {} }));
    await store.append('long', 'any', events, { actor: 'agent', command: 'test', correlationId: 'z'.repeat(5_000) });
    await expect.poll(async () => (await database.pool.query(`SELECT FROM event_term_heads WHERE stream_id = 'long'`)).rowCount).toBe(1);
    expect(await store.query({ streamId: 'long', subject: long, limit: 5 })).toHaveLength(5);
  });
});
