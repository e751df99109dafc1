import { orderFinal } from '@systole/event-store/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest, type Json } from '../testing/api-under-test.js';
import { EventSourceByHand } from '../testing/event-source.js';

describe('the events of all clusters', () => {
  let under: ApiUnderTest;
  let alice: string;
  const sources: EventSourceByHand[] = [];

  beforeAll(async () => {
    under = await apiUnderTest({ heartbeatMs: 200 });
    alice = await under.token('operator', 'alice');
  });
  afterAll(() => under.close());
  afterEach(() => {
    for (const source of sources.splice(0)) source.close();
  });

  async function follow(
    path = '/v1/events/stream',
    { token, lastId }: { readonly token?: string; readonly lastId?: string } = {},
  ): Promise<EventSourceByHand> {
    await orderFinal(under.database.pool);
    const source = new EventSourceByHand();
    sources.push(source);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    };
    const response = await source.open(`${under.api.url}${path}`, headers);
    expect(response.status).toBe(200);
    await source.until(() => source.messages.length > 0);
    return source;
  }

  const seen = (source: EventSourceByHand): readonly string[] =>
    source.events.map(({ event, data }) => `${String((JSON.parse(data ?? '') as Json)['clusterName'])} ${event ?? ''}`);
  const standby = (cluster: string, node = 'n1', token?: string): Promise<unknown> =>
    under.call('POST', `/v1/clusters/${cluster}/nodes/${node}/commands/standby`, token === undefined ? {} : { token });

  it('are streamed from now on, of clusters that come later, too, and resumed where the stream broke off', async () => {
    const first = await under.cluster('all-1', CIB);
    const source = await follow();
    await standby(first);
    const second = await under.cluster('all-2', CIB);
    await standby(second);
    await source.until(() => source.events.length >= 3);
    expect(seen(source)).toEqual(['all-1 NodeAttributeSet', 'all-2 ClusterCreated', 'all-2 NodeAttributeSet']);
    expect(JSON.parse(source.events[2]?.data ?? '')).toMatchObject({
      streamId: second,
      clusterName: 'all-2',
      version: 2,
      actor: 'user:admin',
    });
    const again = await follow('/v1/events/stream', { lastId: source.events[0]?.id ?? '' });
    await again.until(() => again.events.length >= 2);
    expect(seen(again)).toEqual(['all-2 ClusterCreated', 'all-2 NodeAttributeSet']);
    expect(again.events.map(({ id }) => id)).toEqual(source.events.slice(1).map(({ id }) => id));
  });

  it('are those that fulfil all conditions; what is passed over is said with a sign of life', async () => {
    const [one, other] = [await under.cluster('all-3', CIB), await under.cluster('all-4', CIB)];
    const paths = [
      `type=NodeAttributeSet&actor=user:alice`,
      `cluster=all-3&cluster=${other}&subject=node:n2`,
      `cluster=all-3&command=set-standby`,
    ];
    const [byAlice, onNode, inOne] = await Promise.all(paths.map((query) => follow(`/v1/events/stream?${query}`)));
    await standby(one, 'n1');
    await standby(other, 'n2', alice);
    await standby(one, 'n2');
    await onNode?.until(() => onNode.events.length === 2);
    await inOne?.until(() => inOne.events.length === 2);
    expect([byAlice, onNode, inOne].map((source) => source && seen(source))).toEqual([
      ['all-4 NodeAttributeSet'],
      ['all-4 NodeAttributeSet', 'all-3 NodeAttributeSet'],
      ['all-3 NodeAttributeSet', 'all-3 NodeAttributeSet'],
    ]);
    await byAlice?.until(() => byAlice.comments > 1);
  });

  it('are only of clusters that there are for whoever asks', async () => {
    const [mine, other] = [await under.cluster('all-5', CIB), await under.cluster('all-6', CIB)];
    const made = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'narrow', clusters: [mine] } });
    const token = String(made.json['secret']);
    const source = await follow('/v1/events/stream?after=0', { token });
    await standby(other);
    await standby(mine);
    await source.until(() => source.events.length >= 2);
    expect(seen(source)).toEqual(['all-5 ClusterCreated', 'all-5 NodeAttributeSet']);
    expect((await under.call('GET', '/v1/events/stream?cluster=all-6', { token })).status).toBe(404);
    // With the token its streams end.
    await under.call('DELETE', `/v1/tokens/${String(made.json['id'])}`);
    await expect.poll(() => source.closed).toBe(true);
  });

  it('are no longer those of a cluster that was deleted, but for administrators', async () => {
    const id = await under.cluster('all-7', CIB);
    const live = await follow('/v1/events/stream', { token: alice });
    await under.call('DELETE', `/v1/clusters/${id}`);
    await live.until(() => live.events.length >= 1);
    expect(seen(live)).toEqual(['all-7 ClusterDeleted']);
    const ofAdmin = await follow('/v1/events/stream?after=0');
    await ofAdmin.until(() => seen(ofAdmin).includes('all-7 ClusterDeleted'));
    expect(seen(ofAdmin).filter((text) => text.startsWith('all-7'))).toEqual(['all-7 ClusterCreated', 'all-7 ClusterDeleted']);
  });

  it('are refused from a place that the log does not have, and for what is no place', async () => {
    for (const [query, lastId, status] of [
      ['', '999999', 410],
      ['?after=999999', undefined, 410],
      ['?after=-1', undefined, 400],
      ['?type=NoSuchType', undefined, 400],
      ['?until=2026-01-01', undefined, 400],
      ['', 'x', 400],
    ] as const) {
      const answer = await under.call(
        'GET',
        `/v1/events/stream${query}`,
        lastId === undefined ? {} : { headers: { 'last-event-id': lastId } },
      );
      expect([query, lastId, answer.status]).toEqual([query, lastId, status]);
    }
    expect((await under.call('GET', '/v1/events/stream', { token: null })).status).toBe(401);
  });

  it('end, and say so, when the log goes back', async () => {
    const id = await under.cluster('all-8', CIB);
    const source = await follow();
    await standby(id);
    await source.until(() => source.events.length === 1);
    await under.database.pool.query(
      `BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; DELETE FROM events WHERE global_position >= ${source.events[0]?.id?.split('.')[0] ?? '0'}; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`,
    );
    await source.until(() => source.messages.some(({ event }) => event === 'gone'));
    await expect.poll(() => source.closed).toBe(true);
  });

  it('of one cluster are filtered as its list is', async () => {
    const id = await under.cluster('all-9', CIB);
    const source = await follow(`/v1/clusters/${id}/events/stream?subject=node:n2&actor=user:alice`);
    await standby(id, 'n1', alice);
    await under.call('POST', `/v1/clusters/${id}/nodes/n2/commands/maintenance`);
    await standby(id, 'n2', alice);
    await source.until(() => source.events.length >= 1);
    const list = await under.call('GET', `/v1/clusters/${id}/events?subject=node:n2&actor=user:alice`);
    const listed = (list.json['items'] as Json[]).map(({ version }) => String(version));
    expect(listed).toHaveLength(1);
    expect(source.events.map(({ id: eventId }) => eventId?.split('.')[0])).toEqual(listed);
  });
});
