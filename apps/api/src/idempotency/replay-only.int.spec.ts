import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

const MALFORMED = 'https://systole.dev/problems/malformed-header';

describe('who asks only what became of a request (Idempotency-Replay-Only)', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('asked', CIB);
  });
  afterAll(() => under.close());

  const stopAll = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    under.call('POST', '/v1/clusters/asked/commands/stop-all', { body: {}, headers });

  const version = async (): Promise<unknown> => (await under.call('GET', '/v1/clusters/asked')).json['version'];

  /** Everything that was ever written, of clusters and of the server itself. */
  const written = async (): Promise<unknown> => {
    const { rows } = await under.database.pool.query<object>(
      `SELECT (SELECT count(*) FROM events WHERE stream_id NOT LIKE '%/%') AS events, (SELECT count(*) FROM tokens) AS tokens,
        (SELECT count(*) FROM webhooks) AS webhooks, (SELECT count(*) FROM idempotency_keys) AS keys`,
    );
    return rows[0];
  };

  /** All operations by which operators write, with paths that can be asked for. */
  const writes = async (): Promise<readonly { readonly method: string; readonly path: string }[]> => {
    const { paths } = (await under.call('GET', '/openapi.json')).json as { paths: Record<string, Record<string, Operation>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
        parameters.some(({ name }) => name === 'Idempotency-Replay-Only')
          ? [{ method: method.toUpperCase(), path: path.replace('{cluster}', 'asked').replaceAll(/\{\w+\}/g, '1') }]
          : [],
      ),
    );
  };

  it('is refused without an Idempotency-Key, on every route by which operators write', async () => {
    const [operations, before] = [await writes(), await written()];
    expect(operations.length).toBeGreaterThan(60);
    const done: string[] = [];
    for (const { method, path } of operations) {
      const { status, json } = await under.call(method, path, {
        body: {},
        headers: { 'idempotency-replay-only': 'true', 'if-match': '*' },
      });
      if (status !== 400 || json['type'] !== MALFORMED) done.push(`${method} ${path}: ${String(status)} ${String(json['type'])}`);
    }
    expect(done).toEqual([]);
    expect(await written()).toEqual(before);
  });

  it.each(['TRUE', 'True', '1', 'yes', 'false', '', 'true, true', 'true,false', '"true"'])('is refused when it says %j', async (value) => {
    const before = await version();
    for (const key of [{}, { 'idempotency-key': 'spelled' }]) {
      expect(await stopAll({ 'idempotency-replay-only': value, ...key })).toMatchObject({
        status: 400,
        json: { type: MALFORMED, errors: [{ header: 'Idempotency-Replay-Only' }] },
      });
    }
    expect(await version()).toBe(before);
  });

  it('is told that nothing was done, also of a request that came and was refused', async () => {
    const key = { 'idempotency-key': 'refused' };
    expect((await stopAll({ ...key, 'if-match': '"999"' })).status).toBe(412);
    const { status, json } = await stopAll({ ...key, 'if-match': '"999"', 'idempotency-replay-only': 'true' });
    expect({ status, detail: json['detail'] }).toEqual({
      status: 404,
      detail: 'no request with this Idempotency-Key was done: none has come, or it was refused, or that is more than 24 hours ago',
    });
  });

  it('is told that nobody knows, and nothing is done, where an earlier attempt ended without saying how', async () => {
    const before = (await stopAll({ 'idempotency-key': 'answered' })).json['version'];
    // What a process leaves that dies before it has written anything: a key that nobody renews.
    await under.database.pool.query(
      `INSERT INTO idempotency_keys (token_id, key, request_sha256, locked_at)
       SELECT token_id, 'broke', request_sha256, now() - interval '1 minute' FROM idempotency_keys WHERE key = 'answered'`,
    );
    await under.call('POST', '/v1/clusters/asked/commands/start-all', { body: {} });
    const asked = (): Promise<Answer> => stopAll({ 'idempotency-key': 'broke', 'idempotency-replay-only': 'true' });
    const unknown = { status: 409, json: { type: 'https://systole.dev/problems/request-outcome-unknown' } };
    const started = await version();
    expect(started).not.toBe(before);
    expect(await asked()).toMatchObject(unknown);
    expect(await asked()).toMatchObject(unknown);
    expect(await version()).toBe(started);
    // The request itself looks for what was done.
    expect(await stopAll({ 'idempotency-key': 'broke' })).toMatchObject({ status: 200, json: { events: [{}] } });
    expect(await asked()).toMatchObject({ status: 200, json: { events: [{}] } });
  });
});
