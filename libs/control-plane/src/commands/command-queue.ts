/** A piece of work that waits for its turn. */
export interface Waiting {
  /** Whether it may be done together with others that come before or after it. */
  readonly groupable: boolean;
}

/** Most that is done together: what waits beyond it goes with the next group, so that none of them takes long. */
const MOST_TOGETHER = 128;

/**
 * Does what comes for a key in the order in which it came, one group after the other: what comes while one is on its way goes together with the next. Different keys do not
 * wait for one another.
 */
export class CommandQueue<T extends Waiting> {
  private readonly waiting = new Map<string, T[]>();

  /** @param work settles each of the group itself, and does not throw */
  constructor(private readonly work: (key: string, group: readonly T[]) => Promise<void>) {}

  add(key: string, item: T): void {
    const queue = this.waiting.get(key);
    if (queue !== undefined) {
      queue.push(item);
      return;
    }
    const begun = [item];
    this.waiting.set(key, begun);
    void this.drain(key, begun);
  }

  private async drain(key: string, queue: T[]): Promise<void> {
    while (queue.length > 0) await this.work(key, takeTogether(queue));
    this.waiting.delete(key);
  }
}

function takeTogether<T extends Waiting>(queue: T[]): readonly T[] {
  const alone = queue.findIndex(({ groupable }) => !groupable);
  const count = alone < 0 ? queue.length : Math.max(1, alone);
  return queue.splice(0, Math.min(count, MOST_TOGETHER));
}
