/** What has to be let go of at the end. */
export class Closing {
  readonly #steps: (() => Promise<void> | void)[] = [];

  /** Has this done at the end, before whatever was given earlier. */
  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Does what was given, newest first, one after the other; a second time there is nothing to do. @throws what a step throws; what was given before it is not done then */
  async close(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step();
  }
}
