import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient } from '@systole/api-client';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster } from '@systole/examples';
import { startCollector, type Collector, type ReceivedSpan } from '@systole/tracing/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerProcesses } from './server-processes.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLERS_SPAN = 'b7ad6b7169203331';
const PARAMETER = 'what-no-trace-may-say';
const CIB = `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
  <crm_config><cluster_property_set id="cps">
    <nvpair id="cps-fencing" name="stonith-enabled" value="false"/><nvpair id="cps-startup" name="startup-fencing" value="false"/>
  </cluster_property_set></crm_config>
  <nodes><node id="1" uname="alpha"/><node id="2" uname="bravo"/><node id="3" uname="charlie"/></nodes>
  <resources><primitive id="db" class="ocf" provider="pacemaker" type="Dummy">
    <instance_attributes id="db-p"><nvpair id="db-p-fake" name="fake" value="${PARAMETER}"/></instance_attributes>
  </primitive></resources><constraints/>
</configuration></cib>`;

describe('traces of a request, on an api, a worker and agents that are processes of their own', () => {
  let collector: Collector;
  let servers: ServerProcesses;
  let cluster: DemoCluster;
  const cleanups: (() => Promise<unknown>)[] = [];

  const call = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: object): Promise<Response> =>
    fetch(`${servers.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${servers.adminToken}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const inTrace = (traceId: string): readonly ReceivedSpan[] => collector.spans.filter((span) => span.traceId === traceId);
  const childOf = (parent: ReceivedSpan, name: string): ReceivedSpan => {
    const found = inTrace(parent.traceId).filter((span) => span.parentSpanId === parent.spanId && span.name === name);
    expect(found.map((span) => span.name)).toEqual([name]);
    return found[0] ?? parent;
  };

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'systole-traces-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    collector = await startCollector();
    cleanups.push(() => collector.close());
    const database = await createScratchDatabase();
    cleanups.push(() => database.drop());
    servers = await ServerProcesses.start({
      databaseUrl: database.url,
      leaseMs: 60_000,
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
    });
    cleanups.push(() => servers.stop());
    // Operators are served some time after agents.
    while (!(await fetch(`${servers.url}/health/ready/operators`)).ok) await sleep(200);
    const client = createSystoleClient({ baseUrl: servers.url, token: servers.adminToken });
    cluster = await DemoCluster.create({ client, serverUrl: servers.url, directory, cib: CIB, name: 'traced' });
    cleanups.push(() => cluster.stop());
  });
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  it('lead from the caller, over the request and the transition, to the stop on the node and its parts', async () => {
    await expect
      .poll(async () => (await cluster.view()).resources.find(({ id }) => id === 'db')?.activeOn.length, { timeout: 120_000 })
      .toBe(1);
    const answer = await call('POST', '/v1/clusters/traced/resources/db/commands/disable?wait=settled', {
      traceparent: `00-${TRACE}-${CALLERS_SPAN}-01`,
    });
    expect(answer.status, await answer.text()).toBe(200);
    await expect
      .poll(() => inTrace(TRACE).map(({ name }) => name), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['transition', 'stop db', 'report']));
    await expect.poll(() => inTrace(TRACE).filter(({ parentSpanId }) => parentSpanId === CALLERS_SPAN).length, { timeout: 60_000 }).toBe(1);
    const request = inTrace(TRACE).find(({ parentSpanId }) => parentSpanId === CALLERS_SPAN);
    if (request === undefined) throw new Error('no span has the caller for its parent');
    expect(request).toMatchObject({
      service: 'systole-api',
      name: expect.stringMatching(/^POST .*disable$/) as string,
      attributes: { 'http.response.status_code': 200 },
    });
    expect(childOf(request, 'plan')).toMatchObject({ service: 'systole-worker' });
    const transition = childOf(request, 'transition');
    expect(transition).toMatchObject({
      service: 'systole-worker',
      failed: false,
      attributes: { 'systole.transition.outcome': 'complete' },
    });
    const stop = childOf(transition, 'stop db');
    const [node] = (await cluster.eventsAfter(0)).flatMap(({ event }) =>
      event.type === 'OperationRecorded' && event.data.operation === 'stop' ? [event.data.node] : [],
    );
    expect(stop).toMatchObject({
      service: 'systole-api',
      failed: false,
      attributes: { 'systole.node': node, 'systole.resource': 'db', 'systole.operation.rc': 0 },
    });
    expect([stop.startMs >= transition.startMs, stop.endMs <= transition.endMs]).toEqual([true, true]);
    const parts = ['hand out', 'wait on the node', 'execute', 'report'].map((name) => childOf(stop, name));
    expect([parts[0]?.startMs, ...parts.map(({ endMs }) => endMs)]).toEqual([
      stop.startMs,
      ...parts.slice(1).map(({ startMs }) => startMs),
      stop.endMs,
    ]);
    const execute = childOf(stop, 'execute');
    expect(execute.endMs - execute.startMs).toBeGreaterThan(0);

    const events = await call('GET', `/v1/clusters/traced/events?correlation=${answer.headers.get('x-request-id') ?? ''}`);
    const { items } = (await events.json()) as { readonly items: readonly { readonly type: string }[] };
    expect(items.map(({ type }) => type)).toEqual([
      'ConfigurationChanged',
      'TransitionPlanned',
      'OperationRecorded',
      'TransitionCompleted',
    ]);
  });

  it('begin here where no caller brings one', async () => {
    const answer = await call('POST', '/v1/clusters/traced/resources/db/commands/enable?wait=settled');
    const traceId = (answer.headers.get('x-request-id') ?? '').replaceAll('-', '');
    const names = (): readonly string[] => inTrace(traceId).map(({ name }) => name);
    const beginnings = (): readonly ReceivedSpan[] => inTrace(traceId).filter(({ parentSpanId }) => parentSpanId === '');
    await expect.poll(names, { timeout: 60_000 }).toEqual(expect.arrayContaining(['start db', 'transition']));
    await expect.poll(() => beginnings().length, { timeout: 60_000 }).toBe(1);
    expect(beginnings()[0]?.name).toMatch(/^POST .*enable$/);
  });

  it('of a caller that does not keep its own are not kept here', async () => {
    const traceId = TRACE.replace('0af7', '1bf7');
    const answer = await call('POST', '/v1/clusters/traced/nodes/alpha/commands/maintenance?dryRun=true', {
      traceparent: `00-${traceId}-${CALLERS_SPAN}-00`,
    });
    expect(answer.headers.get('x-request-id')).toMatch(new RegExp(`\\.${traceId}-00$`));
    const kept = TRACE.replace('0af7', '2bf7');
    await call('GET', '/v1/clusters/traced/status', { traceparent: `00-${kept}-${CALLERS_SPAN}-01` });
    await expect.poll(() => inTrace(kept).length, { timeout: 60_000 }).toBe(1);
    expect(inTrace(traceId)).toEqual([]);
  });

  it('are not for strangers to begin, and not for nodes', async () => {
    const token = await call('POST', '/v1/tokens', {}, { role: 'agent', cluster: 'traced', node: 'alpha', name: 'asks' });
    const { secret } = (await token.json()) as { readonly secret: string };
    const traceId = TRACE.replace('0af7', '3bf7');
    for (const authorization of ['', 'Bearer not-a-token-of-this-server', `Bearer ${secret}`]) {
      const answer = await call('POST', '/v1/clusters', { authorization, traceparent: `00-${traceId}-${CALLERS_SPAN}-01` }, { name: 'x' });
      expect([401, 403]).toContain(answer.status);
      expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    }
    const kept = TRACE.replace('0af7', '4bf7');
    await call('GET', '/v1/clusters/traced', { traceparent: `00-${kept}-${CALLERS_SPAN}-01` });
    await expect.poll(() => inTrace(kept).length, { timeout: 60_000 }).toBe(1);
    expect(inTrace(traceId)).toEqual([]);
  });

  it('say nothing of parameters and tokens, and are counted', async () => {
    const said = ['stop db', PARAMETER, servers.adminToken].map((text) => collector.text.includes(text));
    expect(said).toEqual([true, false, false]);
    const metrics = await (await fetch(`${servers.url}/metrics`)).text();
    expect(metrics).toMatch(/^systole_trace_spans_total\{outcome="exported"\} [1-9]/m);
    expect(metrics).toMatch(/^systole_trace_spans_total\{outcome="dropped"\} 0$/m);
  });
});
