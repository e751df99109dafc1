import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('a request with an Idempotency-Key whose first attempt was done, and ended without an answer', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());

  /** As a process leaves it that dies between commit and answer: a key that nobody renews. */
  const diedUnanswered = async (key: string): Promise<void> => {
    const { rowCount } = await under.database.pool.query(
      `UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, locked_at = now() - interval '1 minute' WHERE key = $1`,
      [key],
    );
    expect(rowCount).toBe(1);
  };

  it('deletes no other cluster that has the name by now, however often it comes', async () => {
    const key = { 'idempotency-key': 'delete-reused' };
    const remove = (more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      under.call('DELETE', '/v1/clusters/reused', { headers: { ...key, ...more } });
    await under.cluster('reused', CIB);
    expect((await remove()).status).toBe(200);
    await diedUnanswered('delete-reused');
    expect((await remove()).status).toBe(404);
    expect(await remove({ 'idempotency-replay-only': 'true' })).toMatchObject({
      status: 409,
      json: { type: 'https://systole.dev/problems/request-outcome-unknown' },
    });
    const { json: made } = await under.call('POST', '/v1/clusters', { body: { name: 'reused', cib: CIB } });
    expect(await remove()).toMatchObject({ status: 422, json: { type: 'https://systole.dev/problems/idempotency-key-reused' } });
    expect((await under.call('GET', '/v1/clusters/reused')).json).toMatchObject({ id: made['id'] });
  });

  it('is found done though it was to be weighed first, at a version that is over', async () => {
    await under.cluster('weighed', CIB);
    const version = async (): Promise<unknown> => (await under.call('GET', '/v1/clusters/weighed')).json['version'];
    const { headers } = await under.call('GET', '/v1/clusters/weighed/configuration/resources/web');
    const disable = (): Promise<Answer> =>
      under.call('POST', '/v1/clusters/weighed/resources/web/commands/disable?safe=true', {
        body: {},
        headers: { 'idempotency-key': 'weighed', 'if-match': String(headers.get('etag')) },
      });
    const first = await disable();
    expect(first.status).toBe(200);
    const after = await version();
    await diedUnanswered('weighed');
    expect(await disable()).toMatchObject({ status: 200, json: { version: first.json['version'] } });
    expect(await version()).toBe(after);
  });
});
