import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { NOTIFY } from './append-statements.js';
import { SEPARATOR } from './canonical-event.js';

/** At least so long between two notifications of a process; the first after a quiet while leaves at once. */
const INTERVAL_MS = 10;
/** PostgreSQL's limit for a payload, in bytes. */
const PAYLOAD_LIMIT = 7_999;

/**
 * Tells other processes of appends, after their commit. PostgreSQL lets only one transaction with a NOTIFY commit at a time in the whole
 * server, so a NOTIFY inside each append would end the sharing of disk flushes between streams. What comes while one is on its way, or
 * soon after, goes with the next, the newest version of each stream only.
 *
 * A notification that is lost (this process dies in between) costs latency, nothing else: listeners also look for themselves.
 */
export class Announcer {
  readonly #pool: Pool;
  readonly #newest = new Map<string, number>();
  #sending: Promise<void> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  announce(streamId: string, version: number): void {
    this.#newest.set(streamId, Math.max(version, this.#newest.get(streamId) ?? 0));
    this.#sending ??= this.#send();
  }

  /** Resolves when nothing is left to be told. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#newest.size > 0) {
      const payloads = packed([...this.#newest].map(([streamId, version]) => `${version}:${streamId}`));
      this.#newest.clear();
      try {
        for (const payload of payloads) await this.#pool.query({ name: 'systole-notify', text: NOTIFY, values: [payload] });
      } catch {
        // Listeners find the events at their next look; the next append announces again.
      }
      await sleep(INTERVAL_MS);
    }
    this.#sending = undefined;
  }
}

/** As few payloads as hold all entries. */
function packed(entries: readonly string[]): readonly string[] {
  const payloads: string[] = [];
  let payload = '';
  for (const entry of entries) {
    const longer = payload === '' ? entry : payload + SEPARATOR + entry;
    if (Buffer.byteLength(longer) <= PAYLOAD_LIMIT) {
      payload = longer;
    } else {
      payloads.push(payload);
      payload = entry;
    }
  }
  return [...payloads, payload];
}
