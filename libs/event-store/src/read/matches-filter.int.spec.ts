import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import type { RecordedEvent } from '../event.js';
import { matchesFilter } from './matches-filter.js';
import type { EventFilter } from './query-events.js';

const NAMES = ['db', 'web', 'n1', 'db:0'];
const TYPES = ['A', 'B', 'ConfigurationChanged'];
const WORDS = ['replace', 'the', 'disk', 'Replace', 'disks'];

const optional = <Name extends string, T>(name: Name, values: fc.Arbitrary<T>): fc.Arbitrary<Partial<Record<Name, T>>> =>
  fc.option(values, { nil: undefined }).map((value) => (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, T>>);

const some = (of: readonly string[]): fc.Arbitrary<string[]> => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 2 });

const EVENT = fc.record({
  type: fc.constantFrom(...TYPES),
  subjects: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
  actor: fc.constantFrom('alice', 'worker'),
  command: fc.constantFrom('move', 'ban'),
  correlationId: fc.constantFrom('r1', 'r2'),
  data: fc
    .tuple(
      optional('resource', fc.constantFrom(...NAMES)),
      optional('node', fc.constantFrom(...NAMES)),
      optional(
        'reason',
        fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
      ),
    )
    .map((parts) => Object.assign({}, ...parts) as object),
});

const SUBJECT = fc
  .record({ anyOf: some(NAMES) })
  .chain((subject) =>
    fc
      .option(fc.record({ in: some(['resource', 'node']), orTypes: fc.constant(['ConfigurationChanged']) }), { nil: undefined })
      .map((named) => (named === undefined ? subject : { ...subject, named })),
  );

const FILTER: fc.Arbitrary<EventFilter> = fc
  .tuple(
    optional('types', some(TYPES)),
    optional('subjects', fc.array(SUBJECT, { minLength: 1, maxLength: 2 })),
    optional('actor', fc.constantFrom('alice', 'worker')),
    optional('command', fc.constantFrom('move', 'ban')),
    optional('correlationId', fc.constantFrom('r1', 'r2')),
    optional(
      'words',
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as EventFilter);

describe('a filter', () => {
  let database: ScratchDatabase;
  let store: EventStore;
  let all: readonly RecordedEvent[];

  beforeAll(async () => {
    database = await createScratchDatabase();
    store = new EventStore(database.pool);
    for (const { actor, command, correlationId, ...event } of fc.sample(EVENT, 150))
      await store.append('c1', 'any', [event], { actor, command, correlationId });
    all = await store.readStream('c1');
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it('lets through at hand what it finds in the database', async () => {
    await fc.assert(
      fc.asyncProperty(FILTER, async (filter) => {
        const found = await store.query({ streamId: 'c1', limit: 1_000, ...filter });
        expect(all.filter((event) => matchesFilter(event, filter)).map(({ version }) => version)).toEqual(
          found.map(({ version }) => version),
        );
      }),
      { numRuns: 150 },
    );
  });
});
