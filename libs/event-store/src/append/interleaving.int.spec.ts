import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VersionConflict } from '../errors.js';
import type { AppendResult, ExpectedVersion } from '../event.js';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };

let database: ScratchDatabase;
let stores: readonly EventStore[];
let runs = 0;

beforeAll(async () => {
  database = await createScratchDatabase({ poolSize: 16 });
  stores = [new EventStore(database.pool), new EventStore(database.pool), new EventStore(database.pool)];
});

afterAll(async () => {
  for (const store of stores) await store.close();
  await database.drop();
});

interface Append {
  readonly store: number;
  readonly stream: number;
  readonly expected: ExpectedVersion;
  readonly data: readonly object[];
  /** Begins without waiting for the one before. */
  readonly together: boolean;
}

const appends = fc.array(
  fc.record<Append>({
    store: fc.nat(2),
    stream: fc.nat(2),
    expected: fc.oneof(fc.constant<ExpectedVersion>('any'), fc.constant<ExpectedVersion>('no-stream'), fc.nat(12)),
    data: fc.array(fc.dictionary(fc.string({ unit: 'binary' }).filter(storable), fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' })), {
      minLength: 1,
      maxLength: 4,
    }),
    together: fc.boolean(),
  }),
  { maxLength: 25 },
);

function storable(text: string): boolean {
  return !text.includes('\0') && text !== '__proto__';
}

describe('any interleaving of appends', () => {
  it('leaves gapless streams with an intact chain, holding exactly what was acknowledged', async () => {
    await fc.assert(
      fc.asyncProperty(appends, async (script) => {
        const run = ++runs;
        const streamId = (stream: number) => `run-${run}-${stream}`;
        const acknowledged: { append: Append; result: AppendResult }[] = [];
        const begun: Promise<void>[] = [];
        for (const append of script) {
          if (!append.together) await Promise.all(begun.splice(0));
          begun.push(
            perform(append, streamId(append.stream)).then((result) => {
              if (result !== undefined) acknowledged.push({ append, result });
            }),
          );
        }
        await Promise.all(begun);
        for (const stream of [0, 1, 2]) {
          const events = await reader().readStream(streamId(stream));
          const expected = acknowledged
            .filter(({ append }) => append.stream === stream)
            .toSorted((a, b) => a.result.firstVersion - b.result.firstVersion);
          expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
          expect(events.map(({ data }) => data)).toEqual(expected.flatMap(({ append }) => jsonOf(append.data)));
          expect(events.map(({ globalPosition }) => globalPosition)).toEqual(expected.flatMap(({ result }) => result.globalPositions));
          for (const { append, result } of expected) {
            expect(result.lastVersion - result.firstVersion + 1).toBe(append.data.length);
            if (append.expected !== 'any') expect(result.firstVersion - 1).toBe(append.expected === 'no-stream' ? 0 : append.expected);
          }
          expect(await reader().verifyChain({ streamId: streamId(stream) })).toMatchObject({ intact: true, events: events.length });
        }
      }),
      { numRuns: 40 },
    );
  });
});

function reader(): EventStore {
  const [store] = stores;
  if (store === undefined) throw new Error('the stores are made before all tests');
  return store;
}

async function perform(append: Append, streamId: string): Promise<AppendResult | undefined> {
  const events = append.data.map((data) => ({ type: 'Happened', data }));
  try {
    return await (stores[append.store] ?? reader()).append(streamId, append.expected, events, meta);
  } catch (error) {
    expect(error).toBeInstanceOf(VersionConflict);
    return undefined;
  }
}

/** -0 is written 0, as JSON has it. */
function jsonOf(data: readonly object[]): unknown[] {
  return data.map((each): unknown => JSON.parse(JSON.stringify(each)));
}
