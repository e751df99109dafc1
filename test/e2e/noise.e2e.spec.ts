import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient, unwrap, type SystoleClient } from '@systole/api-client';
import { hasMountNamespaces } from '@systole/examples';
import { PROTOCOL } from '@systole/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentsLab, prefersAlpha, scripted } from './agents-lab.js';

const NOISE_MS = 6_000;
/** Without noise it takes a second, with it one to three; machines that are busy otherwise need longer. */
const RECOVERED_WITHIN_MS = 10_000;

let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
});

interface Flood {
  readonly answers: ReadonlyMap<number, number>;
  readonly stop: () => Promise<void>;
}

/** Somebody with the token of a node of their own, who says one thing after another. */
class Noise {
  private incarnation = 0;
  private said = 0;

  private constructor(
    private readonly client: SystoleClient,
    private readonly clusterId: string,
  ) {}

  static async join(at: AgentsLab): Promise<Noise> {
    const issued = unwrap(
      await at.client.POST('/v1/tokens', { body: { role: 'agent', cluster: at.cluster.id, node: 'noise', name: 'agent-noise' } }),
    );
    if (!('secret' in issued)) throw new Error('no secret came with the token');
    const noise = new Noise(createSystoleClient({ baseUrl: at.url, token: issued.secret }), at.cluster.id);
    await noise.join();
    return noise;
  }

  async join(): Promise<number> {
    this.said += 1;
    const body = { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'noise', attempt: { processStartedMs: 1, number: this.said } };
    const { response, data } = await this.client.POST('/v1/agent/join', { body });
    if (data !== undefined) this.incarnation = data.incarnation;
    return response.status;
  }

  async poll(): Promise<void> {
    await this.client.POST('/v1/agent/poll', { body: { incarnation: this.incarnation, waitMs: 0, known: [] } });
  }

  async attribute(): Promise<number> {
    this.said += 1;
    const changes = [{ name: 'pingd', value: String(this.said), lifetime: 'reboot' as const }];
    return (await this.client.POST('/v1/agent/attributes', { body: { incarnation: this.incarnation, changes } })).response.status;
  }

  async unread(): Promise<number> {
    this.said += 1;
    const changes = [{ name: 'replay-lag', value: String(this.said), lifetime: 'reboot' as const }];
    return (await this.client.POST('/v1/agent/attributes', { body: { incarnation: this.incarnation, changes } })).response.status;
  }

  async monitor(): Promise<number> {
    this.said += 1;
    const result = {
      resultId: `noise-${String(this.said)}`,
      actionId: `${this.clusterId}:1:1`,
      transitionKey: `1:1:7:${this.clusterId}`,
      resource: { id: 'other', historyId: 'other', class: 'ocf', provider: 'test', type: 'Scripted' },
      operation: 'monitor',
      intervalMs: 1_000,
      status: 'done' as const,
      rc: 7,
      callId: this.said,
      startedAt: Math.floor(Date.now() / 1000),
      execMs: 1,
      queueMs: 0,
      recurring: true,
    };
    return (await this.client.POST('/v1/agent/results', { body: { incarnation: this.incarnation, results: [result] } })).response.status;
  }

  flood(say: () => Promise<number>, perSecond: number): Flood {
    const answers = new Map<number, number>();
    const ended = new AbortController();
    const open = new Set<Promise<void>>();
    const speaking = (async () => {
      const begun = performance.now();
      for (let sent = 0; !ended.signal.aborted; sent += 1) {
        const one = say()
          .then((status) => void answers.set(status, (answers.get(status) ?? 0) + 1))
          .finally(() => open.delete(one));
        open.add(one);
        if (open.size > 64) await Promise.race(open);
        await sleep(Math.max(0, begun + ((sent + 1) * 1_000) / perSecond - performance.now()));
      }
      await Promise.all(open);
    })();
    const polling = (async () => {
      while (!ended.signal.aborted) {
        await this.poll();
        await sleep(1_000);
      }
    })();
    return {
      answers,
      stop: async () => {
        ended.abort();
        await Promise.all([speaking, polling]);
      },
    };
  }
}

const PATIENCE_MS = 20_000;

async function until(reached: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await reached()) && performance.now() < deadline) await sleep(50);
}

/** Whether an agent says that it did that to `web`, since a moment. */
async function hasBeen({ client, cluster }: AgentsLab, from: string, operation: string): Promise<boolean> {
  const query = { type: ['OperationRecorded' as const], subject: ['web'], actor: 'agent:alpha', from };
  const { items } = unwrap(await client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster: cluster.id }, query } }));
  return items.some(({ type, data }) => type === 'OperationRecorded' && data.operation === operation && data.rc === 0);
}

describe.skipIf(!hasMountNamespaces())('one node that never falls silent (needs mount namespaces)', () => {
  it.each([
    ['attributes that a rule reads', 30, (noise: Noise) => noise.attribute()],
    ['attributes that a rule reads', 200, (noise: Noise) => noise.attribute()],
    ['attributes that nothing reads', 200, (noise: Noise) => noise.unread()],
    ['results of a monitor', 30, (noise: Noise) => noise.monitor()],
    ['results of a monitor', 200, (noise: Noise) => noise.monitor()],
    ['joins', 30, (noise: Noise) => noise.join()],
  ] as const)(
    "keeps no other's resource from being recovered: %s, %i a second",
    async (what, perSecond, say) => {
      lab = await AgentsLab.start({
        fencing: false,
        leaseMs: 10_000,
        resources: scripted('web') + scripted('other'),
        constraints: `${prefersAlpha('web')}${prefersAlpha('other')}<rsc_location id="near" rsc="web"><rule id="near-r" score="-1">
        <expression id="near-e" attribute="pingd" operation="lt" value="1"/></rule></rsc_location>
        <rsc_location id="not-there" rsc="web" node="noise" score="-INFINITY" resource-discovery="never"/><rsc_location id="nor-other" rsc="other" node="noise" score="-INFINITY" resource-discovery="never"/>`,
      });
      const at = lab;
      await at.settled('everything is started', ({ version, nodes }) => version > 10 && nodes.every(({ online }) => online));
      const noise = await Noise.join(at);
      const flood = noise.flood(() => say(noise), perSecond);
      const took: number[] = [];
      try {
        const end = performance.now() + NOISE_MS;
        await sleep(1_000);
        while (performance.now() < end) {
          const begun = performance.now();
          const since = new Date(Date.now()).toISOString();
          await at.order('web', 'monitor', 7);
          await until(() => hasBeen(at, since, 'stop'));
          await at.order('web', 'monitor', undefined);
          await until(() => hasBeen(at, since, 'start'));
          took.push(performance.now() - begun);
          await sleep(500);
        }
      } finally {
        await flood.stop();
      }
      expect(took.length).toBeGreaterThan(0);
      expect(Math.max(...took)).toBeLessThan(RECOVERED_WITHIN_MS);
      // A join that a later one overtook is refused with 409.
      const expected = what === 'joins' ? [200, 409, 429] : [200, 429];
      expect([...flood.answers.keys()].filter((status) => !expected.includes(status))).toEqual([]);
    },
    120_000,
  );
});
