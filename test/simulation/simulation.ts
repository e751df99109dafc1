import type { ClusterCommand, ClusterState } from '@systole/cluster';
import type { Appended } from '@systole/control-plane';
import { MemoryDatabase, type CommitFate } from '@systole/control-plane/memory';
import { AgentService, type AgentFaults, type Surroundings } from './agent.js';
import { Network } from './network.js';
import { MachineClock, Process } from './process.js';
import { SimulatedQueue, type Consumer } from './queue.js';
import { Random } from './random.js';
import { ApiProcess, workerIn, type Ground } from './server.js';
import { VirtualTime } from './virtual-time.js';
import { Violation, World } from './world.js';

const CLUSTER = 'c';
const NODES = ['n1', 'n2', 'n3'];
/** Those that may be active in one place only. */
const SINGLE = ['db', 'web', 'ip'];
const EVERYWHERE = 'ping';
const TROUBLE_MS = 60_000;
/** After the last fault everything must be well again within this time. */
const RECOVERY_MS = 200_000;
const LOOK_MS = 1_000;
const HOUR_MS = 3_600_000;
const SERVERS = 2;
const NO_FAULTS: AgentFaults = { startFails: 0, stopFails: 0, fenceFails: 0 };

/** What a run came to. */
export interface Outcome {
  readonly events: number;
  readonly transitions: number;
  readonly fencings: number;
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
 * One run of the real control plane: trouble for 60 s of virtual time, then calm, then all must be well within a bound. Everything follows from the
 * seed.
 *
 * @param onLine gets each line of the timeline
 * @throws {BrokenRun} as soon as a rule is broken
 */
export async function simulate(seed: number, onLine: (line: string) => void = () => undefined): Promise<Outcome> {
  const simulation = new Simulation(seed, onLine);
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
  private readonly databaseMachine = new MachineClock(this.time);
  private readonly machines = [...NODES, ...serverNames()].map((name) => ({ name, clock: new MachineClock(this.time) }));
  private readonly database = new MemoryDatabase(this.databaseMachine);
  private readonly world: World;
  private readonly network: Network;
  private readonly queue: SimulatedQueue;
  private readonly ground: Ground;
  private readonly apis = new Map<string, ApiProcess>();
  private readonly workers = new Map<string, Consumer>();
  private readonly services: ReadonlyMap<string, AgentService>;
  private readonly surroundings: Surroundings;
  private readonly fencing: boolean;
  private readonly faults: Record<string, number> = {};
  private calmSince: number | undefined;
  private readonly acknowledged: { readonly version: number; readonly type: string }[] = [];

  constructor(
    seed: number,
    private readonly onLine: (line: string) => void,
  ) {
    this.random = new Random(seed);
    const { random, time } = this;
    this.fencing = random.chance(0.7);
    const drop = random.pick([0, 0.02, 0.2]) ?? 0;
    this.world = new World(NODES, SINGLE, time, drop === 0);
    this.network = new Network(time, random, {
      drop,
      duplicate: random.pick([0, 0.05, 0.3]) ?? 0,
      delayMs: random.pick([10, 100, 500]) ?? 10,
    });
    this.network.apis = () => [...this.apis.values()];
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
    this.surroundings = {
      clusterId: CLUSTER,
      world: this.world,
      network: this.network,
      random,
      spawn: (node) => this.spawn(node),
      after: (ms, run) => {
        time.after(ms, run);
      },
      onLeaseLoss: this.fencing ? 'keep' : 'stop',
      faults: { startFails: 0.05, stopFails: this.fencing ? 0.02 : 0, fenceFails: 0.2 },
    };
    this.services = new Map(
      [...this.world.machines.values()].map((machine) => [machine.name, new AgentService(machine, this.surroundings)]),
    );
    const unanswered = random.pick([0, 0.02, 0.1]) ?? 0;
    this.database.fateOfNextCommit = () =>
      this.calmSince === undefined && random.chance(unanswered)
        ? (random.pick<CommitFate>(['unanswered', 'late', 'lost']) ?? 'answered')
        : 'answered';
    this.database.onAppended = (clusterId, appended) => {
      this.appended(appended);
      for (const { process, worker } of this.workers.values()) process.run(() => void worker.requests.request(clusterId));
    };
  }

  async run(): Promise<Outcome> {
    for (let server = 0; server < SERVERS; server++) this.startServer(server);
    // A commit may be lost right at the start.
    while (this.folded.existence === 'none') {
      this.operate({ type: 'create-cluster', name: 'simulated', cib: this.cib() });
      await this.runUntil(this.time.now + LOOK_MS);
    }
    for (const service of this.services.values()) service.start();
    this.trouble();
    await this.runUntil(TROUBLE_MS);
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
      virtualMs: this.time.now,
      recoveredMs: this.time.now - TROUBLE_MS,
      faults: this.faults,
    };
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

  private spawn(machine: string): Process {
    const clock = this.machines.find(({ name }) => name === machine)?.clock ?? this.databaseMachine;
    return new Process(this.time, this.random, clock);
  }

  private startServer(index: number): void {
    this.startApi(`api-${String(index)}`);
    this.startWorker(`worker-${String(index)}`);
  }

  private startApi(name: string): void {
    if (this.apis.get(name)?.process.isAlive === true) return;
    const api = new ApiProcess(this.spawn(name), this.ground);
    this.apis.set(name, api);
    void api.start();
  }

  private startWorker(name: string): void {
    if (this.workers.get(name)?.process.isAlive === true) return;
    const process = this.spawn(name);
    const worker = workerIn(process, this.ground);
    this.workers.set(name, { process, worker });
    this.queue.consumers = [...this.workers.values()];
    worker.start();
  }

  /** As an operator who tries once, and knows what was acknowledged. */
  private operate(command: ClusterCommand): void {
    const api = this.random.pick([...this.apis.values()].filter(({ process }) => process.isAlive));
    this.note(`operator: ${command.type}${'node' in command ? ` ${command.node}` : ''}`);
    api?.operate(CLUSTER, command).then(
      (result) => {
        if (result.ok)
          for (const [index, { type }] of result.events.entries())
            this.acknowledged.push({ version: result.version - result.events.length + 1 + index, type });
      },
      () => undefined,
    );
  }

  private cib(): string {
    const nodes = NODES.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('');
    const dummy = (id: string, monitor: number): string =>
      `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"><operations>` +
      `<op id="${id}-m" name="monitor" interval="${String(monitor)}s" timeout="20s"/></operations></primitive>`;
    const notified = '<meta_attributes id="pings-m"><nvpair id="pings-notify" name="notify" value="true"/></meta_attributes>';
    const resources =
      '<primitive id="fencing" class="stonith" type="fence_simulated"/>' +
      `${dummy('db', 5)}<group id="service">${dummy('ip', 6)}${dummy('web', 7)}</group><clone id="pings">${notified}${dummy(EVERYWHERE, 8)}</clone>`;
    const constraints =
      '<rsc_location id="l1" rsc="db" node="n1" score="100"/><rsc_colocation id="c1" rsc="service" with-rsc="db" score="-50"/>' +
      '<rsc_order id="r1" first="db" then="service" kind="Optional"/><rsc_order id="r2" first="pings" then="db"/>';
    const option = `<nvpair id="o1" name="stonith-enabled" value="${String(this.fencing)}"/>`;
    return (
      '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>' +
      `<crm_config><cluster_property_set id="o">${option}</cluster_property_set></crm_config><nodes>${nodes}</nodes>` +
      `<resources>${resources}</resources><constraints>${constraints}</constraints></configuration><status/></cib>`
    );
  }

  private trouble(): void {
    this.time.after(this.random.between(500, 6000), () => {
      if (this.time.now >= TROUBLE_MS) return;
      this.strike();
      this.trouble();
    });
  }

  private strike(): void {
    const { random } = this;
    const kinds = Object.entries(this.kinds()).filter(([kind]) => this.fencing || !NEEDS_FENCING.has(kind));
    const [kind, strike] = random.pick(kinds) ?? ['none', () => ''];
    this.faults[kind] = (this.faults[kind] ?? 0) + 1;
    this.note(`fault: ${kind} ${strike()}`);
  }

  /** Each says to whom it happened. */
  private kinds(): Readonly<Record<string, () => string>> {
    const { random, time, network } = this;
    const node = random.pick(NODES) ?? '';
    const machine = this.world.machine(node);
    const server = random.pick(serverNames()) ?? '';
    const process = this.apis.get(server)?.process ?? this.workers.get(server)?.process;
    const back = (ms: number): void => {
      time.after(ms, () => {
        if (server.startsWith('api')) this.startApi(server);
        else this.startWorker(server);
      });
    };
    const cut = (nodes: readonly string[], ms: number, directions?: Parameters<Network['cut']>[1]): string => {
      for (const name of nodes) {
        network.cut(name, directions);
        // What befalls all at once is nobody's fault, and no reason to shoot anybody.
        if (nodes.length === 1) this.world.machine(name).disturbed();
        time.after(ms, () => {
          network.heal(name);
          if (nodes.length === 1) this.world.machine(name).disturbed();
        });
      }
      return `${nodes.join(' ')} for ${String(ms)} ms`;
    };
    const steps = [-HOUR_MS, -300_000, 300_000, HOUR_MS];
    const stepMs = random.pick(steps) ?? HOUR_MS;
    return {
      'node cut off': () => cut([node], random.between(500, 30_000)),
      'requests of a node lost': () => cut([node], random.between(500, 12_000), ['request']),
      'answers to a node lost': () => cut([node], random.between(500, 12_000), ['answer']),
      'all nodes cut off': () => cut(NODES, random.between(2_000, 45_000)),
      'node loses power': () => {
        machine.reboot(random.between(2000, 20_000));
        return node;
      },
      'agent killed': () => {
        this.services.get(node)?.crash(random.between(200, 20_000));
        return node;
      },
      'agent frozen': () => {
        this.services.get(node)?.freeze(random.between(200, 12_000));
        return node;
      },
      'resource dies': () => {
        const resource = random.pick([...SINGLE, EVERYWHERE]) ?? '';
        machine.active.delete(resource);
        return `${resource} on ${node}`;
      },
      'process killed': () => {
        process?.kill();
        back(random.between(100, 5_000));
        return server;
      },
      'process frozen': () => {
        const ms = random.between(200, 12_000);
        process?.freeze(ms);
        return `${server} for ${String(ms)} ms`;
      },
      'all servers killed': () => {
        const ms = random.between(1_000, 30_000);
        for (const { process: each } of [...this.apis.values(), ...this.workers.values()]) each.kill();
        time.after(ms, () => {
          for (let index = 0; index < SERVERS; index++) this.startServer(index);
        });
        return `for ${String(ms)} ms`;
      },
      'clock of the database steps': () => {
        this.databaseMachine.step(stepMs);
        return `${String(stepMs)} ms`;
      },
      'clock of a machine steps': () => {
        const other = random.pick(this.machines);
        other?.clock.step(stepMs);
        return `${String(other?.name)} ${String(stepMs)} ms`;
      },
      'queue wiped': () => {
        this.queue.wipe();
        return '';
      },
      'queue away': () => {
        this.queue.isAway = true;
        time.after(random.between(500, 20_000), () => {
          this.queue.isAway = false;
        });
        return '';
      },
      'tables lost': () => {
        const table = random.pick(['leases', 'graphs', 'claims', 'beats'] as const) ?? 'graphs';
        this.database.tables[table].clear();
        return table;
      },
      'operator: standby': () => {
        this.operate({ type: 'set-standby', node, standby: random.chance(0.5) });
        return node;
      },
      'operator: cleanup': () => {
        this.operate({ type: 'clean-up-resource', resource: random.pick([...SINGLE, EVERYWHERE]) ?? '' });
        return '';
      },
      'operator: confirm down': () => {
        if (!machine.up) this.operate({ type: 'confirm-node-down', node });
        return node;
      },
    };
  }

  private calm(): void {
    this.note('calm');
    this.calmSince = this.time.now;
    for (const machine of this.world.machines.values()) machine.disturbed();
    this.network.calm();
    this.queue.isAway = false;
    this.surroundings.faults = NO_FAULTS;
    for (let index = 0; index < SERVERS; index++) this.startServer(index);
    for (const machine of this.world.machines.values()) machine.powerOn();
    for (const service of this.services.values()) service.start();
    const asked = (): void => {
      for (const node of NODES) this.operate({ type: 'set-standby', node, standby: false });
      this.operate({ type: 'clean-up-resource' });
    };
    asked();
    // Processes that are frozen, and agents that are to come back, are there by then.
    this.time.after(40_000, asked);
  }

  /** S3: a plan is made from the version right before it. */
  private appended({ events, firstVersion }: Appended): void {
    for (const [index, event] of events.entries()) {
      const version = firstVersion + index;
      this.note(`${String(version)} ${event.type} ${textOf(event.data).slice(0, 240)}`);
      if (event.type === 'TransitionPlanned' && event.data.inputVersion !== version - 1) {
        this.world.violate(
          `S3: transition ${String(event.data.number)} was planned from ${String(event.data.inputVersion)} at ${String(version)}`,
        );
      }
    }
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
    const waiting = [...this.world.machines.values()].find(({ journal }) => journal.results.length > 0);
    return waiting && `${waiting.name} has results that were not acknowledged`;
  }

  private get folded(): ClusterState {
    return this.reader.foldOf(CLUSTER);
  }

  private readonly reader = this.database.openLog();

  /** S2: what was acknowledged is there, once; and journals and events say the same. */
  private checkRecords(): void {
    const stream = this.stream();
    const { problems } = this.folded;
    if (problems.length > 0) throw new Violation(`an event could not be applied: ${JSON.stringify(problems)}`);
    for (const { version, type } of this.acknowledged) {
      if (stream[version - 1]?.event.type !== type)
        throw new Violation(`S2: ${type} was acknowledged at ${String(version)} and is not there`);
    }
    const recorded = new Map<string, number>();
    const begun = new Set([...this.world.machines.values()].flatMap(({ journal }) => [...journal.begun]));
    for (const { event } of stream) {
      if (event.type !== 'OperationRecorded' && event.type !== 'FencingCompleted') continue;
      const { resultId } = event.data;
      if (resultId === undefined) continue;
      recorded.set(resultId, (recorded.get(resultId) ?? 0) + 1);
      if (event.type === 'OperationRecorded' && event.data.actionId !== undefined && !begun.has(event.data.actionId)) {
        throw new Violation(`${event.data.actionId} is recorded and was never begun`);
      }
    }
    const twice = [...recorded].find(([, times]) => times > 1);
    if (twice) throw new Violation(`result ${twice[0]} is recorded ${String(twice[1])} times`);
    for (const { name, journal } of this.world.machines.values()) {
      const waiting = new Set(journal.results.map(({ result }) => result.resultId));
      for (let number = 1; number < journal.nextResult; number += 1) {
        const id = `${name}-${String(number)}`;
        if (!recorded.has(id) && !waiting.has(id)) throw new Violation(`S2: result ${id} was acknowledged and is not recorded`);
      }
    }
  }
}

/** Without fencing safety rests on the agent's stopping its resources, which a process can't that is dead or frozen. */
const NEEDS_FENCING: ReadonlySet<string> = new Set(['agent killed', 'agent frozen']);

function serverNames(): readonly string[] {
  return Array.from({ length: SERVERS }, (_, index) => [`api-${String(index)}`, `worker-${String(index)}`]).flat();
}

function textOf(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) => (value instanceof Error ? value.message : value));
}
