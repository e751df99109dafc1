import { unwrap, type components, type SystoleClient } from '@systole/api-client';
import { describeEvent } from '@systole/cluster';
import { shownAsOneLine } from '@systole/protocol';
import { clusterEvent } from '../render/cluster-event.js';
import { uncoloured } from '../render/paint.js';
import { renderStatus } from '../render/status.js';
import type { Collecting } from './collector.js';
import { crmMonText } from './crm-mon-text.js';

type Schemas = components['schemas'];
type Event = Schemas['EventDto'];

/** The time that a report is about, and how much of it is taken. */
export interface Extent {
  /** As the API takes times: ISO 8601, or an age. */
  readonly since: string;
  readonly until?: string;
  /** At most so many events of each cluster, the newest. */
  readonly events: number;
  /** Of so many transitions also the graph, the reasons and the input; and of as many that did not end as planned. */
  readonly transitions: number;
}

/** A cluster as a report tells of it first. */
export interface ClusterAccount {
  readonly name: string;
  readonly status: Schemas['StatusDto'] | undefined;
  /** The last failures, a line each, the newest first. */
  readonly failures: readonly string[];
  /** What happened, without what is everyday, a line each, the newest first. */
  readonly timeline: readonly string[];
}

/** The server as a report tells of it first. */
export interface ServerAccount {
  /** As `/health/ready` says it. */
  readonly health: unknown;
}

const MOST_AUDIT_ENTRIES = 5_000;
const MOST_STARTS = 50;
const MOST_DELIVERIES = 200;
const MOST_ALERT_RUNS = 2_000;
const MOST_FAILURES_TOLD = 20;
const MOST_TOLD = 100;

/** What is of no cluster. */
export async function takeServer(collecting: Collecting, client: SystoleClient, { since, until }: Extent): Promise<ServerAccount> {
  const window = { since, ...(until === undefined ? {} : { until }) };
  const health = await collecting.document(
    'server/health.json',
    'whether the server that answered is ready: database, queue, log, workers, webhooks',
    () => client.GET('/health/ready'),
    503,
  );
  await collecting.text('server/metrics.txt', 'its metrics: requests, queue, database, build', () =>
    client.GET('/metrics', { parseAs: 'text' }),
  );
  await collecting.list('server/clusters.ndjson', 'the clusters that the caller may see', {
    most: 10_000,
    read: (page) => client.GET('/v1/clusters', { params: { query: page } }),
  });
  await collecting.list('server/starts.ndjson', 'when servers and workers were started, and with which settings; the newest first', {
    most: MOST_STARTS,
    read: (page) => client.GET('/v1/audit', { params: { query: { type: ['ServerStarted'], order: 'desc', ...page } } }),
  });
  await collecting.list('server/audit.ndjson', 'who did what on the server; the newest first', {
    most: MOST_AUDIT_ENTRIES,
    read: (page) => client.GET('/v1/audit', { params: { query: { ...window, order: 'desc', ...page } } }),
  });
  const webhooks = await collecting.document('server/webhooks.json', 'webhooks, and how far each is behind; of addresses the host', () =>
    client.GET('/v1/webhooks', { params: { query: { limit: 1_000 } } }),
  );
  const ids = webhooks?.items.map((webhook) => webhook.id);
  for (const id of collecting.those(ids, '<id>')) {
    await collecting.list(`server/webhook-deliveries/${id}.ndjson`, 'its newest attempts to deliver', {
      most: MOST_DELIVERIES,
      read: (page) => client.GET('/v1/webhooks/{id}/deliveries', { params: { path: { id }, query: page } }),
    });
  }
  return { health };
}

/** What is of one cluster. */
export async function takeCluster(
  collecting: Collecting,
  client: SystoleClient,
  { id, name }: Pick<Schemas['ClusterDto'], 'id' | 'name'>,
  extent: Extent,
): Promise<ClusterAccount> {
  const of = { collecting, client, at: `clusters/${name}`, path: { cluster: id } };
  const status = await takeStatus(of);
  await takeState(of);
  const told = await takeEvents(of, extent);
  await takeTransitions(of, extent);
  return { name, status, ...told };
}

