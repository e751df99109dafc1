import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap } from '@systole/api-client';
import type { LostTail } from '../faults/strike.js';
import type { ChaosLab } from '../lab/chaos-lab.js';
import { withWrite } from '../lab/cluster-configuration.js';
import { tryToChange } from '../lab/configuration-change.js';

const PAUSE_MS = 1_000;

/** A change of the configuration to which the answer was that it is done. */
export interface Acknowledged {
  readonly number: number;
  readonly askedAt: number;
  readonly at: number;
  /** Version of the stream that the answer named. */
  readonly version: number;
}

/**
 * @param recorded versions of the events in the log, by the reason that they carry
 * @param lostTails what was acknowledged in them is excused
 * @returns what is wrong
 */
export function judgeWrites(
  acknowledged: readonly Acknowledged[],
  recorded: ReadonlyMap<string, readonly number[]>,
  lostTails: readonly LostTail[],
): readonly string[] {
  return acknowledged.flatMap(({ number, at, version }) => {
    if (lostTails.some(({ from, to }) => from <= at && at <= to)) return [];
    const versions = recorded.get(reasonOf(number)) ?? [];
    if (versions.length === 0) return [`write ${number} was acknowledged and is not in the event log`];
    if (versions.length > 1) return [`write ${number} is in the event log ${versions.length} times`];
    return versions[0] === version ? [] : [`write ${number} was acknowledged with version ${version} and has version ${versions.join()}`];
  });
}

/** A client that changes the configuration, on and on, with a number each time, and remembers what was acknowledged. */
export class Writes {
  private readonly acknowledged: Acknowledged[] = [];
  private readonly ended = new AbortController();
  private readonly running: Promise<void>;
  private attempts = 0;

  constructor(private readonly lab: ChaosLab) {
    this.running = this.write();
  }

  get summary(): string {
    return `${this.acknowledged.length} of ${this.attempts} writes acknowledged`;
  }

  /** Whether something that was asked for after that moment was acknowledged. */
  succeededAfter(moment: number): boolean {
    return this.acknowledged.some(({ askedAt }) => askedAt >= moment);
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.running;
  }

  /** @returns what is wrong by {@link judgeWrites} */
  async check(lostTails: readonly LostTail[]): Promise<readonly string[]> {
    return judgeWrites(this.acknowledged, await this.recorded(), lostTails);
  }

  private async write(): Promise<void> {
    while (!this.ended.signal.aborted) {
      this.attempts += 1;
      await this.attempt(this.attempts).catch(() => undefined);
      await sleep(PAUSE_MS, undefined, { signal: this.ended.signal }).catch(() => undefined);
    }
  }

  /** Whether it was done is known only if it is acknowledged: a failed attempt is not repeated, the next one counts on. */
  private async attempt(number: number): Promise<void> {
    const { client, cluster } = this.lab;
    const askedAt = Date.now();
    const version = await tryToChange(client, cluster, (cib) => withWrite(cib, number), reasonOf(number));
    if (typeof version !== 'number') return;
    this.acknowledged.push({ number, askedAt, at: Date.now(), version });
  }

  /** Versions of the events with a reason, by the reason. */
  private async recorded(): Promise<ReadonlyMap<string, readonly number[]>> {
    const { client, cluster } = this.lab;
    const found = new Map<string, number[]>();
    let cursor: string | undefined;
    do {
      const query = { limit: 1000, type: ['ConfigurationChanged' as const], ...(cursor === undefined ? {} : { cursor }) };
      const page = unwrap(await client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster }, query } }));
      for (const { version, type, data } of page.items) {
        const reason = type === 'ConfigurationChanged' ? data.reason : undefined;
        if (reason !== undefined) found.set(reason, [...(found.get(reason) ?? []), version]);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return found;
  }
}

function reasonOf(number: number): string {
  return `chaos write ${number}`;
}
