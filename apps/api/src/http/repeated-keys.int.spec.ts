import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

describe('a body with a key twice', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('twice', CIB);
  });
  afterAll(() => under.close());

  const NODE = '/v1/clusters/twice/configuration/nodes/1';

  it.each<[method: string, path: string, type: string, body: string, pointer: string]>([
    ['PATCH', NODE, 'application/merge-patch+json', '{"instance_attributes":{"a":"1","a":"2"}}', '/instance_attributes/a'],
    ['PATCH', NODE, 'application/json-patch+json', '[{"op":"test","path":"/id","path":"/x","value":"1"}]', '/0/path'],
    ['PUT', '/v1/clusters/twice/cib', 'application/json', '{"element":"cib","attributes":{"epoch":"1","epoch":"2"}}', '/attributes/epoch'],
    ['POST', '/v1/simulate', 'application/json', '{"element":"cib","element":"cib"}', '/element'],
    ['POST', '/v1/webhooks', 'application/json', '{"url":"https://a.example","url":"https://b.example"}', '/url'],
  ])('is refused with its place: %s %s (%s)', async (method, path, type, body, pointer) => {
    const answer = await under.call(method, path, { headers: { 'if-match': '*' }, raw: { type, body } });
    expect(answer.json).toMatchObject({ status: 400, type: expect.stringContaining('malformed-json') as string, errors: [{ pointer }] });
  });

  it('is refused of agents, too', async () => {
    const token = await under.agent('twice', 'n1');
    const answer = await under.call('POST', '/v1/agent/poll', {
      token,
      raw: { type: 'application/json', body: '{"incarnation":1,"incarnation":2}' },
    });
    expect(answer.json).toMatchObject({ status: 400, errors: [{ pointer: '/incarnation' }] });
  });
});
