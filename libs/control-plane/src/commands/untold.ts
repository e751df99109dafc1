import { OutcomeUnknown } from '../ports/cluster-log.js';
import type { ExecuteResult } from './command-results.js';

/** Who asks for something, and is told what came of it. */
export interface Asking {
  readonly settle: (result: ExecuteResult) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Those of a group who were not told yet what became of what they asked for. As long as nobody knows of an append whether it took place, nobody of it is told that it
 * did not: not the ones either whose next attempt fails, or comes to nothing.
 */
export class Untold<A extends Asking> {
  readonly #clusterId: string;
  /** In the order in which they came. */
  readonly #group: readonly A[];
  /** Those to decide for. */
  readonly #open: Set<A>;
  /** Perhaps stored, from the version on that all appends in doubt expected: at most one of these can take place. */
  readonly #inDoubt = new Set<A>();
  /** Those in doubt whose next attempt failed. */
  readonly #failed = new Map<A, unknown>();
  #doubtedVersion: number | undefined;

  constructor(clusterId: string, group: readonly A[]) {
    this.#clusterId = clusterId;
    this.#group = group;
    this.#open = new Set(group);
  }

  get open(): readonly A[] {
    return [...this.#open];
  }

  get inDoubt(): readonly A[] {
    return this.#group.filter((asked) => this.#inDoubt.has(asked));
  }

  /** What the appends in doubt expected; undefined when none is. */
  get doubtedVersion(): number | undefined {
    return this.#doubtedVersion;
  }

  isEmpty(): boolean {
    return this.#open.size + this.#failed.size === 0;
  }

  /** Nobody knows whether an append of theirs took place. @param expectedVersion the same as that of others in doubt */
  doubt(expectedVersion: number, asked: readonly A[]): void {
    this.#doubtedVersion = expectedVersion;
    for (const one of asked) this.#inDoubt.add(one);
  }

  /** Of those that are left nothing took place, nor will it. */
  endDoubt(): void {
    this.#doubtedVersion = undefined;
    this.#inDoubt.clear();
    for (const [asked, error] of this.#failed) asked.fail(error);
    this.#failed.clear();
  }

  /** It stands in the log. */
  stored(asked: A, result: ExecuteResult): void {
    this.#forget(asked);
    asked.settle(result);
  }

  /** Nothing of it is to be stored. @returns whether that could be told */
  settle(asked: A, result: ExecuteResult): boolean {
    if (this.#inDoubt.has(asked)) return false;
    this.stored(asked, result);
    return true;
  }

  /** Its attempt failed, and changed nothing. */
  fail(asked: A, error: unknown): void {
    this.#open.delete(asked);
    if (this.#inDoubt.has(asked)) this.#failed.set(asked, error);
    else asked.fail(error);
  }

  /** Somebody else tells it. */
  leave(asked: A): void {
    this.#forget(asked);
  }

  /** Tells all that are left. */
  failAll(error: unknown): void {
    for (const asked of [...this.#open, ...this.#failed.keys()]) {
      const cause = this.#failed.get(asked) ?? error;
      const isUnknown = this.#inDoubt.has(asked) && !(cause instanceof OutcomeUnknown);
      this.#forget(asked);
      asked.fail(isUnknown ? new OutcomeUnknown(this.#clusterId, { cause }) : cause);
    }
  }

  #forget(asked: A): void {
    this.#open.delete(asked);
    this.#inDoubt.delete(asked);
    this.#failed.delete(asked);
  }
}
