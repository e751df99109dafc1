import { createApi } from '@systole/api';
import { createScratchDatabase } from '@systole/event-store/testing';
import fc from 'fast-check';
import type { Pool } from 'pg';
import type { ApiDocument } from '../api-document.js';
import { ResponseContract } from '../response-contract.js';
import { CLUSTER, requestsTo, type FuzzRequest } from './requests.js';

/** Something that must not be, and the request that shows it. */
export interface Find {
  /** The same for all requests that show the same. */
  readonly signature: string;
  readonly request: FuzzRequest;
  readonly answer: string;
}

export interface Campaign {
  readonly requests: number;
  /** How many requests were answered with each status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Operations that were done, at least once. */
  readonly succeeded: ReadonlySet<string>;
  readonly finds: readonly Find[];
}

export interface CampaignOptions {
  readonly document: ApiDocument;
  readonly seed: number;
  readonly forMs: number;
  /** At most so many. */
  readonly requests?: number;
  readonly onFind?: (find: Find) => void;
}

const ADMIN = 'admin-token-of-the-api-fuzzer';
/** Requests to one cluster; then a new one is made, because some delete it. */
const TURN = 60;
/** No request takes so long; what waits for something waits less here, ms. */
const PATIENCE_MS = 60_000;
const RATE = { perSecond: 1_000_000, burst: 1_000_000 };

/**
 * Sends requests to a real server with a database of its own, one after the other, and looks after each: no answer with a status of 500 and above, none that the document does not have, no
 * change without an event, no event for what was refused, only read, or only tried.
 */
export async function runCampaign({ document, seed, forMs, requests: most = Infinity, onFind }: CampaignOptions): Promise<Campaign> {
  const database = await createScratchDatabase();
  const api = await createApi({
    databaseUrl: database.url,
    port: 0,
    logLevel: 'silent',
    adminToken: ADMIN,
    pollMs: 50,
    limits: { requests: RATE, duties: RATE, wrongTokens: RATE },
  });
  try {
    const contract = new ResponseContract(document);
    const arbitrary = requestsTo(document);
    const until = Date.now() + forMs;
    const finds = new Map<string, Find>();
    const statuses: Record<number, number> = {};
    const succeeded = new Set<string>();
    let sent = 0;
    for (let turn = 0; Date.now() < until && sent < most; turn++) {
      const server = await Turn.begin(api.url, database.pool, contract, turn);
      for (const request of fc.sample(arbitrary, { seed: seed + turn, numRuns: TURN })) {
        if (Date.now() >= until || sent >= most) break;
        const { status, faults, answer } = await server.send(request);
        sent += 1;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status < 300) succeeded.add(request.operationId);
        for (const fault of faults) {
          const signature = `${request.method} ${request.operationId}: ${fault}`;
          if (finds.has(signature)) continue;
          const find = { signature, request, answer: answer.slice(0, 1_000) };
          finds.set(signature, find);
          onFind?.(find);
        }
      }
    }
    return { requests: sent, statuses, succeeded, finds: [...finds.values()] };
  } finally {
    await api.close();
    await database.drop();
  }
}

interface Seen {
  readonly status: number;
  readonly faults: readonly string[];
  readonly answer: string;
}

/** A cluster, the token of an agent of it, and requests to it. */
class Turn {
  private constructor(
    private readonly url: string,
    private readonly pool: Pool,
    private readonly contract: ResponseContract,
    private readonly cluster: string,
    private readonly agent: string,
  ) {}

