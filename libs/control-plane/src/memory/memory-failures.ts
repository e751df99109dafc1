import type { AdvanceFailure, AdvanceFailures } from '../ports/advance-failures.js';
import type { MemoryDatabase } from './memory-database.js';

export class MemoryFailures implements AdvanceFailures {
  constructor(private readonly database: MemoryDatabase) {}

  note(clusterId: string, reason: string): Promise<void> {
    const { failures } = this.database.tables;
    const known = failures.get(clusterId);
    const since = known?.since ?? new Date(this.database.timeOfDay()).toISOString();
    failures.set(clusterId, { clusterId, since, tries: (known?.tries ?? 0) + 1, reason });
    return Promise.resolve();
  }

  clear(clusterId: string): Promise<void> {
    this.database.tables.failures.delete(clusterId);
    return Promise.resolve();
  }

  of(clusterId: string): Promise<AdvanceFailure | undefined> {
    return Promise.resolve(this.database.tables.failures.get(clusterId));
  }

  all(): Promise<readonly AdvanceFailure[]> {
    return Promise.resolve([...this.database.tables.failures.values()]);
  }
}
