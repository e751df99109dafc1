import type { Job } from '@systole/node-session';
import type { Machine } from './machine.js';
import { Records } from './records.js';
import type { VirtualTime } from './virtual-time.js';

/** A rule was broken. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A node that did its part for so long may not be fenced, ms. */
const INNOCENT_AFTER_MS = 30_000;

/** All machines, and the rules that no run may break at any moment. */
export class World {
  readonly records: Records;
  /** Every execution of an action that was begun, and where. */
  private readonly executed = new Map<string, string>();
  /** The log lost its tail: until somebody notices, it may name another node's action as one that was lost. */
  wentBack = false;
  /** The first rule that was broken. */
  violation: Violation | undefined;

  constructor(
    readonly machines: Map<string, Machine>,
    /** Resources that may be active in one place only. */
    private readonly single: readonly string[],
    private readonly time: VirtualTime,
    /** Whether the cluster has reason to fence a node though it does its part: what an earlier boot of it ran may run on. */
    private readonly isUnproven: (node: string) => boolean,
  ) {
    this.records = new Records((text) => {
      this.violate(text);
    });
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

  /**
   * A program is started for an action: the journal on the disk has it, and it is begun once, by one node. Only what recurs is run again; where a disk takes
   * nothing, stops, demotes and monitors are, which do no harm when they are done twice.
   */
  execute(actionId: string, { name, journal, isWithoutJournal }: Machine, job: Job): void {
    const recurs = job.kind === 'operation' && job.operation.intervalMs > 0;
    if (isWithoutJournal && job.kind === 'operation' && ['stop', 'demote', 'monitor'].includes(job.operation.operation)) return;
    if (!journal.inFlight.has(actionId) && !(recurs && journal.executed.has(actionId))) {
      this.violate(`${actionId} is begun on ${name}, and its journal does not say so`);
    }
    const before = this.executed.get(actionId);
    if (before !== undefined && (before === name || !this.wentBack) && !recurs) this.violate(`${actionId} is executed again, on ${name}`);
    this.executed.set(actionId, name);
  }

  /** A fence device does its work. Nobody is shot who did his part. */
  fence(target: string): readonly Machine[] {
    const machines = [...this.machines.values()].filter(({ node }) => node === target);
    for (const { name, up, isDefective, disturbedUntil } of machines) {
      const innocentMs = this.time.now - disturbedUntil;
      if (up && !isDefective && innocentMs > INNOCENT_AFTER_MS && !this.isUnproven(target)) {
        this.violate(`wrong fencing: ${name} is shot, which did its part for ${String(Math.round(innocentMs / 1000))} s`);
      }
    }
    return machines;
  }

  /** A second machine is there, or is taken away. */
  add(machine: Machine): void {
    this.machines.set(machine.name, machine);
  }

  remove(machine: Machine): void {
    this.machines.delete(machine.name);
  }
}
