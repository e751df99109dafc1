/** Runs tasks so that those of one lane never overlap and come in order, and that at most `limit` run at once. */
export class Lanes {
  private readonly lanes = new Map<string, (() => Promise<void>)[]>();
  private readonly busy = new Map<string, Promise<void>>();
  private running = 0;
  private idleWaiters: (() => void)[] = [];

  /** @param limit tasks at once, over all lanes */
  constructor(private readonly limit: number) {}

  /** @param task must not reject */
  add(lane: string, task: () => Promise<void>): void {
    const queue = this.lanes.get(lane);
    if (queue === undefined) this.lanes.set(lane, [task]);
    else queue.push(task);
    this.startWhatCan();
  }

  /** Forgets the tasks that have not begun. */
  clear(): void {
    this.lanes.clear();
    this.tellIfIdle();
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.idleWaiters.push(resolve);
      this.tellIfIdle();
    });
  }

  /** Resolves when nothing of the lane runs. */
  async idleOf(lane: string): Promise<void> {
    await this.busy.get(lane);
  }

  private startWhatCan(): void {
    for (const [lane, queue] of this.lanes) {
      if (this.running >= this.limit) return;
      if (this.busy.has(lane)) continue;
      const task = queue.shift();
      if (queue.length === 0) this.lanes.delete(lane);
      if (task !== undefined) this.start(lane, task);
    }
  }

  private start(lane: string, task: () => Promise<void>): void {
    this.running += 1;
    const run = task().finally(() => {
      this.busy.delete(lane);
      this.running -= 1;
      this.startWhatCan();
      this.tellIfIdle();
    });
    this.busy.set(lane, run);
  }

  private tellIfIdle(): void {
    if (this.running > 0 || this.lanes.size > 0) return;
    const waiters = this.idleWaiters;
    this.idleWaiters = [];
    for (const resolve of waiters) resolve();
  }
}
