import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROTOCOL } from '@systole/protocol';
import { send, sendOk } from './api-calls.js';
import { costlyCib } from './costly-cib.js';
import type { Viewed } from './costly-requests.js';
import type { ViewersAnswers, ViewersTask } from './viewers-process.js';

export interface UnderViewersOptions {
  /** Base URL of the api. */
  readonly url: string;
  readonly adminToken: string;
  readonly viewers: number;
  /** With viewers; without them it is measured for a third of that before. */
  readonly seconds: number;
}

/** What agents noticed during a while. */
export interface Polls {
  /** Times of polls that only renew a lease, ms, ascending. */
  readonly times: readonly number[];
  /** Polls that were not answered 200. */
  readonly refused: readonly number[];
}

export interface UnderViewers {
  /** Before the viewers came, on the same machine with whatever else it did. */
  readonly quiet: Polls;
  readonly loaded: Polls;
  /** Leases that ended all the same, as the log says. */
  readonly leasesLost: number;
  readonly answers: ViewersAnswers;
}

interface Agent {
  readonly token: string;
  readonly incarnation: number;
}

const AGENTS = 5;
const POLL_EVERY_MS = 100;
/** Requests of one viewer that are under way at a time. */
const AT_ONCE = 6;
/** A poll that takes so long is not waited for: the agent would have sent the next one, ms. */
const GIVE_UP_MS = 10_000;

/**
 * Lets viewers, in a process of their own, ask for the costliest that they may, as often as they can, and measures how long the agents' renewals of their
 * leases take meanwhile, and before.
 */
export async function underViewers({ url, adminToken, viewers, seconds }: UnderViewersOptions): Promise<UnderViewers> {
  const viewed: Viewed = { small: `small-${process.pid}-${Date.now()}`, large: `large-${process.pid}-${Date.now()}` };
  await sendOk(url, 'POST', '/v1/clusters', adminToken, { json: { name: viewed.small, cib: costlyCib(200, AGENTS) } });
  await makeLarge(url, adminToken, viewed.large);
  const tokenFor = async (holder: object): Promise<string> =>
    String((await sendOk(url, 'POST', '/v1/tokens', adminToken, { json: holder }))['secret']);
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, async (_, index): Promise<Agent> => {
      const node = `n${index + 1}`;
      const token = await tokenFor({ role: 'agent', name: node, cluster: viewed.small, node });
      const joined = await sendOk(url, 'POST', '/v1/agent/join', token, {
        json: { protocol: PROTOCOL, agentVersion: 'load', bootId: node },
      });
      return { token, incarnation: Number(joined['incarnation']) };
    }),
  );
  const tokens = await Promise.all(Array.from({ length: viewers }, (_, index) => tokenFor({ role: 'viewer', name: `v${index}` })));

  const quiet = await pollsWhile(url, agents, sleep((seconds * 1_000) / 3));
  const asking = viewersAsk({ url, tokens, viewed, atOnce: AT_ONCE, seconds });
  const loaded = await pollsWhile(url, agents, asking);
  const lost = await sendOk(url, 'GET', `/v1/clusters/${viewed.small}/events?type=NodeLeaseLost&limit=${AGENTS}`, adminToken);
  return { quiet, loaded, leasesLost: (lost['items'] as readonly unknown[]).length, answers: await asking };
}

/** The value that so many of a hundred are not above. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** A cluster of a thousand resources, all of which were changed a few times. */
async function makeLarge(url: string, adminToken: string, name: string): Promise<void> {
  await sendOk(url, 'POST', '/v1/clusters', adminToken, { json: { name } });
  for (const interval of ['10s', '11s', '12s']) {
    const content = costlyCib(1_000, 10).replaceAll('interval="10s"', `interval="${interval}"`);
    await sendOk(url, 'PUT', `/v1/clusters/${name}/cib`, adminToken, {
      headers: { 'if-match': '*' },
      body: { type: 'application/xml', content },
    });
  }
}

async function pollsWhile(url: string, agents: readonly Agent[], during: Promise<unknown>): Promise<Polls> {
  const ended = new AbortController();
  const end = during.finally(() => {
    ended.abort();
  });
  const times: number[] = [];
  const refused: number[] = [];
  const poll = async ({ token, incarnation }: Agent): Promise<void> => {
    const start = performance.now();
    const { status } = await send(url, 'POST', '/v1/agent/poll', token, { json: { incarnation, waitMs: 0, known: [] } });
    times.push(performance.now() - start);
    if (status !== 200) refused.push(status);
  };
  await Promise.all(
    agents.map(async (agent) => {
      while (!ended.signal.aborted) {
        // A late answer still counts with its time; the next poll does not wait for it.
        await Promise.race([poll(agent), sleep(GIVE_UP_MS)]);
        await sleep(POLL_EVERY_MS);
      }
    }),
  );
  await end;
  return { times: times.sort((a, b) => a - b), refused };
}

/** @throws {Error} when the viewers' process ends without saying what they were answered */
async function viewersAsk(task: ViewersTask): Promise<ViewersAnswers> {
  // The compiled entry, also under the test runner: Node starts processes only from JavaScript.
  const entry = new URL('./viewers-process.js', import.meta.url.replace('/test/load/', '/test/dist/load/'));
  const child = fork(fileURLToPath(entry), [JSON.stringify(task)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const [answers] = (await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('the viewers’ process ended early'))),
  ])) as [ViewersAnswers];
  child.disconnect();
  await exited;
  return answers;
}
