import { fold, initialState, type ClusterCommand, type ClusterState, type TransitionPlanned } from '@systole/cluster';
import type { Appended } from '@systole/control-plane';
import { MemoryDatabase, type CommitFate, type MemoryCopy, type MemoryLog } from '@systole/control-plane/memory';
import { AgentService } from './agent-service.js';
import { CLUSTER, cibWith, EVERYWHERE, NODES, SINGLE, type Options } from './cluster.js';
import { kindsOf, type Protection, type Strike, type Target } from './faults.js';
import { Machine } from './machine.js';
import { Network } from './network.js';
import { MachineClock, Process, type Latency } from './process.js';
import { NO_PROGRAM_FAULTS, Programs, type ProgramFaults } from './programs.js';
import { SimulatedQueue, type Consumer } from './queue.js';
import { Random } from './random.js';
import { ApiProcess, plan, workerIn, type Ground } from './server.js';
import { VirtualTime } from './virtual-time.js';
import { Violation, World } from './world.js';

const TROUBLE_MS = 60_000;
/** After the last fault everything must be well again within this time. */
const RECOVERY_MS = 200_000;
const LOOK_MS = 1_000;
/** How often the database is copied, and how many copies are kept. */
const COPY_EVERY_MS = 2_000;
const COPIES = 8;
const APIS = ['api-0', 'api-1'];
const WORKERS = ['worker-0', 'worker-1'];
const HOUR_MS = 3_600_000;

/** A run in which one thing is tried, instead of what a seed draws: nothing else fails, no message is lost. */
export interface Plot {
  readonly protection: Protection;
  /** When the trouble is over, ms from the start; the cluster is well after some 20 s. */
  readonly endsMs: number;
  readonly scenes: readonly { readonly atMs: number; readonly play: (target: Target) => void }[];
  readonly programFaults?: Partial<ProgramFaults>;
}

/** What a run came to. */
export interface Outcome {
  readonly events: number;
  readonly transitions: number;
  readonly fencings: number;
  readonly epochs: number;
  readonly virtualMs: number;
  /** From the last fault until everything was well. */
  readonly recoveredMs: number;
  /** How often each kind of fault struck. */
  readonly faults: Readonly<Record<string, number>>;
}

/** A run in which a rule was broken, with what had happened until then. */
export class BrokenRun extends Error {
  override readonly name = 'BrokenRun';
  constructor(
    readonly seed: number,
    readonly violation: Violation,
    readonly timeline: readonly string[],
  ) {
    super(`seed ${String(seed)}: ${violation.message}`, { cause: violation });
  }
}

/**
 * One run of the real control plane and of the real sessions of three nodes: trouble for 60 s of virtual time, then calm, then all must be well within a
 * bound. Everything follows from the seed.
 *
 * @param onLine gets each line of the timeline
 * @param plot what happens in it; default: what the seed draws
 * @throws {BrokenRun} as soon as a rule is broken
 */
export async function simulate(seed: number, onLine: (line: string) => void = () => undefined, plot?: Plot): Promise<Outcome> {
  const simulation = new Simulation(seed, onLine, plot);
  try {
    return await simulation.run();
  } catch (error) {
    throw error instanceof Violation ? new BrokenRun(seed, error, simulation.timeline) : error;
  }
}

class Simulation {
  readonly timeline: string[] = [];
  private readonly random: Random;
  private readonly time = new VirtualTime();
  private readonly clocks: ReadonlyMap<string, MachineClock>;
  private readonly database: MemoryDatabase;
  private readonly reader: MemoryLog;
  /** Nodes whose fencing was asked for, and not answered yet, because an earlier boot of them may run on. */
  private readonly askedForDoubt = new Set<string>();
  private readonly world: World;
  private readonly network: Network;
  private readonly queue: SimulatedQueue;
  private readonly ground: Ground;
  private readonly apis = new Map<string, ApiProcess>();
  private readonly workers = new Map<string, Consumer>();
  private readonly services: Map<string, AgentService>;
  private readonly target: Target;
  private readonly faults: Record<string, number> = {};
  private readonly kinds: readonly (readonly [string, Strike])[];
  private programFaults: ProgramFaults;
  private copies: MemoryCopy[] = [];
  private readonly latency: Latency = { slow: 0.02 };
  private calmSince: number | undefined;
  private readonly options: Options;

