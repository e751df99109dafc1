import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresDispatchRecords } from './postgres-dispatch-records.js';

const INSERT =
  'INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload, delivered_at) VALUES ($1, $2, 1, 1, $3, $4, $5)';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

it('tells when actions were handed out and delivered, by their ids alone', async () => {
  const fence = JSON.stringify({ fence: { fencingId: 'f' } });
  await database.pool.query(INSERT, ['c', 'e:1:1', 'n1', '{}', new Date(5_000)]);
  await database.pool.query(INSERT, ['c', 'e:1:2:f', 'n1', fence, null]);
  await database.pool.query(INSERT, ['other', 'e:1:1', 'n1', '{}', null]);
  const times = await new PostgresDispatchRecords(database.pool).times('c', ['e:1:1', 'e:1:2:f', 'f']);
  expect([...times.keys()].sort()).toEqual(['e:1:1', 'e:1:2:f']);
  expect(times.get('e:1:1')?.deliveredAt).toBe(5_000);
  expect(times.get('e:1:2:f')).toEqual({ handedOutAt: expect.any(Number) as number });
});
