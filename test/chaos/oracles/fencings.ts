import { join } from 'node:path';
import { nodesThatMayBeFenced, type Fault } from '../faults/fault.js';
import type { Timeline } from '../timeline.js';
import { LogTail } from './log-tail.js';

/** What may pass between the end of a lease and the switch, beyond the lease itself: planning, and a try that failed. */
const ALLOWANCE_MS = 10_000;
/** A node that was switched off is fenced though it booted at once, as what it ran can't be known to be over; later by `dc-deadtime` where another one was lost with it. */
const DEAD_TIME_MS = 10_000;

interface Excuse {
  readonly node: string;
  readonly from: number;
  to: number;
}

/** Compares whom the fence device has killed with who had deserved it. */
export class Fencings {
  private readonly tail: LogTail;
  private readonly excuses: Excuse[] = [];
  count = 0;

  constructor(
    shared: string,
    private readonly leaseMs: number,
    private readonly timeline: Timeline,
  ) {
    this.tail = new LogTail(join(shared, 'fencings'));
  }

  /** @returns to be called when the fault is healed */
  excuse(fault: Fault): () => void {
    const begun = nodesThatMayBeFenced(fault, this.leaseMs).map((node): Excuse => ({ node, from: Date.now(), to: Infinity }));
    this.excuses.push(...begun);
    return () => {
      for (const excuse of begun) excuse.to = Date.now() + (fault.kind === 'power-cut' ? DEAD_TIME_MS : 0);
    };
  }

  /** @returns what is wrong since the last look */
  look(): readonly string[] {
    return this.tail.next().flatMap(([at = '', phase = '', target = '', executor = '']) => {
      this.timeline.note(`fence device: ${phase} ${target}, by ${executor}`, Number(at));
      if (phase !== 'begin') return [];
      this.count += 1;
      const deserved = this.excuses.some(
        ({ node, from, to }) => node === target && from <= Number(at) && Number(at) <= to + this.leaseMs + ALLOWANCE_MS,
      );
      return deserved ? [] : [`${target} was fenced though it was alive and reachable`];
    });
  }
}
