import { describe, expect, it } from 'vitest';
import { createSystoleClient, ProblemError, unwrap } from './index.js';

function clientAnswered(response: () => Response): ReturnType<typeof createSystoleClient> {
  return createSystoleClient({ baseUrl: 'http://server.test', token: 't', fetch: () => Promise.resolve(response()) });
}

const json = (body: object, status: number): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

describe('unwrap', () => {
  it('gives the data of an answer', async () => {
    const client = clientAnswered(() => json({ items: [] }, 200));
    expect(unwrap(await client.GET('/v1/clusters'))).toEqual({ items: [] });
  });

  it('takes an answer without content for what it is', async () => {
    const client = clientAnswered(() => new Response(null, { status: 204 }));
    const answer = await client.DELETE('/v1/tokens/{id}', { params: { path: { id: '1' } } });
    expect(() => {
      unwrap(answer);
    }).not.toThrow();
  });

  it('throws refusals with their reason', async () => {
    const problem = { type: 't', title: 'Not found', status: 404, detail: 'there is no such token', instance: '/v1/tokens/1' };
    const client = clientAnswered(() => json(problem, 404));
    const refused = client.DELETE('/v1/tokens/{id}', { params: { path: { id: '1' } } }).then(unwrap);
    await expect(refused).rejects.toThrow(ProblemError);
    await expect(refused).rejects.toMatchObject({ status: 404, message: 'there is no such token' });
  });

  it('throws when a success has no data although it should', async () => {
    const client = clientAnswered(() => new Response(null, { status: 200, headers: { 'content-length': '0' } }));
    await expect(client.GET('/v1/clusters').then(unwrap)).rejects.toThrow('the server answered 200 without saying why');
  });
});
