import { randomUUID } from 'node:crypto';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../request-limits.js';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe.each([
  ['in one thread', false],
  ['with operators apart', true],
])('budgets of nodes for what they report, %s', (_, operatorsApart) => {
  let under: ApiUnderTest;
  let cluster: string;
  let token: string;
  let incarnation: number;
  beforeAll(async () => {
    under = await apiUnderTest({
      operatorsApart,
      limits: {
        reports: {
          ...DEFAULT_LIMITS.reports,
          disturbances: { perSecond: 100, burst: 1_000 },
          results: { events: 20, bytes: 100_000 },
          attributes: { events: 10, bytes: 20_000 },
          'unchanged-attributes': { events: 100, bytes: 20_000 },
        },
      },
    });
    cluster = await under.cluster('budgets', CIB);
    token = await under.agent(cluster, 'n1');
    incarnation = Number((await say('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot' })).json['incarnation']);
  });
  afterAll(() => under.close());

  const say = (path: string, body: object): Promise<Answer> => under.call('POST', `/v1/agent/${path}`, { token, body });
  const result = (rc: number, output = ''): Record<string, unknown> => ({
    resultId: randomUUID(),
    actionId: `${cluster}:1:1`,
    transitionKey: `1:1:0:${cluster}`,
    resource: { id: 'web', historyId: 'web', class: 'ocf', provider: 'systole', type: 'Dummy' },
    operation: 'monitor',
    intervalMs: 10_000,
    status: 'done',
    rc,
    callId: 1,
    startedAt: 1_800_000_000 + rc,
    execMs: 12,
    queueMs: 0,
    recurring: true,
    output,
  });
  const version = async (): Promise<number> => Number((await under.call('GET', `/v1/clusters/${cluster}`)).json['version']);

  it('refuse a flood of results until it may go on, while the lease is renewed; nothing that was acknowledged is missing', async () => {
    const acknowledged: unknown[] = [];
    let refused: Answer | undefined;
    for (let sent = 0; refused === undefined && sent < 100; sent++) {
      const answer = await say('results', { incarnation, results: [result(sent % 2 === 0 ? 0 : 7, 'x'.repeat(60_000))] });
      if (answer.status === 200) acknowledged.push(...(answer.json['acknowledged'] as unknown[]));
      else refused = answer;
    }
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.json).toMatchObject({
      type: 'https://systole.dev/problems/report-budget-spent',
      budget: { kind: 'results', of: 'bytes', perMinute: 100_000 },
    });
    expect(acknowledged.length).toBeLessThan(4);
    // Whatever comes now is refused unread.
    expect((await say('results', { nonsense: true })).status).toBe(429);
    expect((await say('poll', { incarnation, waitMs: 0, known: [] })).status).toBe(200);
    const events = (await under.call('GET', `/v1/clusters/${cluster}/events?type=OperationRecorded`)).json['items'] as {
      data: { resultId: string };
    }[];
    expect(events.map(({ data }) => data.resultId)).toEqual(acknowledged);
  });

  it('are shown in status and metrics', async () => {
    const { json } = await under.call('GET', `/v1/clusters/${cluster}/status`);
    expect(json['troubles']).toContainEqual({
      code: 'report-budget',
      level: 'warn',
      text: 'reports wait: n1 is above its budget of bytes of results',
    });
    const metrics = (await under.call('GET', '/metrics', { token: null })).text;
    expect(metrics).toMatch(/systole_http_refused_total\{reason="report-budget-spent"\} 2/);
  });

  it('bound what joins leave in the log: refused ones are answered all the same, and take nothing from the machine that may join', async () => {
    const of = await under.agent(cluster, 'n2');
    const join = (bootId: string, number: number): Promise<Answer> => {
      const attempt = { processStartedMs: 1, number };
      return under.call('POST', '/v1/agent/join', { token: of, body: { protocol: PROTOCOL, agentVersion: '1.0', bootId, attempt } });
    };
    const count = async (type: string): Promise<number> => {
      const { json } = await under.call('GET', `/v1/clusters/${cluster}/events?type=${type}&limit=500`);
      return (json['items'] as { data: { node: string } }[]).filter(({ data }) => data.node === 'n2').length;
    };
    expect((await join('own', 1)).status).toBe(200);
    const others = await Promise.all(Array.from({ length: 60 }, (_, index) => join(`other-${String(index)}`, index + 1)));
    expect(others.filter(({ status }) => status !== 409).map(({ text }) => text)).toEqual([]);
    expect(await count('NodeJoinRefused')).toBeLessThan(25);
    const own: Answer[] = [];
    for (let number = 2; number < 42; number++) {
      const joined = await join('own', number);
      own.push(joined);
      const polled = { incarnation: Number(joined.json['incarnation']), waitMs: 0, known: [] };
      if (joined.status === 200) expect((await under.call('POST', '/v1/agent/poll', { token: of, body: polled })).status).toBe(200);
    }
    expect(own.slice(0, 15).map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 200));
    const refused = own.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.json).toMatchObject({ budget: { kind: 'joins', of: 'events', perMinute: 20 } });
    expect(await count('NodeJoined')).toBeLessThan(27);
  });

  it('count attributes for themselves, and only what changes: the same value again costs nothing', async () => {
    const set = (name: string, value: string): Promise<Answer> =>
      say('attributes', { incarnation, changes: [{ name, value, lifetime: 'reboot' }] });
    for (let repeated = 0; repeated < 30; repeated++) expect((await set('master-web', '10')).status).toBe(200);
    const before = await version();
    const changes = Array.from({ length: 9 }, (_, index) => ({ name: 'pingd', value: String(index), lifetime: 'reboot' }));
    expect((await say('attributes', { incarnation, changes })).status).toBe(200);
    expect(await version()).toBe(before + 1);
    const statuses: number[] = [];
    for (let changed = 0; changed < 12; changed++) statuses.push((await set('pingd', `new ${String(changed)}`)).status);
    expect(statuses).toContain(429);
    expect(statuses.indexOf(429)).toBeGreaterThan(6);
    expect((await say('attributes', { nonsense: true })).status).toBe(429);
  });

  it('bound changes of attributes that change nothing, and say which node asks for so many', async () => {
    const of = await under.agent(cluster, 'n3');
    const asN3 = (path: string, body: object): Promise<Answer> => under.call('POST', `/v1/agent/${path}`, { token: of, body });
    const life = Number((await asN3('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'again' })).json['incarnation']);
    const changes = Array.from({ length: 9 }, (_, index) => ({ name: `same-${String(index)}`, value: '1', lifetime: 'reboot' }));
    const statuses: number[] = [];
    let refused: Answer | undefined;
    for (let sent = 0; sent < 30; sent++) {
      const answer = await asN3('attributes', { incarnation: life, changes });
      statuses.push(answer.status);
      if (answer.status === 429) refused = answer;
    }
    expect(statuses.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 200));
    expect(refused?.json).toMatchObject({ budget: { kind: 'unchanged-attributes', perMinute: 100 } });
    const { json } = await under.call('GET', `/v1/clusters/${cluster}/status`);
    expect(JSON.stringify(json['troubles'])).toContain('n3 is above its budget of events of unchanged-attributes');
    expect((await asN3('poll', { incarnation: life, waitMs: 0, known: [] })).status).toBe(200);
  });
});