interface Of {
  readonly collecting: Collecting;
  readonly client: SystoleClient;
  /** Folder of the cluster. */
  readonly at: string;
  readonly path: { readonly cluster: string };
}

async function takeStatus({ collecting, client, at, path }: Of): Promise<Schemas['StatusDto'] | undefined> {
  const found = await collecting.document(`${at}/status.json`, 'its status: nodes, resources, failures, troubles, findings', () =>
    client.GET('/v1/clusters/{cluster}/status', { params: { path }, headers: { accept: 'application/json' } }),
  );
  const status = typeof found === 'string' ? undefined : found;
  await collecting.made(`${at}/status.txt`, 'the same as "systole status --all" shows it', () => {
    if (status === undefined) throw new Error('the status could not be had');
    return `${renderStatus(shownAsOneLine(status), uncoloured, { all: true }).join('\n')}\n`;
  });
  await collecting.text(`${at}/crm_mon.xml`, 'the same as crm_mon --output-as=xml prints it', () =>
    client.GET('/v1/clusters/{cluster}/status', { params: { path }, headers: { accept: 'application/xml' }, parseAs: 'text' }),
  );
  return status;
}

async function takeState({ collecting, client, at, path }: Of): Promise<void> {
  const params = { params: { path } };
  const fencing = await collecting.document(`${at}/fencing.json`, 'how nodes were fenced, and are being', () =>
    client.GET('/v1/clusters/{cluster}/fencing', params),
  );
  const cib = await collecting.text(`${at}/cib.xml`, 'configuration and status, as crm_simulate reads it', () =>
    client.GET('/v1/clusters/{cluster}/cib', { ...params, headers: { accept: 'application/xml' }, parseAs: 'text' }),
  );
  await collecting.made(`${at}/crm_mon.txt`, 'the status as crm_mon shows it, with all sections', () => {
    if (cib === undefined) throw new Error('the CIB could not be had');
    return crmMonText(cib, fencing?.history ?? [], Math.floor(Date.now() / 1_000));
  });
  await collecting.text(`${at}/configuration.xml`, 'its configuration alone', () =>
    client.GET('/v1/clusters/{cluster}/configuration', { ...params, headers: { accept: 'application/xml' }, parseAs: 'text' }),
  );
  await collecting.document(`${at}/secrets.json`, 'which secrets the server keeps for it: whose they are, never their values', () =>
    client.GET('/v1/clusters/{cluster}/secrets', params),
  );
  await collecting.document(`${at}/nodes.json`, 'its nodes: leases, versions of agents, who put them in standby and why', () =>
    client.GET('/v1/clusters/{cluster}/nodes', params),
  );
  await collecting.document(`${at}/agents.json`, 'resource and fence agents that its nodes have told of', () =>
    client.GET('/v1/clusters/{cluster}/metadata/agents', params),
  );
  await collecting.document(`${at}/fail-counts.json`, 'how often operations failed', () =>
    client.GET('/v1/clusters/{cluster}/fail-counts', params),
  );
  await collecting.document(`${at}/tickets.json`, 'its tickets', () => client.GET('/v1/clusters/{cluster}/tickets', params));
  await collecting.document(`${at}/explanation.json`, 'where its resources go and why, at present', () =>
    client.GET('/v1/clusters/{cluster}/explanation', params),
  );
  await collecting.text(`${at}/metrics.txt`, 'its metrics', () =>
    client.GET('/v1/clusters/{cluster}/metrics', { ...params, parseAs: 'text' }),
  );
  await collecting.list(`${at}/alert-runs.ndjson`, 'runs of the programs of alerts, with what they printed; the newest first', {
    most: MOST_ALERT_RUNS,
    read: (page) => client.GET('/v1/clusters/{cluster}/alert-runs', { params: { path, query: page } }),
  });
}

/** Happens all the time, and says little to somebody who reads what led to what. */
const EVERYDAY: ReadonlySet<string> = new Set(['NodeAttributeSet', 'NodeAttributeCleared', 'TransitionPlanned', 'TransitionCompleted']);

