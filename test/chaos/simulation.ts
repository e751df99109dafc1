import { readCib } from '@systole/cib';
import type { ClusterState, RecordedClusterEvent } from '@systole/cluster';
import { schedule, type TransitionGraph } from '@systole/scheduler';
import { AgentService, type AgentFaults, type Surroundings } from './agent.js';
import { Api } from './api.js';
import { Database } from './database.js';
import { Network } from './network.js';
import { Random } from './random.js';
import { Timeline } from './timeline.js';
import { Violation, World } from './world.js';
import { Worker } from './worker.js';

const NODES = ['n1', 'n2', 'n3'];
/** Those that may be active in one place only. */
const SINGLE = ['db', 'web', 'ip'];
const EVERYWHERE = 'ping';
const LEASE_MS = 5000;
const TROUBLE_MS = 60_000;
const SETTLE_MS = 200_000;
const NO_FAULTS: AgentFaults = { startFails: 0, stopFails: 0, fenceFails: 0 };

export interface Outcome {
  readonly events: number;
  readonly transitions: number;
  readonly fencings: number;
  readonly faults: number;
}

/**
 * One run: trouble for 60 s of virtual time, then calm, then the cluster must have settled. Everything follows from the seed. Throws `Violation`
 * as soon as a rule is broken.
 */
export function simulate(seed: number): Outcome {
  return new Simulation(seed).run();
}

