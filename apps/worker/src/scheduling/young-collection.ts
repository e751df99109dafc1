import { getHeapSpaceStatistics } from 'node:v8';
import type { GarbageCollector } from '@systole/read-models/idle-memory';

/** With less in the young generation, bytes, the next plan of that size finds room as well. */
const WORTH_BYTES = 8 * 1024 * 1024;

/**
 * Collects what a plan leaves behind once it was told, instead of in the midst of the next one, for which somebody waits: then all that a plan has built up is alive, and is moved about; between two
 * plans hardly anything is.
 */
export class YoungCollection {
  private pending = false;

  constructor(
    private readonly collect: GarbageCollector,
    private readonly youngBytes: () => number = bytesOfThisThread,
  ) {}

  /** A plan was told. What has come meanwhile may go first. */
  due(): void {
    if (this.pending) return;
    this.pending = true;
    setTimeout(() => {
      this.pending = false;
      if (this.youngBytes() >= WORTH_BYTES) this.collect({ type: 'minor' });
    }, 0);
  }
}

function bytesOfThisThread(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_used_size ?? 0;
}