  static async begin(url: string, pool: Pool, contract: ResponseContract, number: number): Promise<Turn> {
    const make = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
      const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as Readonly<Record<string, unknown>>;
    };
    const { id: cluster } = await make('/v1/clusters', { name: `turn-${number}`, cib: CIB });
    const token = await make('/v1/tokens', { role: 'agent', name: `turn-${number}-n1`, cluster, node: 'n1' });
    return new Turn(url, pool, contract, String(cluster), String(token['secret']));
  }

  async send(request: FuzzRequest): Promise<Seen> {
    const { method, query, headers, body, operationId } = request;
    const path = request.path.replace(CLUSTER, this.cluster);
    const isAgent = path.startsWith('/v1/agent/');
    const search = query.map(([name, value]) => `${component(name)}=${component(value)}`).join('&');
    const before = await this.#log();
    const client = new AbortController();
    let response: Response;
    let text = '';
    try {
      response = await fetch(`${this.url}${path}${search === '' ? '' : `?${search}`}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${isAgent ? this.agent : ADMIN}` },
        ...(body === undefined ? {} : { body: body.toWellFormed() }),
        signal: AbortSignal.any([client.signal, AbortSignal.timeout(PATIENCE_MS)]),
      });
      if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) client.abort();
      else text = await response.text();
    } catch (error) {
      return { status: 0, faults: [`no answer: ${reasonOf(error)}`], answer: '' };
    }
    const { status } = response;
    const after = await this.#log();
    const faults: string[] = [];
    if (status >= 500) faults.push(`status ${status}`);
    const { pathname } = new URL(`${this.url}${path}`);
    const contractFault = this.contract.faultOf({ method, path: pathname, status, headers: response.headers, text });
    if (contractFault !== undefined) faults.push(`not as described: ${contractFault.replace(/\d+/g, 'N').slice(0, 300)}`);
    const isTried = query.some(([name, value]) => name === 'dryRun' && value === 'true') || /^(simulate|tryLosses)$/.test(operationId);
    const appended = after.events > before.events;
    // What agents say is a fact: that one was refused is in the log, too.
    const mayAppend = isAgent || (status < 400 && method !== 'GET' && !isTried);
    if (appended && !mayAppend) faults.push(`events were appended (status ${status})`);
    if (!appended && after.state !== before.state) faults.push(`a change without an event (status ${status})`);
    if (!isAgent && (status >= 400 || isTried) && after.tokens !== before.tokens) faults.push(`tokens were changed (status ${status})`);
    return { status, faults, answer: text };
  }

  /** Events of clusters; and what is kept beside them of the clusters and tokens, as a text. */
  async #log(): Promise<{ readonly events: number; readonly state: string; readonly tokens: string }> {
    const { rows } = await this.pool.query<{ events: string; state: string; tokens: string }>(STATE, [this.cluster]);
    const [row] = rows;
    return { events: Number(row?.events ?? 0), state: row?.state ?? '', tokens: row?.tokens ?? '' };
  }
}

/** Streams of clusters are named by their ids alone. The rows of a cluster are projections: they change with events only. */
const STATE = `
  SELECT (SELECT count(*) FROM events WHERE stream_id ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$') AS events,
         (SELECT coalesce(string_agg(id::text || name || coalesce(deleted_at::text, ''), ',' ORDER BY id), '') FROM clusters) AS state,
         (SELECT count(*) || ' ' || count(revoked_at) FROM tokens) AS tokens
  WHERE $1::text IS NOT NULL`;

function component(text: string): string {
  return encodeURIComponent(text.toWellFormed().slice(0, 2_000));
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message.replace(/\d+/g, 'N') : String(cause);
}

/** Something of everything. */
const CIB = `<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0">
  <configuration>
    <crm_config><cluster_property_set id="cib-bootstrap-options"><nvpair id="o1" name="dc-deadtime" value="1s"/></cluster_property_set></crm_config>
    <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
    <resources>
      <primitive id="web" class="ocf" provider="systole" type="Dummy">
        <operations><op id="web-monitor" name="monitor" interval="10s" timeout="5s"/></operations>
      </primitive>
      <primitive id="fence" class="stonith" type="fence_systole_demo"/>
      <group id="app"><primitive id="ip" class="ocf" provider="systole" type="Dummy"/><primitive id="db" class="ocf" provider="systole" type="Dummy"/></group>
      <clone id="app-clone"><meta_attributes id="m"><nvpair id="m1" name="promotable" value="true"/></meta_attributes><primitive id="st" class="ocf" provider="systole" type="Dummy"/></clone>
    </resources>
    <constraints>
      <rsc_location id="web-on-n1" rsc="web" node="n1" score="50"/>
      <rsc_ticket id="t" rsc="app" ticket="ticketA"/>
    </constraints>
  </configuration>
  <status/>
</cib>`;
