import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest, type Json } from '../testing/api-under-test.js';

describe('answers that the front gives again', () => {
  let under: ApiUnderTest;
  let id: string;
  let path: string;
  beforeAll(async () => {
    under = await apiUnderTest({ operatorsApart: true });
    id = await under.cluster('kept', CIB);
    path = `/v1/clusters/kept/configuration/nodes/1`;
  }, 30_000);
  afterAll(() => under.close());

  const given = async (): Promise<number> => {
    const { text } = await under.call('GET', '/metrics', { token: null });
    return Number(/^systole_answers_given_again_total (\d+)$/m.exec(text)?.[1]);
  };
  const ask = (token?: string, headers: Readonly<Record<string, string>> = {}, at = path): ReturnType<ApiUnderTest['call']> =>
    under.call('GET', at, { headers, ...(token === undefined ? {} : { token }) });
  /** What does not belong to one answer alone. */
  const lasting = (headers: Headers): Record<string, string> =>
    Object.fromEntries([...headers.entries()].filter(([name]) => name !== 'date' && name !== 'x-request-id'));

  it('are the same, each for its own request', async () => {
    const first = await ask();
    const before = await given();
    const again = await ask(undefined, { 'x-request-id': 'mine' });
    expect(await given()).toBe(before + 1);
    expect([again.status, again.text]).toEqual([200, first.text]);
    const { 'x-client-request-id': client, ...others } = lasting(again.headers);
    expect([client, others]).toEqual(['mine', lasting(first.headers)]);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(again.headers.get('x-systole-rests-on')).toBeNull();
    const { text } = await under.call('GET', '/metrics', { token: null });
    expect(text).toMatch(/_count\{method="GET",route="\/v1\/clusters\/:cluster\/configuration\/:collection\/:id",status="200"\} [2-9]/);
  });

  it('have the form that is asked for', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const xml = await ask(undefined, { accept: 'application/xml' });
      expect(xml.text).toMatch(/^<node id="1"/);
      expect(xml.headers.get('content-type')).toBe('application/xml; charset=utf-8');
      expect((await ask()).json).toMatchObject({ id: '1' });
    }
  });

  it('are those of before no longer, once anything has changed', async () => {
    for (const value of ['one', 'two']) {
      await ask();
      await ask();
      const written = await under.call('PATCH', path, {
        headers: { 'if-match': '*', 'content-type': 'application/merge-patch+json' },
        raw: { type: 'application/merge-patch+json', body: JSON.stringify({ instance_attributes: { rack: value } }) },
      });
      expect([written.status, written.text]).toEqual([200, expect.any(String)]);
      expect((await ask()).text).toContain(`"${value}"`);
    }
  });

  it('go to nobody else, and to nobody whose token has ended', async () => {
    const before = await given();
    const [viewer, narrow] = [
      await under.token('viewer', 'keeps'),
      String((await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'narrow', clusters: [] } })).json['secret']),
    ];
    await ask();
    const agent = await under.agent(id, 'n1');
    expect([(await ask(agent)).status, (await ask('systole_wrong')).status, (await ask(narrow)).status]).toEqual([
      403,
      401,
      expect.any(Number),
    ]);
    expect((await under.call('GET', path, { token: null })).status).toBe(401);
    expect((await ask(viewer)).status).toBe(200);
    expect((await ask(viewer)).status).toBe(200);
    expect(await given()).toBeLessThanOrEqual(before + 2);
    const listed = (await under.call('GET', '/v1/tokens')).json['items'] as { readonly id: string; readonly name: string }[];
    await under.call('DELETE', `/v1/tokens/${listed.find(({ name }) => name === 'keeps')?.id ?? ''}`);
    expect((await ask(viewer)).json['type']).toBe('https://systole.dev/problems/unauthenticated');
  });

  it('are never those in which secrets are shown', async () => {
    const before = await given();
    for (let turn = 0; turn < 3; turn++) await ask(undefined, {}, `${path}?secrets=clear`);
    expect(await given()).toBe(before);
  });

  it('show a status no older than it says, and what agents do at once', async () => {
    const status = `/v1/clusters/${id}/status`;
    for (const at of [status, `${status}?node=n1`, `/v1/clusters/kept/nodes/n1`]) await ask(undefined, {}, at);
    const token = await under.agent('kept', 'n2');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    expect(joined.status).toBe(200);
    for (const at of [status, `${status}?node=n2`, `/v1/clusters/kept/nodes/n2`]) {
      expect((await ask(undefined, {}, at)).text).toContain(`"incarnation":${String(joined.json['incarnation'])}`);
    }
  });

  it('are given a little longer while the next is made aside, and then the next', async () => {
    const nodes = Array.from({ length: 400 }, (_, at) => `<node id="${String(at + 1)}" uname="n${String(at + 1)}"/>`).join('');
    await under.cluster('large', CIB.replace(/<nodes>.*<\/nodes>/s, `<nodes>${nodes}</nodes>`));
    const token = await under.agent('large', 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const renewedAt = async (): Promise<unknown> =>
      ((await ask(undefined, {}, '/v1/clusters/large/nodes/n1')).json['lease'] as Json)['renewedAt'];
    const first = await renewedAt();
    await under.database.pool.query(`UPDATE node_leases SET renewed_at = renewed_at + interval '7 seconds'`);
    const before = await given();
    // Whoever asks goes on with the old one after its time, for a moment, and the new one comes by itself: nobody has waited for it.
    const seen = new Set<unknown>();
    let asked = 0;
    for (const begun = performance.now(); seen.size < 2 && performance.now() - begun < 10_000; asked++) {
      seen.add(await renewedAt());
      await sleep(20);
    }
    expect([[...seen][0], seen.size]).toEqual([first, 2]);
    expect(await given()).toBe(before + asked);
  });

  it('end with the cluster', async () => {
    const other = await under.cluster('ends', CIB);
    const at = '/v1/clusters/ends/configuration/nodes/1';
    await ask(undefined, {}, at);
    expect((await ask(undefined, {}, at)).status).toBe(200);
    await under.call('DELETE', `/v1/clusters/${other}`, { headers: { 'if-match': '*' } });
    expect((await ask(undefined, {}, at)).json['type']).toBe('https://systole.dev/problems/cluster-not-found');
  });
});
