import { serializeXml, type XmlElement } from '@systole/cib';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendOk } from '../viewers/api-calls.js';
import type { AgentsLoad } from './agents-load.js';
import type { Served } from './served.js';

const TOKENS_AT_ONCE = 16;
const LOOK_MS = 200;

export interface FilledClusterOptions {
  readonly name: string;
  readonly cib: XmlElement;
  /** Names of those whose agents join. */
  readonly nodes: readonly string[];
  /** Counts the addresses of agents, so that those of other clusters have others; default 0. */
  readonly firstAddress?: number;
}

/** A cluster on a served product, with simulated agents. */
export class FilledCluster {
  private constructor(
    private readonly served: Served,
    readonly id: string,
    readonly name: string,
  ) {}

  /** Makes a cluster, and tokens for its nodes, and has agents join. */
  static async make(
    served: Served,
    load: AgentsLoad,
    { name, cib, nodes, firstAddress = 0 }: FilledClusterOptions,
  ): Promise<FilledCluster> {
    const made = await sendOk(served.url, 'POST', '/v1/clusters', served.adminToken, { json: { name, cib: serializeXml(cib) } });
    const cluster = new FilledCluster(served, String(made['id']), name);
    const tokens = await tokensOf(served, cluster.id, nodes);
    const agents = nodes.map((node, index) => ({
      // Agents have the same servers and begin with different ones.
      urls: served.urls.map((_, place) => served.urls[(index + place) % served.urls.length] ?? ''),
      cluster: cluster.id,
      node,
      token: tokens[index] ?? '',
      localAddress: addressOf(firstAddress + index),
    }));
    const joined = await load.order('join', { agents });
    if (joined < nodes.length) throw new Error(`${nodes.length - joined} of ${nodes.length} agents could not join`);
    return cluster;
  }

  async configure(cib: XmlElement): Promise<void> {
    await sendOk(this.served.url, 'PUT', `/v1/clusters/${this.id}/cib`, this.served.adminToken, {
      headers: { 'if-match': '*' },
      body: { type: 'application/xml', content: serializeXml(cib) },
    });
  }

  /**
   * Waits until nothing is left to do and says since when, epoch ms: from the log, when the newest transition was completed.
   * @throws {Error} when that takes too long
   */
  async settled(withinMs: number): Promise<number> {
    const until = Date.now() + withinMs;
    while (Date.now() < until) {
      const [newest] = itemsOf(await this.get('transitions?limit=1'));
      const atRest = newest !== undefined && newest['status'] !== 'running';
      if (atRest && (await this.status())['settled'] === true) return this.completedAt();
      await sleep(LOOK_MS);
    }
    const { waitingFor, troubles } = await this.status();
    throw new Error(`${this.name} did not settle within ${withinMs} ms: ${JSON.stringify({ waitingFor, troubles })}`);
  }

  private async completedAt(): Promise<number> {
    const [completed] = itemsOf(await this.get('events?type=TransitionCompleted&order=desc&limit=1'));
    return Date.parse(String(completed?.['occurredAt']));
  }

  private status(): Promise<Readonly<Record<string, unknown>>> {
    return this.get('status');
  }

  private async get(path: string): Promise<Readonly<Record<string, unknown>>> {
    const { url, adminToken } = this.served;
    const answer = await fetch(`${url}/v1/clusters/${this.id}/${path}`, { headers: { authorization: `Bearer ${adminToken}` } });
    if (!answer.ok) throw new Error(`${path} of ${this.name} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  }
}

function itemsOf({ items }: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(items) ? (items as readonly Readonly<Record<string, unknown>>[]) : [];
}

async function tokensOf({ url, adminToken }: Served, cluster: string, nodes: readonly string[]): Promise<readonly string[]> {
  const tokens: string[] = [];
  const left = nodes.entries();
  const inTurn = Array.from({ length: TOKENS_AT_ONCE }, async () => {
    for (const [index, node] of left) {
      const made = await sendOk(url, 'POST', '/v1/tokens', adminToken, { json: { role: 'agent', name: node, cluster, node } });
      tokens[index] = String(made['secret']);
    }
  });
  await Promise.all(inTurn);
  return tokens;
}

/** Each node is a machine of its own: in 127.0.0.0/8, all of which is this machine. */
function addressOf(number: number): string {
  return `127.${1 + ((number >> 16) & 0x7f)}.${(number >> 8) & 0xff}.${number & 0xff}`;
}