  constructor(
    seed: number,
    private readonly onLine: (line: string) => void,
    private readonly plot: Plot | undefined,
  ) {
    this.random = new Random(seed);
    const { random, time } = this;
    const drawn = random.pick<Protection>(['fencing', 'fencing', 'watchdog', 'agent']) ?? 'fencing';
    const protection = plot?.protection ?? (drawn === 'watchdog' && seed % 2 === 0 ? 'counted-watchdog' : drawn);
    const downMarginS = protection === 'agent' ? random.pick([undefined, 12]) : undefined;
    this.options = {
      fencing: protection === 'fencing' || protection === 'counted-watchdog',
      ...(protection === 'counted-watchdog' ? { watchdogs: true } : {}),
      deadtimeS: random.pick([5, 20]) ?? 20,
      ...(downMarginS === undefined ? {} : { downMarginS }),
    };
    this.programFaults =
      plot === undefined
        ? { startFails: 0.05, stopFails: protection === 'fencing' ? 0.02 : 0, fenceFails: 0.2, hangs: 0.003 }
        : { ...NO_PROGRAM_FAULTS, ...plot.programFaults };
    const names = [...NODES, ...APIS, ...WORKERS, 'database'];
    this.clocks = new Map(names.map((name) => [name, new MachineClock(time, random.between(0, 1_000) * HOUR_MS)]));
    this.database = new MemoryDatabase(this.clockOf('database'), time);
    this.reader = this.database.openLog();
    const machines = NODES.map((name) => new Machine(name, name, this.clockOf(name), time, random));
    this.world = new World(
      new Map(machines.map((machine) => [machine.name, machine])),
      SINGLE,
      time,
      (node) => this.askedForDoubt.has(node) || this.folded.nodes[node]?.unproven === true,
    );
    this.network = new Network(time, random, {
      drop: random.pick([0, 0, 0.02, 0.2]) ?? 0,
      duplicate: random.pick([0, 0, 0.05, 0.3]) ?? 0,
      delayMs: random.pick([10, 100, 500]) ?? 10,
    });
    this.network.onBadLink = (node) => {
      this.world.machines.get(node)?.disturbed();
    };
    this.queue = new SimulatedQueue(time, random);
    this.ground = {
      database: this.database,
      queue: this.queue,
      random,
      report: {
        info: () => undefined,
        warn: (details, message) => {
          this.note(`warning: ${message} ${textOf(details)}`);
        },
      },
    };
    this.services = new Map(machines.map((machine, index) => [machine.name, this.serviceOn(machine, index, protection)]));
    this.kinds = kindsOf(random);
    if (plot !== undefined) this.network.calm();
    const unanswered = plot === undefined ? (random.pick([0, 0.02, 0.1]) ?? 0) : 0;
    this.database.fateOfNextCommit = () =>
      this.calmSince === undefined && random.chance(unanswered)
        ? (random.pick<CommitFate>(['unanswered', 'late', 'lost']) ?? 'answered')
        : 'answered';
    this.database.onAppended = (clusterId, appended) => {
      this.appended(appended);
      for (const { process, worker } of this.workers.values())
        process.run(() => {
          worker.want(clusterId);
        });
    };
    this.target = {
      time,
      random,
      world: this.world,
      network: this.network,
      queue: this.queue,
      ground: this.ground,
      protection,
      nodes: NODES,
      resources: [...SINGLE, EVERYWHERE],
      services: this.services,
      clocks: this.clocks,
      servers: () =>
        new Map(
          [...this.apis, ...this.workers].map(([name, { process }]) => [name, process] as const).filter(([, { isAlive }]) => isAlive),
        ),
      workers: () => [...this.workers.values()].flatMap(({ process, worker }) => (process.isAlive ? [worker] : [])),
      startServers: () => {
        this.startServers();
      },
      copies: () => this.copies,
      restore: (copy) => {
        this.restore(copy);
      },
      cloneMachine: (node) => {
        this.cloneMachine(node);
      },
      operate: (command) => {
        this.operate(command);
      },
      maintain: (unmanaged) => {
        this.maintain(unmanaged);
      },
    };
  }

