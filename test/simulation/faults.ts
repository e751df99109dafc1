import type { ClusterCommand } from '@systole/cluster';
import type { ClusterWorker } from '@systole/control-plane';
import type { MemoryCopy } from '@systole/control-plane/memory';
import type { AgentService } from './agent-service.js';
import { MAINTAINABLE } from './cluster.js';
import type { Machine } from './machine.js';
import type { Direction, Network } from './network.js';
import type { MachineClock, Process } from './process.js';
import type { SimulatedQueue } from './queue.js';
import type { Random } from './random.js';
import type { Ground } from './server.js';
import type { VirtualTime } from './virtual-time.js';
import type { World } from './world.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What keeps resources from being active twice when a node is lost: a fence device, each node's watchdog, that watchdog as the fencing on which the server counts, or nothing but its agent. */
export type Protection = 'fencing' | 'watchdog' | 'counted-watchdog' | 'agent';

/** What faults strike. */
export interface Target {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly world: World;
  readonly network: Network;
  readonly queue: SimulatedQueue;
  readonly ground: Ground;
  readonly protection: Protection;
  readonly nodes: readonly string[];
  readonly resources: readonly string[];
  readonly services: ReadonlyMap<string, AgentService>;
  /** By name: of nodes, of servers, of the database. */
  readonly clocks: ReadonlyMap<string, MachineClock>;
  /** Those of the servers that live, by name. */
  servers: () => ReadonlyMap<string, Process>;
  /** Those that live. */
  readonly workers: () => readonly ClusterWorker[];
  /** Starts what is not there of the servers. */
  startServers: () => void;
  /** Copies of the database from before, oldest first. */
  copies: () => readonly MemoryCopy[];
  restore: (copy: MemoryCopy) => void;
  /** A second machine with the disk of a node is switched on. */
  cloneMachine: (node: string) => void;
  operate: (command: ClusterCommand) => void;
  /** Puts a part of the configuration into maintenance, and all else out of it. */
  maintain: (unmanaged: string | undefined) => void;
}

/** @returns what it did, for the timeline */
export type Strike = (target: Target, node: string) => string;

/** Everything that can go wrong, by kind. */
const FAULTS: Readonly<Record<string, Strike>> = {
  'node cut off': (target, node) => cut(target, [node], target.random.between(500, 30_000)),
  'requests of a node lost': (target, node) => cut(target, [node], target.random.between(500, 12_000), ['request']),
  'answers to a node lost': (target, node) => cut(target, [node], target.random.between(500, 12_000), ['answer']),
  'all nodes cut off': (target) => cut(target, target.nodes, target.random.between(2_000, 45_000)),
  'node loses power': ({ world, random }, node) => {
    world.machine(node).reboot(random.between(500, 20_000));
    return node;
  },
  'power cut': (target) => {
    const { world, nodes, random } = target;
    for (const node of nodes) world.machine(node).reboot(random.between(2_000, 15_000));
    killServers(target, random.between(2_000, 15_000));
    return '';
  },
  'machine cloned': ({ cloneMachine }, node) => {
    cloneMachine(node);
    return node;
  },
  'agent killed': (target, node) => {
    const ms = absence(target, 20_000);
    target.services.get(node)?.crash(ms);
    return `${node} for ${String(ms)} ms`;
  },
  'agent frozen': (target, node) => {
    const ms = absence(target, MINUTE_MS);
    target.services.get(node)?.freeze(ms);
    return `${node} for ${String(ms)} ms`;
  },
  'machine frozen': (target, node) => {
    // A watchdog that freezes with its machine protects nobody.
    const ms = absence(target, target.protection === 'watchdog' || target.protection === 'counted-watchdog' ? SHORT_MS : MINUTE_MS);
    target.services.get(node)?.freezeMachine(ms);
    return `${node} for ${String(ms)} ms`;
  },
  'agent stopped': ({ services, random }, node) => {
    const ms = random.between(5_000, 30_000);
    services.get(node)?.leave(ms);
    return `${node} for ${String(ms)} ms`;
  },
  'disk full': ({ world, random, time }, node) => {
    const machine = world.machine(node);
    const ms = random.between(500, 20_000);
    machine.diskIsFull = true;
    machine.disturbed(ms);
    // A stop that is not begun for it has failed.
    machine.isDefective = true;
    time.after(ms, () => {
      machine.diskIsFull = false;
    });
    return `${node} for ${String(ms)} ms`;
  },
  'resource dies': ({ world, random, resources }, node) => {
    const resource = random.pick(resources) ?? '';
    world.machine(node).active.delete(resource);
    return `${resource} on ${node}`;
  },
  'server process killed': (target) => {
    const [name, process] = target.random.pick([...target.servers()]) ?? ['none'];
    const ms = target.random.between(100, 5_000);
    process?.kill();
    target.time.after(ms, target.startServers);
    return `${name} for ${String(ms)} ms`;
  },
  'server process frozen': ({ servers, random }) => {
    const [name, process] = random.pick([...servers()]) ?? ['none'];
    const ms = random.between(200, random.chance(0.3) ? MINUTE_MS : 8_000);
    process?.freeze(ms);
    return `${name} for ${String(ms)} ms`;
  },
  'apis hardly connected to the database': ({ servers, random }) => {
    const ms = random.between(2_000, 20_000);
    for (const [name, process] of servers()) if (name.startsWith('api')) process.refuse(ms);
    return `for ${String(ms)} ms`;
  },
  'all servers killed': (target) => {
    const ms = target.random.between(1_000, 30_000);
    killServers(target, ms);
    return `for ${String(ms)} ms`;
  },
  'clock of the database steps': (target) => step(target, 'database'),
  'clock of a machine steps': (target) => step(target, target.random.pick([...target.clocks.keys()]) ?? ''),
  'queue wiped': ({ queue }) => {
    queue.wipe();
    return '';
  },
  'queue away': ({ queue, random, time }) => {
    queue.isAway = true;
    time.after(random.between(500, 20_000), () => {
      queue.isAway = false;
    });
    return '';
  },
  'workers forget': ({ workers }) => {
    for (const worker of workers()) worker.forget();
    return '';
  },
  'tables lost': ({ random, ground: { database } }) => {
    const table = random.pick(['leases', 'graphs', 'claims', 'beats'] as const) ?? 'graphs';
    database.tables[table].clear();
    return table;
  },
  'database restored': (target) => restore(target),
  'database restored, servers started anew': (target) => {
    killServers(target, target.random.between(100, 8_000));
    return restore(target);
  },
  'operator: standby': ({ operate, random }, node) => {
    operate({ type: 'set-standby', node, standby: random.chance(0.5) });
    return node;
  },
  'operator: maintenance': (target, node) => {
    const { random, time, operate, network, world, maintain } = target;
    const what = random.pick(['node', ...MAINTAINABLE]) ?? 'cluster';
    const set = (on: boolean): void => {
      if (what !== 'node') maintain(on ? what : undefined);
      else if (on) operate({ type: 'set-node-attribute', node, name: 'maintenance', value: 'true', lifetime: 'forever' });
      else operate({ type: 'clear-node-attribute', node, name: 'maintenance', lifetime: 'forever' });
    };
    set(true);
    const ms = random.between(2_000, 20_000);
    time.after(ms, () => {
      set(false);
    });
    // Who is cut off about the time when it ends does not hear of that.
    if (random.chance(0.7)) {
      const busiest = [...world.machines.values()].toSorted((one, other) => other.active.size - one.active.size)[0]?.name ?? node;
      const cutMs = random.between(20_000, 45_000);
      time.after(random.between(500, ms + 1_000), () => {
        network.cut(busiest, cutMs);
        world.machines.get(busiest)?.disturbed(cutMs + 2_000);
      });
    }
    return `${what} (${node}) for ${String(ms)} ms`;
  },
  'operator: cleanup': ({ operate, random, resources }) => {
    operate({ type: 'clean-up-resource', resource: random.pick(resources) ?? '' });
    return '';
  },
  'operator: confirm down': ({ operate, world }, node) => {
    if (!world.machine(node).up) operate({ type: 'confirm-node-down', node });
    return node;
  },
};

