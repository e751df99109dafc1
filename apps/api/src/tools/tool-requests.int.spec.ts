import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROTOCOL, type ToolRequest } from '@systole/protocol';
import { DEFAULT_LIMITS } from '../request-limits.js';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { RunningCluster } from '../testing/running-cluster.js';

type Logged = readonly { readonly type: string; readonly actor: string; readonly data: Readonly<Record<string, unknown>> }[];

describe('what tools have written', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let token: string;
  let operator: string;
  let incarnation: number;
  let running: RunningCluster;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    count++;
    cluster = await under.cluster(`c${count}`, CIB);
    token = await under.agent(cluster, 'n1');
    operator = await under.token('operator', 'alice');
    running = new RunningCluster(under, cluster);
    const join = { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot' };
    incarnation = Number((await under.call('POST', '/v1/agent/join', { token, body: join })).json['incarnation']);
    await running.operation('n1', 'web', 'start');
    return () => running.close();
  });

  const byAgent = (request: ToolRequest, more: object = {}): Promise<Answer> =>
    under.call('POST', '/v1/agent/tool-requests', { token, body: { incarnation, tool: 'crm_attribute', request, ...more } });
  const byOperator = (request: ToolRequest, more: object = {}, as = operator, query = ''): Promise<Answer> =>
    under.call('POST', `/v1/clusters/${cluster}/commands/tool-request${query}`, {
      token: as,
      body: { tool: 'crm_attribute', request, ...more },
    });
  const cib = async (): Promise<string> =>
    (await under.call('GET', `/v1/clusters/${cluster}/cib`, { headers: { accept: 'application/xml' } })).text;
  const events = async (type: string): Promise<Logged> =>
    (await under.call('GET', `/v1/clusters/${cluster}/events?type=${type}`)).json['items'] as never;
  const allow = (words: string): Promise<Answer> =>
    byOperator({ ask: 'set-section-value', section: 'crm_config', name: 'systole-agent-writes', value: words });
  const codeOf = ({ status, json }: Answer): string =>
    `${String(status)} ${(typeof json['type'] === 'string' ? json['type'] : '').replace(/^.*\//, '')}`.trim();

  const REPLICATION: ToolRequest = {
    ask: 'set-section-value',
    section: 'crm_config',
    name: 'web_REPL_INFO',
    value: 'n1',
    set: 'redis_replication',
  };
  const OP_DEFAULT: ToolRequest = { ask: 'set-section-value', section: 'op_defaults', name: 'timeout', value: '20s' };
  const MODIFY: ToolRequest = { ask: 'change-document', changes: [{ operation: 'modify', xml: '<op id="web-monitor" enabled="false"/>' }] };

  it('ends in the event log with the node, the tool, and the resource whose agent called it', async () => {
    const answer = await byAgent(REPLICATION, { calledBy: 'web' });
    expect([answer.status, answer.json]).toEqual([200, { changed: true }]);
    expect((await byAgent(REPLICATION, { calledBy: 'web' })).json).toEqual({ changed: false });
    expect(await cib()).toContain('<nvpair id="redis_replication-web_REPL_INFO" name="web_REPL_INFO" value="n1"/>');
    expect((await events('ConfigurationChanged')).map(({ actor, data }) => [actor, data['command'], data['reason']])).toEqual([
      ['agent:n1', 'set-section-value', 'crm_attribute on n1, called by the agent of web'],
    ]);
    await byAgent({ ask: 'ban', resource: 'web', node: 'n1' }, { tool: 'crm_resource', reason: 'fsck' });
    const [ban] = (await events('ConfigurationChanged')).filter(({ data }) => data['command'] === 'ban-resource');
    expect(ban).toMatchObject({ actor: 'agent:n1', data: { reason: 'fsck (crm_resource on n1)' } });
  });

  it('is refused by a node’s token unless the cluster allows it that node, and changes nothing then', async () => {
    const before = await cib();
    const refused = [OP_DEFAULT, MODIFY, { ask: 'fence', node: 'n2' }, { ask: 'confirm-down', node: 'n2' }] as const;
    for (const request of refused) expect(codeOf(await byAgent(request))).toBe('403 not-for-this-agent');
    expect(await cib()).toBe(before);
    await allow('own configuration@n2');
    expect(codeOf(await byAgent(OP_DEFAULT))).toBe('403 not-for-this-agent');
    await allow('own configuration@n1');
    expect(codeOf(await byAgent(OP_DEFAULT))).toBe('200');
    expect(codeOf(await byAgent(MODIFY))).toBe('200');
    expect(await cib()).toContain('<op id="web-monitor" name="monitor" interval="10s" timeout="5s" enabled="false"/>');
  });

  it('is never more rights for the node that asks', async () => {
    await allow('configuration');
    const more = { ask: 'set-section-value', section: 'crm_config', name: 'systole-agent-writes', value: 'fencing' } as const;
    expect(codeOf(await byAgent(more))).toBe('403 not-for-this-agent');
    expect(await cib()).toContain('name="systole-agent-writes" value="configuration"');
  });

  it('is by an agent for its own cluster, by its own incarnation, on its own route', async () => {
    expect(codeOf(await byOperator(OP_DEFAULT, {}, token))).toBe('403 not-for-agents');
    expect(
      codeOf(
        await under.call('POST', '/v1/agent/tool-requests', { token: operator, body: { incarnation, tool: 't', request: OP_DEFAULT } }),
      ),
    ).toBe('403 agents-only');
    expect(codeOf(await byAgent(REPLICATION, { incarnation: incarnation + 1 }))).toMatch(/^409 /);
    expect(codeOf(await byAgent(REPLICATION, { node: 'n2' }))).toBe('422 invalid-request');
    expect(codeOf(await byAgent({ ...REPLICATION, ask: 'set-everything' } as never))).toBe('422 invalid-request');
    expect(codeOf(await byAgent({ ...MODIFY, changes: [] }))).toBe('422 invalid-request');
    for (const reason of ['a\u202eb', 'a\u009bb', ' '])
      expect(codeOf(await byAgent(REPLICATION, { reason })), reason).toBe('422 invalid-request');
  });

  it('is by the same words for operators, by their role, with a dry run', async () => {
    expect(codeOf(await byOperator(OP_DEFAULT, {}, await under.token('viewer', 'bob')))).toBe('403 role-too-low');
    const tried = await byOperator(OP_DEFAULT, { reason: 'slow disks' }, operator, '?dryRun=true');
    expect(tried.json).toMatchObject({ dryRun: true, events: [{ data: { reason: 'slow disks (crm_attribute)' } }] });
    expect(await cib()).not.toContain('op_defaults-options');
    expect((await byOperator(OP_DEFAULT)).json).toMatchObject({ changes: [{ after: expect.stringContaining('timeout') as string }] });
    const [event] = await events('ConfigurationChanged');
    expect(event).toMatchObject({ actor: 'user:alice', data: { command: 'set-section-value', reason: 'crm_attribute' } });
    expect((await byOperator({ ask: 'change-ticket', ticket: 'T', granted: true, attributes: { owner: 'me' } })).json).toMatchObject({
      events: [{ type: 'TicketChanged', data: { ticket: 'T', granted: true, attributes: { owner: 'me' } } }],
    });
  });

  it('is bounded by node, so that what operators write for a version that they read goes through, and counts nothing that changes nothing', async () => {
    const burst = 5;
    const reports = { ...DEFAULT_LIMITS.reports, configurations: { perSecond: 0.01, burst } };
    const bounded = await apiUnderTest({ limits: { reports } });
    await bounded.cluster('bounded', CIB);
    const noisy = await bounded.agent('bounded', 'n1');
    const join = { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot' };
    const joined = await bounded.call('POST', '/v1/agent/join', { token: noisy, body: join });
    const life = joined.json['incarnation'];
    const write = (value: string): Promise<Answer> =>
      bounded.call('POST', '/v1/agent/tool-requests', {
        token: noisy,
        body: { incarnation: life, tool: 'crm_attribute', request: { ...REPLICATION, value } },
      });
    const codes: string[] = [];
    for (let value = 0; value < burst + 3; value++) codes.push(codeOf(await write(String(value))));
    expect(codes).toEqual([...Array.from({ length: burst }, () => '200'), ...Array.from({ length: 3 }, () => '429 report-budget-spent')]);
    expect((await write(String(burst - 1))).json).toEqual({ changed: false });
    const refused = await write('other');
    expect(refused.json).toMatchObject({ budget: { kind: 'configurations' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const document = { headers: { accept: 'application/xml' } };
    const read = await bounded.call('GET', '/v1/clusters/bounded/cib', document);
    for (let value = 0; value < 3; value++) await write(`while an operator edits ${String(value)}`);
    const edited = read.text.replace('score="50"', 'score="51"');
    const put = await bounded.call('PUT', '/v1/clusters/bounded/cib', {
      raw: { type: 'application/xml', body: edited },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    });
    expect(put.status).toBe(200);
    // What its own attributes need for a while only is bounded apart.
    const attribute = { node: 'n1', name: 'ping', value: '1', lifetime: 'reboot' };
    const attributes = await bounded.call('POST', '/v1/agent/attributes', {
      token: noisy,
      body: { incarnation: life, changes: [attribute] },
    });
    expect(codeOf(attributes)).toBe('200');
    const { text } = await bounded.call('GET', '/metrics', { token: null });
    expect(text).toMatch(/systole_http_refused_total\{reason="report-budget-spent"\} [1-9]/);
    await bounded.close();
  });

  it('is checked like every other write of the configuration', async () => {
    const change = (operation: 'create' | 'modify' | 'delete', xml: string, within?: string): Promise<Answer> =>
      byOperator({ ask: 'change-document', changes: [{ operation, xml, ...(within === undefined ? {} : { within }) }] });
    expect(codeOf(await change('modify', '<op id="nope" enabled="false"/>'))).toBe('404 element-not-found');
    expect(codeOf(await change('create', '<rsc_location id="web-on-n1"/>', 'constraints'))).toBe('409 element-exists');
    expect(codeOf(await change('create', '<rsc_location id="x" rsc="zz" bad="1" node="n1" score="5"/>', 'constraints'))).toBe(
      '422 invalid-configuration',
    );
    expect(codeOf(await change('delete', '<primitive id="web"/>'))).toBe('422 invalid-configuration');
    expect(codeOf(await change('modify', '<primitive id="web" type='))).toBe('422 invalid-configuration');
    const doubtful = await byOperator({ ask: 'set-section-value', section: 'crm_config', name: 'symmetric-clustr', value: 'true' });
    expect(codeOf(doubtful)).toBe('422 doubtful-configuration');
    expect((await change('modify', '<primitive id="web" nope="1"/>')).json).toMatchObject({ errors: [{ element: 'primitive' }] });
  });

  it('is refused where an operator sends text that can not be carried, and mended where an agent does', async () => {
    const odd = { ...REPLICATION, value: 'a\u0001' };
    expect(codeOf(await byOperator(odd))).toBe('422 invalid-request');
    expect(codeOf(await byAgent(odd))).toBe('200');
    expect(await cib()).toContain('value="a\u2401"');
  });

  it('leaves no secret in the arguments of an event', async () => {
    await byOperator({ ask: 'set-resource-value', resource: 'web', kind: 'instance_attributes', name: 'passwd', value: 'hunter2' });
    const [event] = await events('ConfigurationChanged');
    expect(event?.data['arguments']).toEqual({ resource: 'web', kind: 'instance_attributes', name: 'passwd' });
    expect(JSON.stringify(event)).not.toContain('hunter2');
  });
});
