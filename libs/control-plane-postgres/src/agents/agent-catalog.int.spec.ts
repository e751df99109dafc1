import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentCatalog } from './agent-catalog.js';

const WAITING = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

const agent = (type: string) => ({ class: 'ocf' as const, provider: 'p', type, digest: 'd'.repeat(64) });
const nodes = { all: ['n1'], cluster: ['n1'] };
const lock = (type: string): string => `SELECT FROM agent_descriptions WHERE type = '${type}' FOR UPDATE`;

it('tells once more what lost a deadlock', async () => {
  const catalog = new AgentCatalog(database.pool);
  await catalog.tell('c', 'n1', { classes: ['ocf'], agents: [agent('a'), agent('b')] }, nodes);
  for (const type of ['a', 'b'])
    expect(await catalog.describe('c', 'n1', { ...agent(type), incarnation: 1, problem: 'none' }, ['n1'])).toBe('described');
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    // The other side notices it much later.
    await other.query("SET deadlock_timeout = '60s'");
    await other.query('BEGIN');
    await other.query(lock('b'));
    const telling = catalog.tell('c', 'n1', { classes: ['ocf'], agents: [] }, nodes);
    while ((await database.pool.query(WAITING)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    // Of the two it holds the first by then.
    await other.query(lock('a'));
    await other.query('COMMIT');
    expect(await telling).toEqual([]);
    expect((await database.pool.query('SELECT FROM agent_descriptions')).rowCount).toBe(0);
  } finally {
    await other.end();
  }
});