export const FAULT_KINDS = Object.keys(FAULTS);

/** A log that went back ends what went before it; it does so in some runs only. */
const RESTORES = 0.3;
/** A second machine ends what the first one may do; there is one in some runs only. */
const CLONES = 0.15;
/** Maintenance is about who goes away meanwhile; in some runs little else happens. */
const MAINTENANCES = 0.2;
const SHARE_BESIDE = 0.1;
/** Of all kinds in one run: what strikes seldom among many kinds strikes often among few. */
const SHARE = 0.4;

/** The kinds of faults of one run. */
export function kindsOf(random: Random): readonly (readonly [string, Strike])[] {
  const restores = random.chance(RESTORES);
  const clones = random.chance(CLONES);
  const all = Object.entries(FAULTS).filter(
    ([kind]) => (restores || !kind.startsWith('database restored')) && (clones || kind !== 'machine cloned'),
  );
  const maintained = random.chance(MAINTENANCES);
  const always = new Set(['machine cloned', ...(maintained ? ['operator: maintenance'] : [])]);
  const some = all.filter(([kind]) => always.has(kind) || random.chance(maintained ? SHARE_BESIDE : SHARE));
  return some.length === 0 ? all : some;
}

/** Shorter than a lease, with the time that an agent needs to come back; ms. */
const SHORT_MS = 2_500;

/** Where safety rests on the agent alone, it must not be away for longer than a lease. */
function absence({ protection, random }: Target, longestMs: number): number {
  return random.between(200, protection === 'agent' ? SHORT_MS : longestMs);
}

function cut({ network, world, random }: Target, nodes: readonly string[], ms: number, directions?: readonly Direction[]): string {
  for (const { name } of machinesOf(world, nodes, random)) {
    // Not all are back at the same moment.
    network.cut(name, ms + random.between(0, 2_000), directions);
    // What befalls all at once is nobody's fault, and no reason to shoot anybody.
    if (nodes.length === 1) world.machine(name).disturbed(ms + 2_000);
  }
  return `${nodes.join(' ')} for ${String(ms)} ms`;
}

/** All machines of all nodes, or any one of those of one node. */
function machinesOf({ machines }: World, nodes: readonly string[], random: Random): readonly Machine[] {
  const all = [...machines.values()].filter(({ node }) => nodes.includes(node));
  const one = nodes.length === 1 && all.length > 1 ? random.pick(all) : undefined;
  return one === undefined ? all : [one];
}

function step({ clocks, random }: Target, machine: string): string {
  const ms = random.pick([-HOUR_MS, -300_000, 300_000, HOUR_MS]) ?? HOUR_MS;
  clocks.get(machine)?.step(ms);
  return `${machine} ${String(ms)} ms`;
}

function killServers({ servers, startServers, time }: Target, ms: number): void {
  for (const process of servers().values()) process.kill();
  time.after(ms, startServers);
}

function restore({ copies, restore: put, random }: Target): string {
  const copy = random.pick(copies());
  if (copy === undefined) return 'no copy yet';
  put(copy);
  return '';
}
