import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROTOCOL } from '@systole/protocol';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('attributes that agents write', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let token: string;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest({ leaseMs: 6_000 });
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    count++;
    cluster = await under.cluster(`c${count}`, CIB);
    token = await under.agent(cluster, 'n1');
  });

  const say = (path: string, body: object, as = token): Promise<Answer> => under.call('POST', `/v1/agent/${path}`, { token: as, body });
  const join = async (as = token): Promise<number> =>
    Number((await say('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot' }, as)).json['incarnation']);
  const events = async (type: string): Promise<readonly { readonly data: Readonly<Record<string, unknown>>; readonly actor: string }[]> =>
    (await under.call('GET', `/v1/clusters/${cluster}/events?type=${type}`)).json['items'] as never;

  it('holds dampened attributes back, tells what is held, and counts up by what was said last', async () => {
    const incarnation = await join();
    const say1 = (change: object): Promise<Answer> =>
      say('attributes', { incarnation, changes: [{ name: 'pingd', lifetime: 'reboot', ...change }] });
    const asked = async (query = ''): Promise<unknown> =>
      (await under.call('GET', `/v1/agent/attributes${query}`, { token })).json['attributes'];
    expect((await say1({ value: '5', delay: { ms: 60_000, sets: 'also' } })).status).toBe(200);
    expect((await say1({ value: null, add: 3 })).status).toBe(200);
    expect(await asked()).toEqual([{ node: 'n1', name: 'pingd', value: '8' }]);
    expect(await asked('?name=pingd&node=n1')).toEqual([{ node: 'n1', name: 'pingd', value: '8' }]);
    expect(await asked('?name=other')).toEqual([]);
    expect((await under.call('GET', '/v1/agent/attributes?names=x', { token })).status).toBe(400);
    expect(await events('NodeAttributeHeld')).toMatchObject([
      { data: { node: 'n1', name: 'pingd', value: '5', delayMs: 60_000 } },
      { data: { node: 'n1', name: 'pingd', value: '8', delayMs: 60_000 } },
    ]);
    expect(await events('NodeAttributeSet')).toEqual([]);
    expect((await under.call('GET', '/v1/agent/cib', { token })).text).not.toContain('pingd');
    expect((await say1({ value: '1', delay: { ms: 86_400_001, sets: 'also' } })).status).toBe(422);
  });

  describe('attributes that are private on a node', () => {
    const tell = (incarnation: number, attributes: readonly object[], as = token): Promise<Answer> =>
      say('private-attributes', { incarnation, attributes }, as);
    const asked = async (query = '', as = token): Promise<unknown> =>
      (await under.call('GET', `/v1/agent/attributes${query}`, { token: as })).json['attributes'];
    const location = { name: 'lsn_location-db', value: '3#117' };

    it('are read by agents of other nodes of the cluster, and are in no CIB and no event log', async () => {
      const incarnation = await join();
      const other = await under.agent(cluster, 'n2');
      await join(other);
      const before = await under.call('GET', `/v1/clusters/${cluster}`);
      expect((await say('attributes', { incarnation, changes: [{ ...location, value: 'public', lifetime: 'reboot' }] })).status).toBe(200);
      expect((await tell(incarnation, [location, { name: 'nodes-db', value: 'n1 n2' }])).status).toBe(200);
      const seen = { node: 'n1', ...location, private: true };
      for (const query of ['?name=lsn_location-db', '?name=lsn_location-db&node=n1', '?name=lsn_location-db&node=1'])
        expect(await asked(query, other), query).toEqual([seen]);
      expect(await asked('?node=n1', other)).toHaveLength(2);
      expect(await asked('?node=n2', other)).toEqual([]);
      // Its own agent knows what is private there without asking.
      expect(await asked()).toEqual([{ node: 'n1', ...location, value: 'public' }]);
      expect((await tell(incarnation, [location])).status).toBe(200);
      expect(await asked('', other)).toEqual([seen]);
      expect((await under.call('GET', `/v1/clusters/${cluster}/cib`)).text).not.toContain('3#117');
      const after = await under.call('GET', `/v1/clusters/${cluster}`);
      expect(Number(after.json['version'])).toBe(Number(before.json['version']) + 1);
      const stranger = await under.agent(await under.cluster(`stranger-${String(count)}`, CIB), 'n2');
      await join(stranger);
      expect(await asked('', stranger)).toEqual([]);
    });

    it('are gone with the life of the node in which they were told', async () => {
      const other = await under.agent(cluster, 'n2');
      await join(other);
      const first = await join();
      expect((await tell(first, [location])).status).toBe(200);
      expect(await asked('?node=n1', other)).toHaveLength(1);
      const second = await join();
      expect(await asked('?node=n1', other)).toEqual([]);
      expect(await tell(first, [location])).toMatchObject({
        status: 409,
        json: { type: 'https://systole.dev/problems/incarnation-superseded' },
      });
      expect((await tell(second, [location])).status).toBe(200);
      expect(await asked('?node=n1', other)).toHaveLength(1);
      expect((await say('leave', { incarnation: second })).status).toBe(200);
      expect(await asked('?node=n1', other)).toEqual([]);
    });

    it('are those that the node had last, however late another server hears what it had before', async () => {
      const other = await under.agent(cluster, 'n2');
      await join(other);
      const tellNumbered = async (incarnation: number, revision: number | undefined, value: string): Promise<unknown> => {
        const attributes = [{ ...location, value }];
        expect((await say('private-attributes', { incarnation, revision, attributes })).status).toBe(200);
        return asked('?node=n1', other);
      };
      const held = (value: string): unknown => [{ node: 'n1', ...location, value, private: true }];
      const first = await join();
      expect(await tellNumbered(first, 57, 'new')).toEqual(held('new'));
      expect(await tellNumbered(first, 56, 'late')).toEqual(held('new'));
      // Nobody knows whether the one before it was heard.
      expect(await tellNumbered(first, 57, 'new')).toEqual(held('new'));
      // Each process of the agent counts anew, and joins anew. Older agents do not count.
      const second = await join();
      expect(await tellNumbered(second, 1, 'of another process')).toEqual(held('of another process'));
      expect(await tellNumbered(second, undefined, 'of an older agent')).toEqual(held('of an older agent'));
      expect(await tellNumbered(second, 1, 'counted again')).toEqual(held('counted again'));
    });

    it.each([
      [[{ name: 'a', value: 1 }], '/attributes/0/value'],
      [[{ name: 'a'.repeat(256), value: '' }], '/attributes/0/name'],
      [[{ name: 'a', value: '', lifetime: 'reboot' }], '/attributes/0/lifetime'],
    ])('are refused when they are none: %j', async (attributes, pointer) => {
      const answer = await tell(await join(), attributes);
      expect(answer).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
    });
  });

  it('sets and clears node attributes, all or none', async () => {
    const incarnation = await join();
    const set = (changes: readonly object[]): Promise<Answer> => say('attributes', { incarnation, changes });
    expect((await set([{ name: 'score', value: '5', lifetime: 'reboot' }])).status).toBe(200);
    const before = await under.call('GET', `/v1/clusters/${cluster}`);
    const refused = await set([
      { name: 'a', value: '1', lifetime: 'reboot' },
      { name: 'b', value: '1', lifetime: 'forever', node: 'nobody' },
    ]);
    expect(refused.status).toBe(404);
    expect((await under.call('GET', `/v1/clusters/${cluster}`)).json).toEqual(before.json);
    expect((await set([{ name: 'score', value: null, lifetime: 'reboot' }])).status).toBe(200);
    expect(await events('NodeAttributeCleared')).toMatchObject([{ data: { node: 'n1', name: 'score' } }]);
  });

  it.each([
    ['a\u200bb', '1', '/name'],
    ['a\u202eb', '1', '/name'],
    ['a\nb', '1', '/name'],
    ['x\u009by', '1', '/name'],
    ['a\u2800', '1', '/name'],
    ['a\u001bb', '1', '/changes/1/name'],
    ['a', 'a\u001b[31m', '/changes/1/value'],
    ['a', '\ud800', '/changes/1/value'],
  ])("are refused whose name can't be seen, or that would be kept as something else: %j = %j", async (name, value, pointer) => {
    const incarnation = await join();
    const fine = { name: 'fine', value: '1', lifetime: 'reboot' };
    for (const set of [{ lifetime: 'reboot' }, { lifetime: 'forever' }, { lifetime: 'reboot', add: 1 }]) {
      const refused = await say('attributes', { incarnation, changes: [fine, { name, value, ...set }] });
      expect(refused).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
    }
    expect(await events('NodeAttributeSet')).toEqual([]);
    // What was written before that was refused can be removed.
    expect((await say('attributes', { incarnation, changes: [{ name, value: null, lifetime: 'reboot' }] })).status).toBe(200);
  });

  it('may not set for another node what the cluster itself acts upon', async () => {
    const incarnation = await join();
    const change = { name: 'standby', value: 'on', lifetime: 'forever', node: 'n2' };
    const refused = await say('attributes', { incarnation, changes: [change] });
    expect(refused).toMatchObject({ status: 403, json: { type: 'https://systole.dev/problems/attribute-reserved' } });
  });
});
