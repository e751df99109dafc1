interface Entry<I, O> {
  readonly item: I;
  readonly resolve: (result: O) => void;
  readonly reject: (error: unknown) => void;
}

/** Does one piece of work for many items at a time: what comes while it runs goes together into the next run. */
export class Batch<I, O> {
  #waiting: Entry<I, O>[] = [];
  #running = false;

  /** @param work gives one result for each item, in their order @param most items in one run */
  constructor(
    private readonly work: (items: readonly I[]) => Promise<readonly O[]>,
    private readonly most: number,
  ) {}

  /** The item's result. @throws what the work throws, for every item of the run */
  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, this.most);
      try {
        const results = await this.work(entries.map(({ item }) => item));
        for (const [index, entry] of entries.entries()) {
          const result = results[index];
          entry.resolve(result as O);
        }
      } catch (error) {
        for (const entry of entries) entry.reject(error);
      }
    }
    this.#running = false;
  }
}
