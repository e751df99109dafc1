import { setTimeout as sleep } from 'node:timers/promises';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spawnApi, type ApiProcess } from '../testing/api-process.js';
import { ADMIN, CIB } from '../testing/api-under-test.js';

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Holds up whoever wants to keep an answer, between the commit of what was asked and the answer to it. */
const GATE = `
CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(4242);
  RETURN NEW;
END $$;
CREATE TRIGGER gate BEFORE UPDATE ON idempotency_keys FOR EACH ROW WHEN (NEW.status IS NOT NULL) EXECUTE FUNCTION wait_at_gate()`;
const WAITING_AT_GATE = `
SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE idempotency_keys%status = $4%'`;

/** Of clusters: the server's own tell of its starts, too. */
const EVENTS = `events WHERE stream_id NOT LIKE '%/%'`;

let database: ScratchDatabase;
let api: ApiProcess;
beforeAll(async () => {
  database = await createScratchDatabase();
  api = await start();
});
afterAll(async () => {
  await api.kill();
  await database.drop();
});

const start = (): Promise<ApiProcess> => spawnApi({ DATABASE_URL: database.url, SYSTOLE_ADMIN_TOKEN: ADMIN });

async function call(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Answer['json'] };
}

/** As a client does that was told to ask again in a moment. */
async function insist(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<Answer> {
  for (const until = Date.now() + 40_000; ;) {
    const answer = await call('POST', path, body, headers);
    if (answer.json['type'] !== 'https://systole.dev/problems/request-running' || Date.now() > until) return answer;
    await sleep(500);
  }
}

const count = async (table: string): Promise<number> =>
  Number((await database.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);

it('does what was asked once, and says what became of it, when the api is killed between commit and answer', async () => {
  const { id } = (await call('POST', '/v1/clusters', { name: 'first', cib: CIB })).json;
  const requests = [
    { path: `/v1/clusters/${String(id)}/nodes/n1/commands/confirm-down`, body: { reason: 'pulled the plug' } },
    { path: '/v1/clusters', body: { name: 'second', cib: CIB } },
    { path: '/v1/tokens', body: { role: 'viewer', name: 'watcher' } },
  ].map((request, index) => ({ ...request, headers: { 'idempotency-key': `killed-${String(index)}` } }));
  await database.pool.query(GATE);
  const gate = await database.pool.connect();
  await gate.query('SELECT pg_advisory_lock(4242)');
  const unanswered = requests.map(({ path, body, headers }) =>
    call('POST', path, body, headers).then(
      () => 'answered',
      () => 'lost',
    ),
  );
  await expect.poll(async () => (await database.pool.query(WAITING_AT_GATE)).rows.length, { timeout: 20_000 }).toBe(requests.length);
  await api.kill();
  expect(await Promise.all(unanswered)).toEqual(['lost', 'lost', 'lost']);
  await database.pool.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING_AT_GATE}) AS waiting`);
  await gate.query('SELECT pg_advisory_unlock(4242)');
  gate.release();
  const before = { events: await count(EVENTS), tokens: await count('tokens') };

  api = await start();
  const [confirmed, made, token] = await Promise.all(requests.map(({ path, body, headers }) => insist(path, body, headers)));
  expect(confirmed).toMatchObject({
    status: 200,
    json: { dryRun: false, version: 2, events: [{ type: 'NodeConfirmedDown', data: { node: 'n1', reason: 'pulled the plug' } }] },
  });
  expect(made).toMatchObject({ status: 201, json: { name: 'second', version: 1 } });
  expect(token).toMatchObject({ status: 409, json: { type: 'https://systole.dev/problems/token-made-before' } });
  const { items } = (await call('GET', '/v1/tokens')).json as { items: { id: string; name: string }[] };
  expect(items.filter(({ name }) => name === 'watcher').map((made_) => made_.id)).toEqual([token?.json['tokenId']]);
  expect({ events: await count(EVENTS), tokens: await count('tokens') }).toEqual(before);
}, 90_000);
