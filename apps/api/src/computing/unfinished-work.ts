import type { XmlElement } from '@systole/cib';

/** What is computed: the same of the same state, for the same owner. */
export interface WorkOnTree {
  readonly owner: string;
  /** What of the tree. */
  readonly what: string;
  readonly tree: XmlElement;
}

interface Entry extends Omit<WorkOnTree, 'tree'> {
  readonly tree: WeakRef<XmlElement>;
  /** Monotonic ms. */
  readonly until: number;
}

/** The share of the longest time that work has to have run for to be remembered: who gives up early may come again at once. */
const LONG = 1 / 6;

/**
 * Work that ran for long and came to no end. It would most likely not the next time either, so it rests for as long as it ran: one who asks for it again and again has the thread
 * half of the time at most. There are never more than a few, as each took its time.
 */
export class UnfinishedWork {
  #entries: readonly Entry[] = [];

  /** @param longestMs after which work is given up @param now monotonic ms */
  constructor(
    private readonly longestMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  add({ tree, owner, what }: WorkOnTree, ranMs: number): void {
    if (ranMs < this.longestMs * LONG) return;
    const now = this.now();
    this.#entries = [...this.#entries.filter(({ until }) => until > now), { owner, what, tree: new WeakRef(tree), until: now + ranMs }];
  }

  /** For how long it is not to be begun, ms; 0 when it may be. */
  restMs(work: WorkOnTree): number {
    const found = this.#entries.findLast(
      ({ owner, what, tree }) => owner === work.owner && what === work.what && tree.deref() === work.tree,
    );
    return found === undefined ? 0 : Math.max(0, found.until - this.now());
  }
}