async function takeEvents(
  { collecting, client, at, path }: Of,
  { since, until, events }: Extent,
): Promise<Pick<ClusterAccount, 'failures' | 'timeline'>> {
  const failures: string[] = [];
  const timeline: string[] = [];
  const failed: Event[] = [];
  const query = { since, ...(until === undefined ? {} : { until }), order: 'desc' as const };
  await collecting.list<Event>(`${at}/events.ndjson`, 'its events; the newest first', {
    most: events,
    read: (page) => client.GET('/v1/clusters/{cluster}/events', { params: { path, query: { ...query, ...page } } }),
    each: (event) => {
      const { mood, routine, text } = describedBy(event);
      const isFailure = event.type === 'OperationRecorded' && mood === 'bad';
      if (isFailure) failed.push(event);
      const isTold = mood === 'bad' || (!routine && event.type !== 'OperationRecorded' && !EVERYDAY.has(event.type));
      if (isFailure && failures.length < MOST_FAILURES_TOLD) failures.push(text);
      if (isTold && timeline.length < MOST_TOLD) timeline.push(text);
    },
  });
  await collecting.made(
    `${at}/failed-operations.ndjson`,
    'those of them that tell of a failed operation, with what its agent printed',
    () => failed.map((event) => `${JSON.stringify(event)}\n`).join(''),
  );
  return { failures, timeline };
}

function describedBy(told: Event): { readonly text: string; readonly mood: string; readonly routine: boolean } {
  const event = shownAsOneLine(told);
  const { text, mood, routine } = describeEvent(clusterEvent(event), event.actor);
  return { text: `${event.occurredAt}  ${event.actor}: ${text}`, mood, routine };
}

async function takeTransitions({ collecting, client, at, path }: Of, { since, until, transitions }: Extent): Promise<void> {
  const query = { since, ...(until === undefined ? {} : { until }), limit: 1_000 };
  const list = await collecting.document(`${at}/transitions.json`, 'what was planned, why and how it went; the newest first', () =>
    client.GET('/v1/clusters/{cluster}/transitions', { params: { path, query } }),
  );
  const meant = list && chosen(list.items, transitions).map((one) => ({ number: String(one.number), inputVersion: one.inputVersion }));
  for (const { number, inputVersion } of collecting.those(meant, { number: '<number>', inputVersion: 0 })) {
    const of = { params: { path: { ...path, number } } };
    const place = `${at}/transitions/${number}`;
    await collecting.document(`${place}.json`, 'a transition with its graph', () =>
      client.GET('/v1/clusters/{cluster}/transitions/{number}', { ...of, headers: { accept: 'application/json' } }),
    );
    await collecting.document(`${place}.explanation.json`, 'why it does what it does', () =>
      client.GET('/v1/clusters/{cluster}/transitions/{number}/explanation', of),
    );
    await collecting.text(
      `${place}.input.xml`,
      'what it was computed from: crm_simulate -x …, with -t and the "now" of the transition',
      () =>
        client.GET('/v1/clusters/{cluster}/cib', {
          params: { path, query: { version: inputVersion } },
          headers: { accept: 'application/xml' },
          parseAs: 'text',
        }),
    );
  }
}

/** The newest, and the newest that did not end as planned. */
function chosen(items: readonly Schemas['TransitionDto'][], most: number): readonly Schemas['TransitionDto'][] {
  const newest = new Set(items.slice(0, most));
  const others = items.filter((transition) => !newest.has(transition) && isAmiss(transition));
  return [...newest, ...others.slice(0, most)];
}

function isAmiss({ outcome, abortReason }: Schemas['TransitionDto']): boolean {
  return abortReason !== undefined || (outcome?.failed ?? 0) > 0;
}

/** The clusters that a report is about. @param named ids or names; none: all that the caller may see @throws {ProblemError} for one that is not there */
export async function clustersOf(
  client: SystoleClient,
  named: readonly string[],
  all: () => Promise<readonly Schemas['ClusterDto'][]>,
): Promise<readonly Schemas['ClusterDto'][]> {
  if (named.length === 0) return all();
  const found: Schemas['ClusterDto'][] = [];
  for (const cluster of named) {
    const one = unwrap(await client.GET('/v1/clusters/{cluster}', { params: { path: { cluster } } }));
    if (!found.some(({ id }) => id === one.id)) found.push(one);
  }
  return found;
}
