import { createHash } from 'node:crypto';
import { readCib } from '@systole/cib';
import type { ClusterCommand, ClusterState } from '@systole/cluster';
import {
  AgentSessions,
  beatsWhileServing,
  ClusterCommands,
  ClusterWorker,
  EpochKeepingLog,
  Heartbeat,
  ServiceLapses,
  type Chance,
  type ClusterLog,
  type ExecuteResult,
  type PlannedSchedule,
  type Report,
  type Scheduling,
  type WorkerFigures,
} from '@systole/control-plane';
import type { MemoryDatabase } from '@systole/control-plane/memory';
import { canonicalJson } from '@systole/event-store';
import { activeResources, schedule, SCHEDULER_VERSION, type TransitionGraph } from '@systole/scheduler';
import type { Process } from './process.js';
import type { SimulatedQueue } from './queue.js';
import type { Random } from './random.js';

export const LEASE_MS = 5_000;
const SETTINGS = { leaseMs: LEASE_MS, pollMs: 1_500 };

/** What all processes of the server stand on. */
export interface Ground {
  readonly database: MemoryDatabase;
  readonly queue: SimulatedQueue;
  readonly random: Random;
  readonly report: Report;
  /** Counts what workers do; default: nobody. */
  readonly figures?: WorkerFigures;
}

/** One life of an api. */
export class ApiProcess {
  readonly sessions: AgentSessions;
  private readonly commands: ClusterCommands;
  private readonly parts: Parameters<typeof Heartbeat.start>[0];
  private heartbeat: Heartbeat | undefined;

  constructor(
    readonly process: Process,
    ground: Ground,
  ) {
    const { database, report } = ground;
    const { clock } = process;
    const chance = chanceOf(ground.random);
    const log = logOf(process, new EpochKeepingLog({ log: database.openLog(clock), chance, report, by: 'api' }));
    const queue = ground.queue.for(process);
    const requestAdvance = (clusterId: string): void => void queue.enqueueAdvance(clusterId).catch(() => undefined);
    this.commands = new ClusterCommands({ log, clock, chance, onAppended: requestAdvance });
    this.sessions = new AgentSessions({
      log,
      commands: this.commands,
      leases: process.through(database.leases),
      dispatches: process.through(database.dispatches),
      writes: process.through(database.writes),
      signals: {
        listen: (clusterId, node, wake) =>
          database.dispatches.listen(clusterId, node, (signal) => {
            process.run(() => {
              wake(signal);
            });
          }),
      },
      clock,
      databaseTime: () => database.timeOfDay(),
      presentForMs: () => this.heartbeat?.steadyForMs ?? 0,
      chance,
      seals: database.seals,
      report,
      requestAdvance,
      settings: SETTINGS,
    });
    const lapses = new ServiceLapses(clock);
    process.onRefused = () => {
      lapses.note();
    };
    this.parts = {
      heartbeats: beatsWhileServing(process.through(database.heartbeats), lapses),
      clock,
      chance,
      report,
      meanwhile: 'no lease is judged',
    };
  }

  async start(): Promise<void> {
    this.heartbeat = await Heartbeat.start(this.parts);
  }

  /** What an operator asks. */
  operate(clusterId: string, command: ClusterCommand): Promise<ExecuteResult> {
    return this.commands.execute(clusterId, command, { actor: 'operator', correlationId: 'simulated' });
  }
}

/** One life of a worker. */
export function workerIn(process: Process, { database, random, report, figures }: Ground, scheduling = SCHEDULING): ClusterWorker {
  return new ClusterWorker(
    {
      log: logOf(process, new EpochKeepingLog({ log: database.openLog(), chance: chanceOf(random), report, by: 'worker' })),
      leases: process.through(database.leases),
      heartbeats: process.through(database.heartbeats),
      dispatches: process.through(database.dispatches),
      graphs: process.through(database.graphs),
      claims: process.through(database.claims),
      failures: process.through(database.failures),
      databaseClock: process.through({ now: () => database.now() }),
      scheduling: process.through(scheduling),
      clock: process.clock,
      chance: chanceOf(random),
      report,
      ...(figures === undefined ? {} : { figures }),
    },
    { concurrency: 4, leaseScanMs: 500, sweepMs: 10_000 },
  );
}

/** A log asked from a process, which is asked in its turn what to append to a stream that is held: it may die or freeze meanwhile. */
function logOf(process: Process, log: ClusterLog): ClusterLog {
  const appendHolding: ClusterLog['appendHolding'] = (clusterId, withinMs, decide) =>
    log.appendHolding(clusterId, withinMs, (state) => process.answer(() => decide(state)));
  return process.through(Object.assign(Object.create(log) as ClusterLog, { appendHolding }));
}

/** The scheduler that is there in production; two workers that ask the same need not compute it twice. */
export const SCHEDULING: Scheduling = {
  version: SCHEDULER_VERSION,
  schedule: (_, cib, now) => {
    const known = PLANS.get(cib);
    const planned = known?.now === now ? known.planned : plan(cib, now);
    PLANS.set(cib, { now, planned });
    return Promise.resolve(planned);
  },
  graphFrom: (stored) => Promise.resolve(JSON.parse(new TextDecoder().decode(stored)) as TransitionGraph),
};

const PLANS = new WeakMap<ClusterState['cib'], { readonly now: number; readonly planned: PlannedSchedule }>();

/** @param now epoch seconds */
export function plan(cib: ClusterState['cib'], now: number): PlannedSchedule {
  const { graph, actions, resources } = schedule(readCib(cib), { now, scores: false });
  const all = graph.synapses.map(({ action }) => action);
  const pseudo = all.filter(({ kind }) => kind === 'pseudo_event').length;
  const fencing = all.filter(({ kind, operation }) => kind === 'crm_event' && operation === 'stonith').length;
  return {
    graph,
    digest: createHash('sha256').update(canonicalJson(graph)).digest('hex'),
    stored: Promise.resolve(new TextEncoder().encode(JSON.stringify(graph))),
    counts: { actions: all.length - pseudo - fencing, pseudo, fencing },
    active: activeResources(resources).length,
    summary: actions.map(({ operation, resource, node }) => `${operation} ${resource} on ${node}`),
    schedulerMs: 0,
  };
}

function chanceOf(random: Random): Chance {
  return {
    uuid: () =>
      Array.from({ length: 4 }, () =>
        Math.floor(random.next() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join('-'),
    fraction: () => random.next(),
  };
}
