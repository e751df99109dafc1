import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { costlyCib } from './costly-cib.js';

export interface UnderViewersOptions {
  /** Base URL of the api. */
  readonly url: string;
  readonly adminToken: string;
  readonly viewers: number;
  readonly seconds: number;
}

/** What the agents noticed of the viewers. */
export interface UnderViewers {
  /** Times of polls that only renew a lease, ms, ascending. */
  readonly polls: readonly number[];
  /** Polls that were not answered 200. */
  readonly refusedPolls: readonly number[];
  /** Answers that the viewers got, by status. */
  readonly answers: Readonly<Record<string, number>>;
}

const AGENTS = 5;
const POLL_EVERY_MS = 100;
/** What one viewer asks at a time. */
const AT_ONCE = 6;
const COSTLY = costlyCib(1_500, 32);
const BOMB = gzipSync(`{"element":"cib","children":[${'{"element":"a"},'.repeat(4_000_000)}{"element":"a"}]}`);

/** Lets viewers ask for the costliest that they may, as often as they can, and measures how long the agents' renewals of their leases take meanwhile. */
export async function underViewers({ url, adminToken, viewers, seconds }: UnderViewersOptions): Promise<UnderViewers> {
  const api = new Api(url);
  const cluster = `viewed-${process.pid}-${Date.now()}`;
  await api.send('POST', '/v1/clusters', adminToken, { json: { name: cluster, cib: costlyCib(200, AGENTS) } });
  const agents = await Promise.all(Array.from({ length: AGENTS }, (_, index) => api.agent(adminToken, cluster, `n${index + 1}`)));
  const tokens = await Promise.all(
    Array.from({ length: viewers }, (_, index) => api.token(adminToken, { role: 'viewer', name: `v${index}` })),
  );

  const until = performance.now() + seconds * 1_000;
  const answers: Record<string, number> = {};
  const asking = tokens.flatMap((token) =>
    Array.from({ length: AT_ONCE }, async (_, place) => {
      for (let turn = place; performance.now() < until; turn++) {
        const status = await api.ask(cluster, token, turn);
        answers[status] = (answers[status] ?? 0) + 1;
        // Who is told to come later comes a little later.
        if (status === '429' || status === '503') await sleep(50);
      }
    }),
  );
  const polls: number[] = [];
  const refusedPolls: number[] = [];
  await Promise.all(
    agents.map(async ({ token, incarnation }) => {
      while (performance.now() < until) {
        const start = performance.now();
        const status = await api.send('POST', '/v1/agent/poll', token, { json: { incarnation, waitMs: 0, known: [] } });
        polls.push(performance.now() - start);
        if (status.status !== 200) refusedPolls.push(status.status);
        await sleep(POLL_EVERY_MS);
      }
    }),
  );
  await Promise.all(asking);
  return { polls: polls.sort((a, b) => a - b), refusedPolls, answers };
}

/** The value that so many of a hundred are not above. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

interface Sent {
  readonly json?: unknown;
  readonly body?: { readonly type: string; readonly content: string | Buffer; readonly encoding?: string };
}

class Api {
  constructor(private readonly url: string) {}

  async send(
    method: string,
    path: string,
    token: string,
    { json, body }: Sent = {},
  ): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
    const content = json === undefined ? body?.content : JSON.stringify(json);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(content === undefined ? {} : { 'content-type': body?.type ?? 'application/json' }),
        ...(body?.encoding === undefined ? {} : { 'content-encoding': body.encoding }),
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    const answered: unknown = text.startsWith('{') && text.length < 10_000 ? JSON.parse(text) : {};
    return { status: response.status, json: answered as Record<string, unknown> };
  }

  async token(adminToken: string, holder: object): Promise<string> {
    const { json } = await this.send('POST', '/v1/tokens', adminToken, { json: holder });
    return String(json['secret']);
  }

  async agent(adminToken: string, cluster: string, node: string): Promise<{ readonly token: string; readonly incarnation: number }> {
    const token = await this.token(adminToken, { role: 'agent', name: node, cluster, node });
    const { json } = await this.send('POST', '/v1/agent/join', token, { json: { agentVersion: 'load', bootId: node } });
    return { token, incarnation: Number(json['incarnation']) };
  }

  /** One of the costly things that a viewer may ask. @returns the status; `closed` when the connection was */
  async ask(cluster: string, token: string, turn: number): Promise<string> {
    const of = `/v1/clusters/${cluster}`;
    const ways: readonly (() => Promise<{ readonly status: number }>)[] = [
      () => this.send('POST', '/v1/simulate?explain=true&parts=true', token, { body: { type: 'application/xml', content: COSTLY } }),
      () => this.send('POST', '/v1/simulate', token, { body: { type: 'application/json', content: BOMB, encoding: 'gzip' } }),
      () => this.send('GET', `${of}/cib`, token),
      () => this.send('GET', `${of}/status`, token),
      () => this.send('GET', `${of}/explanation?parts=true`, token),
      () => this.send('GET', `${of}/events?limit=1000`, token),
      () => this.send('GET', `${of}/status?version=1`, token),
    ];
    const way = ways[turn % ways.length];
    return way === undefined
      ? 'none'
      : way().then(
          ({ status }) => String(status),
          () => 'closed',
        );
  }
}
