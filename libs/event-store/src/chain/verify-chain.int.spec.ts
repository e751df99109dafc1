import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };

let database: ScratchDatabase;
let store: EventStore;

beforeEach(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
  for (const stream of ['a', 'b', 'c']) {
    for (const step of [1, 2, 3, 4]) {
      await store.append(stream, 'any', [{ type: 'A', data: { step, amount: step / 8 }, subjects: ['db', `n${step}`] }], meta);
    }
  }
});

afterEach(async () => {
  await store.close();
  await database.drop();
});

/** What only a superuser, or the table's owner, can do; and what the chain is there to show. */
async function tamper(statement: string): Promise<void> {
  await database.pool.query(`BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; ${statement}; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`);
}

describe('verifyChain', () => {
  it('finds all streams, or one, as they were written', async () => {
    expect(await store.verifyChain()).toEqual({ intact: true, events: 12, streams: 3 });
    expect(await store.verifyChain({ streamId: 'b' })).toEqual({ intact: true, events: 4, streams: 1 });
    expect(await store.verifyChain({ streamId: 'none' })).toEqual({ intact: true, events: 0, streams: 0 });
  });

  it('finds what is written with escapes, other letters and numbers of all sizes as it was written', async () => {
    const texts = ['"', '\\', '\\u0041', '\n\t\b\f\r\u0001\u001f', '\u007f\u2028\u2029', 'é😀', '{}', '[,]', 'NULL', ' '];
    const numbers = [0, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 0.1 + 0.2, 100, 1.5];
    const named = Object.fromEntries(texts.map((text) => [text, { [text]: text }]));
    const data: object = {
      texts,
      numbers,
      named,
      deep: [[[{ b: [], a: {}, 10: 1, 9: 2 }]]],
      ...(JSON.parse('{"__proto__":{"x":1}}') as object),
    };
    const odd = { actor: texts.join(''), command: '"c"', correlationId: '\\', causationId: '😀"' };
    await store.append('a "b"', 'any', [{ type: 'Odd "type"', data, subjects: texts }], odd);
    expect(await store.verifyChain({ streamId: 'a "b"' })).toEqual({ intact: true, events: 1, streams: 1 });
    await tamper(`UPDATE events SET subjects[4] = 'x' WHERE stream_id = 'a "b"'`);
    expect(await store.verifyChain({ streamId: 'a "b"' })).toMatchObject({ intact: false, fault: 'changed-content' });
  });

  it.each([
    `data = data || '{"step": 9}'`,
    `subjects = '{db}'`,
    `subjects = '{n2,db}'`,
    `actor = 'mallory'`,
    `type = 'B'`,
    `command = 'other'`,
    `correlation_id = 'other'`,
    `causation_id = 'other'`,
    `schema_version = 2`,
    `occurred_at = occurred_at + interval '1 millisecond'`,
  ])('finds the event whose %s', async (change) => {
    await tamper(`UPDATE events SET ${change} WHERE stream_id = 'b' AND version = 2`);
    const verdict = { intact: false, events: 5, streamId: 'b', version: 2, fault: 'changed-content' };
    expect(await store.verifyChain()).toEqual(verdict);
    expect(await store.verifyChain({ streamId: 'b' })).toEqual({ ...verdict, events: 1 });
    expect(await store.verifyChain({ streamId: 'a' })).toMatchObject({ intact: true });
  });

  it('finds an event that was changed together with its hash', async () => {
    await tamper(`UPDATE events SET hash = sha256('x') WHERE stream_id = 'b' AND version = 4`);
    expect(await store.verifyChain()).toMatchObject({ streamId: 'b', version: 4, fault: 'changed-content' });
    await tamper(`UPDATE events SET prev_hash = sha256('x') WHERE stream_id = 'b' AND version = 3`);
    expect(await store.verifyChain()).toMatchObject({ streamId: 'b', version: 3, fault: 'broken-link' });
  });

  it('finds a removed event in the middle, and at the beginning', async () => {
    await tamper(`DELETE FROM events WHERE stream_id = 'b' AND version = 2`);
    expect(await store.verifyChain()).toMatchObject({ streamId: 'b', version: 2, fault: 'missing-version' });
    await tamper(`DELETE FROM events WHERE stream_id = 'a' AND version = 1`);
    expect(await store.verifyChain()).toMatchObject({ streamId: 'a', version: 1, fault: 'missing-version' });
  });

  it('finds a stream that was cut off, when its head is known', async () => {
    const head = await store.head('b');
    const knownHeads = [{ streamId: 'b', version: head?.version ?? 0, hash: head?.hash ?? '' }];
    await store.append('b', 'any', [{ type: 'Later', data: {} }], meta);
    expect(await store.verifyChain({ knownHeads })).toMatchObject({ intact: true });
    await tamper(`DELETE FROM events WHERE stream_id = 'b' AND version > 2`);
    expect(await store.verifyChain()).toMatchObject({ intact: true });
    expect(await store.verifyChain({ knownHeads })).toMatchObject({ intact: false, streamId: 'b', version: 4, fault: 'head-differs' });
  });

  it('finds a stream that was written anew, when its head is known', async () => {
    const head = await store.head('c');
    const knownHeads = [{ streamId: 'c', version: head?.version ?? 0, hash: head?.hash ?? '' }];
    await tamper(`DELETE FROM events WHERE stream_id = 'c'`);
    for (const step of [1, 2, 3, 4]) await store.append('c', 'any', [{ type: 'Forged', data: { step } }], meta);
    expect(await store.verifyChain()).toMatchObject({ intact: true });
    expect(await store.verifyChain({ streamId: 'c', knownHeads })).toMatchObject({ intact: false, version: 4, fault: 'head-differs' });
  });
});
