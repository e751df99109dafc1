/** The process in which all simulated agents of a measurement live; its parent tells it what to do (`load-orders.ts`). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadAnswer, LoadOrder, LoadOrders, LoadRequest, TraceEntry } from './load-orders.js';
import { epochMs, LoadWatch, NO_OPERATION } from './load-watch.js';
import { atRate } from './pace.js';
import { SimulatedAgent } from './simulated-agent.js';

type Handlers = { readonly [Kind in LoadOrder]: (order: LoadOrders[Kind]['takes']) => Promise<LoadOrders[Kind]['gives']> };

/** Joins under way at a time. */
const JOINS_AT_ONCE = 32;
const LOOK_MS = 20;
/** What a monitor says in turn: it does not run, and it does. */
const CHANGING = [7, 0] as const;

const clusters = new Map<string, Map<string, SimulatedAgent>>();
const watch = new LoadWatch((cluster, target) => void clusters.get(cluster)?.get(target)?.end());

function agentsOf(cluster: string): readonly SimulatedAgent[] {
  return [...(clusters.get(cluster)?.values() ?? [])];
}

/** Everything that runs and is monitored. */
function watched(): readonly { readonly agent: SimulatedAgent; readonly resource: string }[] {
  return [...clusters.keys()].flatMap(agentsOf).flatMap((agent) => agent.simulated.watched().map((resource) => ({ agent, resource })));
}

function isWatched(agents: readonly SimulatedAgent[], resource: string): boolean {
  return agents.some(({ simulated }) => simulated.isWatched(resource));
}

/** What happens in a cluster while something is done. */
async function traced(cluster: string, act: () => Promise<void>): Promise<readonly TraceEntry[]> {
  const trace: TraceEntry[] = [];
  watch.traces.set(cluster, trace);
  try {
    await act();
    return trace;
  } finally {
    watch.traces.delete(cluster);
  }
}

async function until(condition: () => boolean, withinMs: number, what: string): Promise<void> {
  for (const end = performance.now() + withinMs; !condition();) {
    if (performance.now() > end) throw new Error(`${what} not within ${withinMs} ms`);
    await sleep(LOOK_MS);
  }
}

const handlers: Handlers = {
  async join({ agents }) {
    const left = agents.values();
    let joined = 0;
    const inTurn = Array.from({ length: JOINS_AT_ONCE }, async () => {
      for (const identity of left) {
        const agent = new SimulatedAgent(identity, watch);
        const others = clusters.get(identity.cluster) ?? new Map<string, SimulatedAgent>();
        clusters.set(identity.cluster, others.set(identity.node, agent));
        if (await agent.join()) joined++;
      }
    });
    await Promise.all(inTurn);
    return joined;
  },

  async quiet({ forMs }) {
    await until(() => performance.now() - watch.busyAt >= forMs, Number.POSITIVE_INFINITY, 'quiet');
    return epochMs(watch.busyAt);
  },

  counts: () => Promise.resolve(watch.counts()),

  acknowledged: () => Promise.resolve([...watch.acknowledgedIds]),

  fail: ({ cluster, resource, dependent, withinMs }) =>
    traced(cluster, async () => {
      const agents = agentsOf(cluster);
      if (!agents.some((agent) => agent.lose(resource))) throw new Error(`nobody monitors ${resource}`);
      const concerned = dependent === undefined ? [resource] : [resource, dependent];
      await until(() => concerned.every((one) => isWatched(agents, one)), withinMs, `${concerned.join(' and ')} recovered`);
    }),

  async failMany({ perSecond, seconds, withinMs }) {
    const all = watched();
    const stride = Math.max(1, Math.floor(all.length / (perSecond * seconds)));
    let failed = 0;
    await atRate(perSecond, seconds, (turn) => {
      const { agent, resource } = all[(turn * stride) % all.length] ?? {};
      if (agent === undefined || resource === undefined || !agent.lose(resource)) return;
      watch.failed(agent.identity.cluster, resource, performance.now());
      failed++;
    });
    await until(() => watch.stopsLeft === 0, withinMs, 'all stops arrived').catch(() => undefined);
    return { failed, ...watch.takeStops() };
  },

  async changeResults({ perSecond, seconds, withinMs }) {
    const all = watched();
    if (all.length === 0) throw new Error('nothing is monitored');
    watch.timeAcknowledgements();
    let sent = 0;
    const before = watch.counts().acknowledged;
    await atRate(perSecond, seconds, (turn) => {
      const { agent, resource } = all[turn % all.length] ?? {};
      const rc = CHANGING[Math.floor(turn / all.length) % CHANGING.length] ?? 0;
      if (agent?.repeatMonitor(resource ?? '', rc) === true) sent++;
    });
    const acknowledged = watch.counts().acknowledged - before;
    await until(() => watch.acknowledgements().left === 0, withinMs, 'all results acknowledged');
    return { sent, acknowledged, times: watch.acknowledgements().times };
  },

  lose: ({ cluster, node, withinMs }) =>
    traced(cluster, async () => {
      const agents = agentsOf(cluster);
      const lost = agents.find(({ identity }) => identity.node === node);
      if (lost === undefined) throw new Error(`no agent of ${node} is here`);
      const resources = lost.simulated.watched();
      watch.note(cluster, { at: epochMs(performance.now()), what: 'silent', node, ...NO_OPERATION });
      await lost.end();
      clusters.get(cluster)?.delete(node);
      const others = agentsOf(cluster);
      await until(() => resources.every((one) => isWatched(others, one)), withinMs, `what ${node} ran recovered`);
    }),

  places({ cluster }) {
    const places = agentsOf(cluster).flatMap(({ identity: { node }, simulated }) =>
      simulated.watched().map((resource) => [resource, node] as const),
    );
    return Promise.resolve(Object.fromEntries(places));
  },
};

process.on('message', (request: LoadRequest) => {
  const { id, order } = request;
  // The parent sends what the order takes; that the two belong together is what its type says.
  const handle = handlers[order] as (takes: LoadRequest) => Promise<unknown>;
  handle(request).then(
    (given) => process.send?.({ id, given } satisfies LoadAnswer),
    (error: unknown) => process.send?.({ id, failed: error instanceof Error ? error.message : String(error) } satisfies LoadAnswer),
  );
});
process.on('disconnect', () => process.exit(0));
