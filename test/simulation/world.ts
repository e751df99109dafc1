import type { AgentAction, ReportedResult } from '@systole/cluster';
import type { VirtualTime } from './virtual-time.js';

/** What survives a crash of the agent's process and of its machine. */
export interface Journal {
  /** Ids of actions whose execution was begun, ever. */
  readonly begun: Set<string>;
  /** Begun, and no result yet; with the incarnation in which it began. */
  readonly inFlight: Map<string, { readonly action: AgentAction; readonly incarnation: number }>;
  /** Not acknowledged yet. */
  results: { readonly incarnation: number; readonly result: ReportedResult }[];
  nextResult: number;
}

/** A machine: its power, its disk, and what runs on it whatever anybody believes. */
export class Machine {
  up = true;
  /** When it, its agent or its network last did not do their part, by virtual time. */
  disturbedAt = 0;
  readonly journal: Journal = { begun: new Set(), inFlight: new Map(), results: [], nextResult: 1 };
  /** Resources that are, or may be, active. */
  readonly active = new Set<string>();
  /** Ends what runs on the machine; set by the agent's process. */
  onPowerOff: () => void = () => undefined;
  onPowerOn: () => void = () => undefined;

  constructor(
    readonly name: string,
    private readonly time: VirtualTime,
  ) {}

  disturbed(): void {
    this.disturbedAt = this.time.now;
  }

  powerOff(): void {
    if (!this.up) return;
    this.up = false;
    this.disturbed();
    this.onPowerOff();
    this.active.clear();
  }

  powerOn(): void {
    if (this.up) return;
    this.up = true;
    this.disturbed();
    this.onPowerOn();
  }

  /** Power cycle; it is back after a while. */
  reboot(bootMs: number): void {
    this.powerOff();
    this.time.after(bootMs, () => {
      this.powerOn();
    });
  }
}

/** An invariant was broken. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A node that did its part for so long may not be fenced, ms. */
const INNOCENT_AFTER_MS = 30_000;

/** All machines, and the rules that no run may break. */
export class World {
  readonly machines: ReadonlyMap<string, Machine>;
  /** Every execution of an action that was begun. */
  private readonly executed = new Set<string>();
  /** The first rule that was broken. */
  violation: Violation | undefined;

  constructor(
    names: readonly string[],
    /** Resources that may be active in one place only. */
    private readonly single: readonly string[],
    private readonly time: VirtualTime,
    /** Whether a fence device may be asked what its target had done; where messages get lost often, nobody can tell. */
    private readonly judgesFencing: boolean,
  ) {
    this.machines = new Map(names.map((name) => [name, new Machine(name, time)]));
  }

  machine(name: string): Machine {
    const found = this.machines.get(name);
    if (found === undefined) throw new Error(`there is no machine ${name}`);
    return found;
  }

  violate(text: string): void {
    this.violation ??= new Violation(text);
  }

  /** From now on the resource may be active there. Safety rule S1: nowhere else. */
  activate(resource: string, node: string): void {
    const elsewhere = [...this.machines.values()].filter(({ name, active }) => name !== node && active.has(resource));
    if (this.single.includes(resource) && elsewhere.length > 0) {
      this.violate(`S1: ${resource} is started on ${node} while it may be active on ${elsewhere.map(({ name }) => name).join(', ')}`);
    }
    this.machine(node).active.add(resource);
  }

  /** At most once: an action id is executed once, by one node. */
  execute(actionId: string, node: string): void {
    if (this.executed.has(actionId)) this.violate(`${actionId} is executed again, on ${node}`);
    this.executed.add(actionId);
  }

  /** A fence device does its work. Nobody is shot who did his part. */
  fence(target: string): Machine {
    const machine = this.machine(target);
    const innocentMs = this.time.now - machine.disturbedAt;
    if (this.judgesFencing && machine.up && innocentMs > INNOCENT_AFTER_MS) {
      this.violate(`wrong fencing: ${target} is shot, which did its part for ${String(Math.round(innocentMs / 1000))} s`);
    }
    return machine;
  }
}
