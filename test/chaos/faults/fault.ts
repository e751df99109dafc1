/** Exclusive resources: each is a process that may live on one node only. */
export const RESOURCES = ['database', 'address', 'web', 'queue', 'mail'] as const;
export type ResourceName = (typeof RESOURCES)[number];

/** The machines of the lab, by what runs on them. */
export const NODES = ['n1', 'n2', 'n3', 'n4', 'n5'] as const;
export const APIS = ['api-1', 'api-2'] as const;
export const WORKERS = ['worker-1', 'worker-2'] as const;
export const STORES = ['postgresql', 'redis'] as const;

export type NodeName = (typeof NODES)[number];
export type ServerName = (typeof APIS)[number] | (typeof WORKERS)[number];
export type StoreName = (typeof STORES)[number];
export type MachineName = NodeName | ServerName | StoreName;
/** Redis has no clock of its own: libfaketime does not get along with its allocator. */
export type ClockName = Exclude<MachineName, 'redis'>;

/** Which packets are lost, seen from the machines that are cut off. */
export type Direction = 'inbound' | 'outbound' | 'both';

/** What is in maintenance. */
export type MaintenanceScope = 'cluster' | NodeName | ResourceName;

/** What is done to the lab. Durations in ms; when they are over the fault is healed. */
export type Fault =
  /** kill -9 of the program; a node's resources live on. */
  | { readonly kind: 'kill'; readonly target: MachineName; readonly ms: number }
  /** Everything on the node dies at once; it boots after that time. */
  | { readonly kind: 'power-cut'; readonly target: NodeName; readonly ms: number }
  /** The processes of that resource die, wherever they are. */
  | { readonly kind: 'kill-resource'; readonly resource: ResourceName; readonly ms: number }
  /** SIGSTOP to everything on the machine, and SIGCONT. */
  | { readonly kind: 'freeze'; readonly target: MachineName; readonly ms: number }
  /** SIGSTOP to the node's agent alone. */
  | { readonly kind: 'freeze-agent'; readonly target: NodeName; readonly ms: number }
  | { readonly kind: 'partition'; readonly targets: readonly MachineName[]; readonly direction: Direction; readonly ms: number }
  | { readonly kind: 'packet-loss'; readonly targets: readonly MachineName[]; readonly percent: number; readonly ms: number }
  | { readonly kind: 'delay'; readonly targets: readonly NodeName[]; readonly delayMs: number; readonly ms: number }
  /** Requests arrive at the api, their answers do not come back. */
  | { readonly kind: 'lost-answers'; readonly targets: readonly NodeName[]; readonly ms: number }
  | { readonly kind: 'clock-step'; readonly target: ClockName; readonly seconds: number; readonly ms: number }
  /** A copy of the database is taken, and put back after that time. */
  | { readonly kind: 'restored-database'; readonly ms: number }
  /** No room for the agent's journal. */
  | { readonly kind: 'disk-full'; readonly target: NodeName; readonly ms: number }
  /** Resources are not to be touched, whatever happens to them. */
  | { readonly kind: 'maintenance'; readonly of: MaintenanceScope; readonly ms: number }
  /** A copy of the machine with its token is switched on, and off in the end. The original may be cut off so long before or after that. */
  | {
      readonly kind: 'cloned-machine';
      readonly target: NodeName;
      readonly cut: 'never' | 'before' | 'after';
      readonly gapMs: number;
      readonly ms: number;
    };

export type FaultKind = Fault['kind'];

export function describeFault(fault: Fault): string {
  const seconds = `${(fault.ms / 1000).toFixed(1)} s`;
  switch (fault.kind) {
    case 'partition':
      return `partition of ${fault.targets.join(', ')} (${fault.direction}) for ${seconds}`;
    case 'packet-loss':
      return `packet-loss of ${fault.percent} % at ${fault.targets.join(', ')} for ${seconds}`;
    case 'delay':
      return `delay of ${fault.delayMs} ms for ${fault.targets.join(', ')} for ${seconds}`;
    case 'lost-answers':
      return `lost-answers for ${fault.targets.join(', ')} for ${seconds}`;
    case 'clock-step':
      return `clock-step of ${fault.seconds} s at ${fault.target} for ${seconds}`;
    case 'kill-resource':
      return `kill-resource ${fault.resource}`;
    case 'restored-database':
      return `restored-database of ${seconds} before`;
    case 'maintenance':
      return `maintenance of ${fault.of} for ${seconds}`;
    case 'cloned-machine':
      return `cloned-machine ${fault.target} for ${seconds}, the original ${fault.cut === 'never' ? 'reachable' : `cut off ${(fault.gapMs / 1000).toFixed(1)} s ${fault.cut}`}`;
    default:
      return `${fault.kind} of ${fault.target} for ${seconds}`;
  }
}

/** What an agent needs beside the fault itself until it polls again, ms: its supervisor waits, the process starts. */
const RESTART_MS = 2_500;

/**
 * The nodes that can't be blamed on Systole when they are fenced for this fault: they were dead, frozen or unreachable for long enough to lose a lease.
 * An agent may have renewed its lease last up to half a lease before the fault. What happens to servers, stores and clocks excuses no fencing.
 */
export function nodesThatMayBeFenced(fault: Fault, leaseMs: number): readonly NodeName[] {
  const nodes = ('targets' in fault ? fault.targets : 'target' in fault ? [fault.target] : []).filter(isNode);
  const outMs = fault.kind === 'kill' ? fault.ms + RESTART_MS : fault.ms;
  switch (fault.kind) {
    case 'power-cut':
    case 'disk-full':
      return nodes;
    case 'clock-step':
    case 'kill-resource':
    case 'restored-database':
    case 'maintenance':
      return [];
    case 'cloned-machine':
      return fault.cut === 'never' ? [] : nodes;
    case 'delay':
      return fault.delayMs >= leaseMs / 10 ? nodes : [];
    case 'packet-loss':
      return fault.percent >= 25 ? nodes : [];
    default:
      return outMs >= leaseMs / 2 ? nodes : [];
  }
}

export function isNode(name: MachineName): name is NodeName {
  return NODES.some((node) => node === name);
}

export function hasClock(name: MachineName): name is ClockName {
  return name !== 'redis';
}
