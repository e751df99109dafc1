/** Work for clusters beside that of others, for a bounded number of clusters at a time; within a cluster one piece after another. */
export class Settlements {
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, readonly (() => Promise<void>)[]>();
  private ending = false;

  /** @param most clusters at a time */
  constructor(private readonly most: number) {}

  /** Takes the place of work for this cluster that waits. While some of it is under way, or at the end, nothing is begun: ask again. @param work never rejects */
  begin(clusterId: string, work: readonly (() => Promise<void>)[]): void {
    if (this.ending || this.underWay.has(clusterId)) return;
    this.waiting.set(clusterId, work);
    this.beginWaiting();
  }

  /** Begins nothing more and waits for what is under way. */
  async end(): Promise<void> {
    this.ending = true;
    this.waiting.clear();
    await Promise.all(this.underWay.values());
  }

  private beginWaiting(): void {
    for (const [clusterId, work] of this.waiting) {
      if (this.underWay.size >= this.most) return;
      this.waiting.delete(clusterId);
      this.underWay.set(clusterId, this.run(clusterId, work));
    }
  }

  private async run(clusterId: string, work: readonly (() => Promise<void>)[]): Promise<void> {
    for (const piece of work) if (!this.ending) await piece();
    this.underWay.delete(clusterId);
    this.beginWaiting();
  }
}
