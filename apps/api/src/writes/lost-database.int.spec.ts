import { withoutConnections } from '@systole/event-store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

let under: ApiUnderTest;
beforeAll(async () => {
  under = await apiUnderTest();
});
afterAll(() => under.close());

it('tells what a write did though the database goes away while its effects are waited for, and again to whoever asks again', async () => {
  const id = await under.cluster('c', CIB);
  const standby = (): Promise<Answer> =>
    under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby?wait=settled&timeout=30`, { headers: { 'idempotency-key': 'once' } });
  const version = async (): Promise<unknown> => (await under.call('GET', `/v1/clusters/${id}`)).json['version'];
  const waiting = standby();
  await expect.poll(version, { timeout: 10_000 }).toBe(2);
  let answer: Answer | undefined;
  await withoutConnections(under.database.url, async () => {
    answer = await waiting;
  });
  expect(answer).toMatchObject({
    status: 200,
    json: {
      version: 2,
      events: [{ type: 'NodeAttributeSet' }],
      settled: { outcome: 'unknown', version: 2, waitingFor: [expect.stringMatching(/^could not wait: PostgreSQL [^;]*$/)] },
    },
  });
  expect(answer?.headers.get('etag')).toBe('"2"');

  await expect.poll(async () => (await standby()).headers.get('idempotency-replayed'), { timeout: 5_000, interval: 300 }).toBe('true');
  expect((await standby()).json).toEqual(answer?.json);
  expect(await version()).toBe(2);
}, 60_000);
