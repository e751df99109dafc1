import { Random } from '../../simulation/random.js';
import {
  APIS,
  NODES,
  RESOURCES,
  STORES,
  WORKERS,
  hasClock,
  type Direction,
  type Fault,
  type FaultKind,
  type MachineName,
  type MaintenanceScope,
  type NodeName,
} from './fault.js';

/** Faults that strike together, or nearly; then the cluster is left alone until it has settled. */
export interface Round {
  readonly faults: readonly ScheduledFault[];
}

export interface ScheduledFault {
  /** ms after the begin of the round. */
  readonly afterMs: number;
  readonly fault: Fault;
}

/** How often each kind is drawn, relative to the others. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  kill: 6,
  'power-cut': 2,
  'kill-resource': 2,
  freeze: 4,
  'freeze-agent': 3,
  partition: 5,
  'packet-loss': 2,
  delay: 2,
  'lost-answers': 2,
  'clock-step': 3,
  'restored-database': 1,
  'disk-full': 1,
  maintenance: 2,
  'cloned-machine': 2,
};
const MACHINES: readonly MachineName[] = [...APIS, ...WORKERS, ...STORES, ...NODES];
export const FAULT_KINDS = Object.keys(WEIGHTS) as readonly FaultKind[];

/** The rounds of a seed, without end. The same seed, lease and kinds give the same rounds; when exactly processes act in between is their own affair. */
export function* planOf(seed: number, leaseMs: number, kinds: readonly FaultKind[] = FAULT_KINDS): Generator<Round, never> {
  const draw = new Draw(new Random(seed), leaseMs, kinds);
  for (;;) {
    const number = draw.oneOf([1, 1, 1, 2, 3]);
    const faults = Array.from({ length: number }, (_, index) => ({
      afterMs: index === 0 ? 0 : draw.between(0, leaseMs),
      fault: draw.fault(),
    }));
    yield { faults: faults.filter(isFirstCopy) };
  }
}

const COPIES: readonly FaultKind[] = ['restored-database', 'cloned-machine'];

/** There is one copy of the database, and of a machine, at a time. */
function isFirstCopy({ fault }: ScheduledFault, index: number, faults: readonly ScheduledFault[]): boolean {
  return !COPIES.includes(fault.kind) || faults.findIndex((one) => one.fault.kind === fault.kind) === index;
}

class Draw {
  constructor(
    private readonly random: Random,
    private readonly leaseMs: number,
    private readonly kinds: readonly FaultKind[],
  ) {}

  between(least: number, most: number): number {
    return this.random.between(Math.round(least), Math.round(most));
  }

  oneOf<Item>(items: readonly Item[]): Item {
    const item = this.random.pick(items);
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  }

  fault(): Fault {
    const kind = this.oneOf(this.kinds.flatMap((one) => Array.from({ length: WEIGHTS[one] }, () => one)));
    const ms = this.shortOrLong();
    switch (kind) {
      case 'kill':
      case 'freeze':
        return { kind, target: this.machine(), ms };
      case 'power-cut':
      case 'freeze-agent':
        return { kind, target: this.oneOf(NODES), ms };
      case 'kill-resource':
        return { kind, resource: this.oneOf(RESOURCES), ms: 0 };
      case 'partition': {
        const direction = this.oneOf<Direction>(['inbound', 'outbound', 'both']);
        return {
          kind,
          targets: this.oneOf([this.nodes(1), this.nodes(1), this.nodes(2), NODES, APIS, WORKERS, [this.machine()]]),
          direction,
          ms,
        };
      }
      case 'packet-loss':
        return { kind, targets: this.nodes(this.between(1, 3)), percent: this.oneOf([5, 10, 40]), ms: 2 * this.leaseMs };
      case 'delay':
        return { kind, targets: this.nodes(this.between(1, 3)), delayMs: this.oneOf([50, 200, this.leaseMs / 4]), ms: 2 * this.leaseMs };
      case 'lost-answers':
        return { kind, targets: this.nodes(this.between(1, 2)), ms };
      case 'clock-step':
        return { kind, target: this.oneOf(MACHINES.filter(hasClock)), seconds: this.oneOf([3600, -3600, 300, -300]), ms: 2 * this.leaseMs };
      case 'restored-database':
        return { kind, ms: this.between(2_000, 3 * this.leaseMs) };
      case 'disk-full':
        return { kind, target: this.oneOf(NODES), ms: 2 * this.leaseMs };
      case 'maintenance':
        return {
          kind,
          of: this.oneOf<MaintenanceScope>(['cluster', 'cluster', ...NODES, ...RESOURCES]),
          ms: this.between(1_000, 3 * this.leaseMs),
        };
      case 'cloned-machine':
        return {
          kind,
          target: this.oneOf(NODES),
          cut: this.oneOf(['never', 'before', 'after'] as const),
          gapMs: this.between(0, 2 * this.leaseMs),
          ms: this.between(this.leaseMs, 4 * this.leaseMs),
        };
    }
  }

  /** Shorter than a lease, or clearly longer. */
  private shortOrLong(): number {
    return this.random.chance(0.4) ? this.between(200, this.leaseMs / 3) : this.between(this.leaseMs * 1.5, this.leaseMs * 3);
  }

  private machine(): MachineName {
    return this.oneOf(MACHINES);
  }

  /** So many different nodes. */
  private nodes(number: number): readonly NodeName[] {
    const left = [...NODES];
    return Array.from({ length: number }, () => {
      const node = this.oneOf(left);
      left.splice(left.indexOf(node), 1);
      return node;
    }).toSorted();
  }
}
