import type { Served } from '../service/served.js';
import { residentMib } from '../service/process-times.js';

const LOOK_MS = 250;

/** The most memory that the first api of a served product takes while it is watched; in the embedded form that is the worker's, too. */
export class MemoryWatch {
  #most = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly served: Served) {
    this.#timer = setInterval(() => {
      this.#look();
    }, LOOK_MS);
  }

  /** MiB. */
  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#most;
  }

  #look(): void {
    const [api] = this.served.processes;
    if (api?.isRunning === true) this.#most = Math.max(this.#most, residentMib(api.pid));
  }
}
