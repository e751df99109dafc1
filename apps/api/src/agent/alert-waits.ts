import { repeat, type Ending, type Repeating } from '@systole/control-plane';
import { SYSTEM_CLOCK, type AlertRuns } from '@systole/control-plane-postgres';

/** How often it is looked whether there is something to run, ms: by one question for all agents that wait here. */
const LOOK_EVERY_MS = 500;

/** Agents that wait here for programs of alerts to run. */
export class AlertWaits {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #looking: Repeating;

  constructor(
    private readonly runs: Pick<AlertRuns, 'nodesWaitedFor'>,
    onTrouble: (error: unknown) => void,
  ) {
    this.#looking = repeat(SYSTEM_CLOCK, LOOK_EVERY_MS, () => this.#look(), onTrouble);
  }

  /** Waits until there is something for a node, for so long at most. */
  async wait(clusterId: string, node: string, ms: number, ending: Ending): Promise<void> {
    if (ms <= 0 || ending.aborted) return;
    const key = keyOf(clusterId, node);
    await new Promise<void>((resolve) => {
      const wakers = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, wakers);
      const wake = (): void => {
        clearTimeout(timer);
        ending.removeEventListener('abort', wake);
        wakers.delete(wake);
        if (wakers.size === 0 && this.#waiting.get(key) === wakers) this.#waiting.delete(key);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      wakers.add(wake);
      ending.addEventListener('abort', wake, { once: true });
    });
  }

  async close(): Promise<void> {
    await this.#looking.stop();
    for (const wakers of [...this.#waiting.values()]) for (const wake of [...wakers]) wake();
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0) return;
    for (const { clusterId, node } of await this.runs.nodesWaitedFor()) {
      for (const wake of [...(this.#waiting.get(keyOf(clusterId, node)) ?? [])]) wake();
    }
  }
}

function keyOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
