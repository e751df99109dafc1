/** Hears that a stream has reached a version. Must not throw. */
type Report = (streamId: string, version: number) => void;

/**
 * Stores on the same database in one thread, such as those of an api and of a worker, tell one another of what they append, at once: each would hear of it by a notification of the database, some
 * milliseconds later and more where many come one after the other.
 */
export class AppendReports {
  readonly #stores = new Set<Report>();

  /** @returns what ends it */
  join(report: Report): () => void {
    this.#stores.add(report);
    return () => {
      this.#stores.delete(report);
    };
  }

  /** To be called after the commit. */
  report(streamId: string, version: number): void {
    for (const report of [...this.#stores]) report(streamId, version);
  }
}