  private maintain(unmanaged: string | undefined): void {
    if (this.calmSince !== undefined && unmanaged !== undefined) return;
    const cib = cibWith({ ...this.options, ...(unmanaged === undefined ? {} : { unmanaged }) });
    this.operate({ type: 'replace-configuration', cib });
  }

  /** @param index of the server that it asks first */
  private serviceOn(machine: Machine, index: number, protection: Protection): AgentService {
    const { time, random, world, network } = this;
    const around = {
      clusterId: CLUSTER,
      world,
      network,
      note: (line: string) => {
        this.note(line);
      },
    };
    const programs = new Programs(machine, world, random, () => this.programFaults);
    const servers = APIS.map((_, place) => urlOf(APIS[(place + index) % APIS.length] ?? ''));
    return new AgentService(machine, programs, {
      time,
      random,
      around,
      servers,
      watchdog: protection === 'watchdog' || protection === 'counted-watchdog',
    });
  }

  /** A copy of a machine is switched on elsewhere, while that lives, or when it can't be reached: perhaps as somebody takes it for lost. */
  private cloneMachine(node: string): void {
    const { random, time, world } = this;
    const name = `${node}-copy`;
    // Copies of most machines, while those are cut off, are exactly what a power cut leaves: nobody can tell (docs/decisions/0025-one-machine-for-a-node.md).
    const others = new Set([...world.machines.values()].filter((one) => one.name !== one.node).map((one) => one.node));
    if (world.machines.has(name) || (others.size + 1) * 2 > NODES.length) return;
    const first = world.machine(node);
    const second = first.clone(name);
    second.disturbed();
    world.add(second);
    this.services.set(name, this.serviceOn(second, random.between(0, 1), this.target.protection));
    const cutMs = random.between(2_000, 40_000);
    if (random.chance(0.6)) {
      this.network.cut(node, cutMs);
      first.disturbed(cutMs);
    }
    time.after(random.between(0, 15_000), () => {
      second.powerOn();
    });
  }

  /** An operator finds the second machine and takes it away; what the node runs is of no account any more. */
  private removeClones(): void {
    const { world, time } = this;
    for (const second of [...world.machines.values()].filter(({ name, node }) => name !== node)) {
      second.scrap();
      world.remove(second);
      this.services.delete(second.name);
      const first = world.machine(second.node);
      first.powerOff();
      const confirm = (): void => {
        const membership = this.folded.nodes[first.name]?.membership;
        if (membership === 'down' || membership === 'left') {
          first.powerOn();
          return;
        }
        this.operate({ type: 'confirm-node-down', node: first.name });
        time.after(5_000, confirm);
      };
      confirm();
    }
  }

  async run(): Promise<Outcome> {
    this.startServers();
    // A commit may be lost right at the start.
    const cib = cibWith(this.options);
    while (this.folded.existence === 'none') {
      this.operate({ type: 'create-cluster', name: 'simulated', cib });
      await this.runUntil(this.time.now + LOOK_MS);
    }
    for (const service of this.services.values()) service.start();
    this.copy();
    if (this.plot === undefined) this.trouble();
    for (const { atMs, play } of this.plot?.scenes ?? []) {
      this.time.after(atMs - this.time.now, () => {
        play(this.target);
      });
    }
    await this.runUntil(this.troubleMs);
    this.calm();
    const end = this.time.now + RECOVERY_MS;
    for (let well = 0; well < 3;) {
      await this.runUntil(this.time.now + LOOK_MS);
      const unwell = this.unwell();
      well = unwell === undefined ? well + 1 : 0;
      if (this.time.now >= end)
        throw new Violation(`not well ${String(RECOVERY_MS / 1000)} s after the last fault: ${unwell ?? 'hardly ever'}`);
    }
    this.checkRecords();
    const count = (type: string): number => this.stream().filter(({ event }) => event.type === type).length;
    return {
      events: this.stream().length,
      transitions: count('TransitionPlanned'),
      fencings: count('FencingCompleted'),
      epochs: count('EpochBegan'),
      virtualMs: this.time.now,
      recoveredMs: this.time.now - this.troubleMs,
      faults: this.faults,
    };
  }