class Simulation {
  private readonly random: Random;
  private readonly timeline = new Timeline();
  private readonly database = new Database(this.timeline);
  private readonly world = new World(NODES, SINGLE, this.timeline);
  private readonly network: Network;
  private readonly api: Api;
  private readonly workers: readonly Worker[];
  private readonly services: ReadonlyMap<string, AgentService>;
  private readonly surroundings: Surroundings;
  private readonly fencing: boolean;
  private faults = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.fencing = this.random.chance(0.7);
    this.network = new Network(this.timeline, this.random, {
      drop: this.random.pick([0, 0.02, 0.2]) ?? 0,
      duplicate: this.random.pick([0, 0.05, 0.3]) ?? 0,
      delayMs: this.random.pick([10, 100, 500]) ?? 10,
    });
    this.api = new Api(this.database, this.timeline, LEASE_MS);
    this.workers = ['worker-1', 'worker-2'].map((name) => new Worker(name, this.database, this.timeline, this.random, planned));
    this.surroundings = {
      world: this.world,
      network: this.network,
      timeline: this.timeline,
      random: this.random,
      api: this.api,
      faults: { startFails: 0.05, stopFails: this.fencing ? 0.02 : 0, fenceFails: 0.2 },
    };
    this.services = new Map(
      [...this.world.machines.values()].map((machine) => [machine.name, new AgentService(machine, this.surroundings)]),
    );
    this.database.onAppend = (state, events) => {
      this.checkStream(state, events);
      for (const worker of this.workers) worker.wake();
    };
  }

  run(): Outcome {
    this.api.execute({ type: 'create-cluster', name: 'chaos', cib: this.cib() }, 'operator');
    for (const service of this.services.values()) service.start();
    this.tickWorkers();
    const end = this.timeline.now + TROUBLE_MS;
    this.trouble(end);
    this.runUntil(end);
    this.calm();
    this.runUntil(end + SETTLE_MS);
    this.checkSettled();
    const count = (type: string): number => this.database.stream.filter(({ event }) => event.type === type).length;
    return {
      events: this.database.stream.length,
      transitions: count('TransitionPlanned'),
      fencings: count('FencingCompleted'),
      faults: this.faults,
    };
  }

  private cib(): string {
    const nodes = NODES.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('');
    const dummy = (id: string, monitor: number): string =>
      `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"><operations>` +
      `<op id="${id}-m" name="monitor" interval="${String(monitor)}s" timeout="20s"/></operations></primitive>`;
    const notified = '<meta_attributes id="pings-m"><nvpair id="pings-notify" name="notify" value="true"/></meta_attributes>';
    const resources =
      '<primitive id="fencing" class="stonith" type="fence_chaos"/>' +
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

  /** The half-second scan of leases and timers. */
  private tickWorkers(): void {
    for (const worker of this.workers) worker.wake();
    this.timeline.after(500, () => {
      this.tickWorkers();
    });
  }

  private runUntil(moment: number): void {
    while (this.timeline.step(moment)) continue;
    this.timeline.now = moment;
  }

  private trouble(end: number): void {
    this.timeline.after(this.random.between(500, 6000), () => {
      if (this.timeline.now >= end) return;
      this.strike();
      this.trouble(end);
    });
  }

  private strike(): void {
    const node = this.random.pick(NODES) ?? '';
    const machine = this.world.machine(node);
    const resource = this.random.pick([...SINGLE, EVERYWHERE]) ?? '';
    const worker = this.random.pick(this.workers);
    this.faults += 1;
    const kinds: (() => void)[] = [
      () => {
        this.network.cut(node);
        this.timeline.after(this.random.between(500, 30_000), () => {
          this.network.heal(node);
        });
      },
      () => {
        machine.reboot(this.random.between(2000, 20_000));
      },
      () => machine.active.delete(resource),
      () => {
        worker?.kill();
        this.timeline.after(this.random.between(100, 5000), () => {
          worker?.start();
        });
      },
      () => {
        this.database.graphs.clear();
      },
      () => this.api.execute({ type: 'set-standby', node, standby: this.random.chance(0.5) }, 'operator'),
      () => this.api.execute({ type: 'clean-up-resource', resource }, 'operator'),
      () => {
        if (!machine.up) this.api.execute({ type: 'confirm-node-down', node }, 'operator');
      },
    ];
    // Without fencing safety rests on the agent's stopping its resources: a process that is killed can't.
    if (this.fencing) {
      kinds.push(() => {
        const service = this.services.get(node);
        service?.crash();
        this.timeline.after(this.random.between(200, 20_000), () => {
          service?.start();
        });
      });
    }
    this.random.pick(kinds)?.();
  }

  private calm(): void {
    this.network.calm();
    this.surroundings.faults = NO_FAULTS;
    for (const worker of this.workers) worker.start();
    for (const machine of this.world.machines.values()) machine.powerOn();
    for (const service of this.services.values()) service.start();
    for (const node of NODES) this.api.execute({ type: 'set-standby', node, standby: false }, 'operator');
    this.timeline.after(SETTLE_MS / 2, () => {
      this.api.execute({ type: 'clean-up-resource' }, 'operator');
    });
  }

  /** S3: a plan is made from the version right before it; only one transition runs at a time. */
  private checkStream(state: ClusterState, events: readonly RecordedClusterEvent[]): void {
    for (const { version, event } of events) {
      if (event.type === 'TransitionPlanned' && event.data.inputVersion !== version - 1) {
        throw new Violation(
          `S3: transition ${String(event.data.number)} was planned from ${String(event.data.inputVersion)} at ${String(version)}`,
        );
      }
    }
    if (state.problems.length > 0) throw new Violation(`an event could not be applied: ${JSON.stringify(state.problems)}`);
  }

  private checkSettled(): void {
    const { state, stream } = this.database;
    if (state.transition !== undefined || state.recompute !== undefined) {
      throw new Violation(`not settled: transition ${JSON.stringify(state.transition)}, recompute ${JSON.stringify(state.recompute)}`);
    }
    for (const resource of [...SINGLE, EVERYWHERE]) {
      const on = [...this.world.machines.values()].filter(({ active }) => active.has(resource)).map(({ name }) => name);
      if (on.length !== (resource === EVERYWHERE ? NODES.length : 1))
        throw new Violation(`not settled: ${resource} is active on [${on.join(' ')}]`);
    }
    const recorded = new Set(stream.flatMap(({ event }) => resultIdOf(event) ?? []));
    for (const { name, journal } of this.world.machines.values()) {
      const waiting = new Set(journal.results.map(({ result }) => result.resultId));
      for (let number = 1; number < journal.nextResult; number += 1) {
        const id = `${name}-${String(number)}`;
        if (!recorded.has(id) && !waiting.has(id)) throw new Violation(`S2: result ${id} was acknowledged and is not recorded`);
      }
    }
  }
}

/** What the scheduler makes of a state; two workers that look at the same one at the same second need not compute it twice. */
function planned(state: ClusterState, now: number): TransitionGraph {
  const known = plans.get(state);
  if (known?.now === now) return known.graph;
  const { graph } = schedule(readCib(state.cib), { now, scores: false });
  plans.set(state, { now, graph });
  return graph;
}

const plans = new WeakMap<ClusterState, { readonly now: number; readonly graph: TransitionGraph }>();

function resultIdOf(event: RecordedClusterEvent['event']): string | undefined {
  return event.type === 'OperationRecorded' || event.type === 'FencingCompleted' ? event.data.resultId : undefined;
}
