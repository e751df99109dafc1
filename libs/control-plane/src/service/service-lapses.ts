import type { Clock } from '../ports/clock.js';
import { LONGEST_SILENCE_MS, type Heartbeats } from '../ports/heartbeats.js';

/** For so long after a lapse an api counts as not serving, ms: whoever judges leases takes note of an absence of more than LONGEST_SILENCE_MS. */
const LAPSE_MS = LONGEST_SILENCE_MS + 1_000;

/**
 * When an api was not able to do for agents what their leases depend on, although it is up: it had no connection to the database for them, could not renew leases, or kept them waiting at its door. Some of what it tries may
 * succeed all the same (a connection that is left serves whoever comes at the right moment), its own beats among it; agents, whose polls need several steps, are away for it nevertheless.
 */
export class ServiceLapses {
  #lastAt = Number.NEGATIVE_INFINITY;
  readonly #pending = new Set<{ readonly since: number }>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Something failed that may befall any agent, and has to do with none of them. */
  note(): void {
    this.#lastAt = this.clock.monotonic();
  }

  /** Hears what becomes of a renewal of leases that waits for none of them. @throws what it throws */
  async hear<T>(renew: () => Promise<T>): Promise<T> {
    const pending = { since: this.clock.monotonic() };
    this.#pending.add(pending);
    try {
      return await renew();
    } catch (error) {
      this.note();
      throw error;
    } finally {
      this.#pending.delete(pending);
    }
  }

  /** Whether agents were served of late, as far as this api knows: nothing has failed, and no renewal is under way for long. */
  get isServing(): boolean {
    const now = this.clock.monotonic();
    return now - this.#lastAt > LAPSE_MS && [...this.#pending].every(({ since }) => now - since <= LONGEST_SILENCE_MS);
  }
}

/** A beat does not count, as this api can't serve agents. */
export class NotServing extends Error {
  override readonly name = 'NotServing';

  constructor() {
    super(
      'agents could not be served here of late (no connection to the database, leases could not be renewed, more was asked than this api comes to, or the log of a cluster was written by a newer release), so this api does not count as there',
    );
  }
}

/**
 * Beats that say that agents are served, not only that the process is up. Where they are not, what the row says is written all the same (and whoever writes it learns whether that can be done), but
 * the count begins anew each time: it stands still, as that of an api that is gone.
 *
 * @returns such that `beat` throws {@link NotServing} then
 */
export function beatsWhileServing(heartbeats: Heartbeats, lapses: Pick<ServiceLapses, 'isServing'>): Heartbeats {
  return {
    beat: async (apiId, unbroken, trouble) => {
      const { isServing } = lapses;
      await heartbeats.beat(apiId, unbroken && isServing, trouble);
      if (!isServing) throw new NotServing();
    },
    forgetOld: () => heartbeats.forgetOld(),
    all: () => heartbeats.all(),
  };
}