  private get troubleMs(): number {
    return this.plot?.endsMs ?? TROUBLE_MS;
  }

  private async runUntil(moment: number): Promise<void> {
    await this.time.runUntil(moment, () => this.world.violation !== undefined);
    if (this.world.violation) throw this.world.violation;
  }

  private note(text: string): void {
    const line = `${(this.time.now / 1000).toFixed(3).padStart(9)}  ${text}`;
    this.timeline.push(line);
    this.onLine(line);
  }

  private stream(): ReturnType<MemoryDatabase['eventsOf']> {
    return this.database.eventsOf(CLUSTER);
  }

  private clockOf(machine: string): MachineClock {
    const clock = this.clocks.get(machine);
    if (clock === undefined) throw new Error(`there is no machine ${machine}`);
    return clock;
  }

  private spawn(machine: string): Process {
    return new Process(this.time, this.random, this.clockOf(machine), this.latency);
  }

  private startServers(): void {
    for (const name of APIS) {
      if (this.apis.get(name)?.process.isAlive === true) continue;
      const api = new ApiProcess(this.spawn(name), this.ground);
      this.apis.set(name, api);
      void api.start();
    }
    for (const name of WORKERS) {
      if (this.workers.get(name)?.process.isAlive === true) continue;
      const process = this.spawn(name);
      const worker = workerIn(process, this.ground);
      this.workers.set(name, { process, worker });
      worker.start();
    }
    this.network.apis = new Map([...this.apis].map(([name, api]) => [urlOf(name), api]));
    this.queue.consumers = [...this.workers.values()];
  }

  /** As an operator who tries once, and knows what was acknowledged. */
  private operate(command: ClusterCommand): void {
    const api = this.random.pick([...this.apis.values()].filter(({ process }) => process.isAlive));
    this.note(`operator: ${command.type}${'node' in command ? ` ${command.node}` : ''}`);
    api?.operate(CLUSTER, command).then(
      (result) => {
        if (result.ok) this.world.records.noteAcknowledged(result.events);
        else if (result.rejection.status !== 422) this.note(`operator: refused: ${result.rejection.message}`);
        else this.world.violate(`what the operator asks is not valid: ${result.rejection.message}`);
      },
      () => undefined,
    );
  }

  private copy(): void {
    this.copies = [...this.copies, this.database.copy()].slice(-COPIES);
    this.time.after(COPY_EVERY_MS, () => {
      this.copy();
    });
  }

  private restore(copy: MemoryCopy): void {
    const before = this.stream();
    this.database.restore(copy);
    const kept = this.stream().length;
    this.world.records.noteLost(before.slice(kept));
    this.world.wentBack = true;
    this.note(`the log goes back from ${String(before.length)} to ${String(kept)}`);
    // What was copied after that moment is of a log that is no more.
    this.copies = this.copies.slice(0, this.copies.indexOf(copy) + 1);
  }

  private trouble(): void {
    const { random, time, target } = this;
    time.after(random.between(500, 6_000), () => {
      if (time.now >= TROUBLE_MS) return;
      const [kind, strike] = random.pick(this.kinds) ?? ['none', () => ''];
      this.faults[kind] = (this.faults[kind] ?? 0) + 1;
      this.note(`fault: ${kind} ${strike(target, random.pick(NODES) ?? '')}`);
      this.trouble();
    });
  }

  private calm(): void {
    this.note('calm');
    this.calmSince = this.time.now;
    this.network.calm();
    this.queue.isAway = false;
    this.latency.slow = 0;
    this.programFaults = NO_PROGRAM_FAULTS;
    for (const { process } of [...this.apis.values(), ...this.workers.values()]) process.thaw();
    this.startServers();
    const cloned = new Set([...this.world.machines.values()].filter(({ name, node }) => name !== node).map(({ node }) => node));
    this.removeClones();
    for (const machine of this.world.machines.values()) {
      machine.disturbed();
      machine.diskIsFull = false;
      if (!cloned.has(machine.name)) machine.powerOn();
    }
    for (const service of this.services.values()) {
      service.thaw();
      service.start();
    }
    const asked = (): void => {
      this.maintain(undefined);
      for (const node of NODES) this.operate({ type: 'clear-node-attribute', node, name: 'maintenance', lifetime: 'forever' });
      for (const node of NODES) this.operate({ type: 'set-standby', node, standby: false });
      this.operate({ type: 'clean-up-resource' });
    };
    asked();
    // Agents that are to come back are there by then.
    this.time.after(40_000, asked);
    // Of what an earlier boot left running nobody but a person knows that it is over.
    const confirmed = (): void => {
      for (const { name, membership, leftRunning } of Object.values(this.folded.nodes))
        if (membership === 'joined' && leftRunning !== undefined) this.operate({ type: 'confirm-node-down', node: name });
      this.time.after(20_000, confirmed);
    };
    confirmed();
  }

  private appended({ events, firstVersion }: Appended): void {
    for (const [index, event] of events.entries()) {
      const version = firstVersion + index;
      this.note(`${String(version)} ${event.type} ${textOf(event.data).slice(0, 240)}`);
      this.world.records.check(event);
      if (event.type === 'TransitionPlanned') this.checkPlan(event.data, version);
      // The log may lose that with its tail, while the device is at work.
      if (event.type === 'FencingRequested' && this.folded.nodes[event.data.target]?.unproven === true)
        this.askedForDoubt.add(event.data.target);
      if (event.type === 'FencingCompleted') this.askedForDoubt.delete(event.data.target);
    }
  }

  /** S3: a plan is that of the version right before it, whatever came after the version that it was made from. */
  private checkPlan({ number, inputVersion, now, digest }: TransitionPlanned['data'], version: number): void {
    if (inputVersion === version - 1) return;
    const before = this.stream().slice(0, version - 1);
    const { cib } = fold(
      initialState(),
      before.map(({ meta, ...stored }) => ({ ...stored, actor: meta.actor, correlationId: meta.correlationId })),
    );
    if (plan(cib, now).digest === digest) return;
    this.world.violate(
      `S3: transition ${String(number)} was planned from ${String(inputVersion)}, and is not what is planned from ${String(version - 1)}`,
    );
  }

  /** What is not as it should be after the last fault; undefined: all is well. */
  private unwell(): string | undefined {
    const state = this.folded;
    if (state.transition !== undefined) return `transition ${String(state.transition.number)} is ${state.transition.status}`;
    if (state.recompute !== undefined) return `a plan is due: ${state.recompute.reason}`;
    for (const resource of [...SINGLE, EVERYWHERE]) {
      const on = [...this.world.machines.values()].filter(({ active }) => active.has(resource)).map(({ name }) => name);
      if (on.length !== (resource === EVERYWHERE ? NODES.length : 1)) return `${resource} is active on [${on.join(' ')}]`;
    }
    const waiting = [...this.world.machines.values()].find(({ journal }) => journal.unacknowledged.size > 0);
    return waiting && `${waiting.name} has results that were not acknowledged`;
  }

  private get folded(): ClusterState {
    return this.reader.foldOf(CLUSTER);
  }

  private checkRecords(): void {
    const { problems } = this.folded;
    if (problems.length > 0) throw new Violation(`an event could not be applied: ${JSON.stringify(problems)}`);
    const missing = this.world.records.findMissing(this.stream());
    if (missing !== undefined) throw new Violation(missing);
  }
}

function urlOf(api: string): string {
  return `http://${api}`;
}

function textOf(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) => (value instanceof Error ? value.message : value));
}
