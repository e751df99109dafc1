import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../within.js';
import { ServerUnavailable } from './server-connection.js';

const PAUSE_MS = 500;
/** The longest that anybody waits for a server that is away. */
const LONGEST_MS = 15_000;
/** Of the time that an operation has: it has other things to do, and may ask more than once. */
const SHARE_OF_OPERATION = 1 / 3;
/** So long an answer is waited for however little is left. */
const LEAST_MS = 1_000;
/** A server that is away for longer than anybody waits is asked so often, and not by each who asks. */
const ASKED_AGAIN_AFTER_MS = 2_000;

/**
 * Repeats what resource agents ask of the server while it is away for a moment (a restart, a switch of its replicas), so that their operations do not fail for it. The wait is counted from when the server fell away, not from
 * each question: an operation that asks three times during an outage must not run into its time-out, for which its healthy resource would be restarted.
 */
export class Patience {
  private away: { readonly since: number; readonly asked: number; readonly error: ServerUnavailable } | undefined;

  /** @param now milliseconds of a clock that never steps */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param withinMs see {@link patienceOf}
   * @throws what the last attempt threw
   */
  async ask<T>(attempt: () => Promise<T>, signal: AbortSignal, withinMs = LONGEST_MS): Promise<T> {
    const begun = this.now();
    for (;;) {
      const { away } = this;
      const since = this.awaySince();
      const isGivenUp = since !== undefined && this.now() - since > withinMs;
      if (away !== undefined && isGivenUp && this.now() - away.asked < ASKED_AGAIN_AFTER_MS) throw away.error;
      try {
        const left = withinMs - (this.now() - (since ?? begun));
        const answer = await answered(attempt(), Math.max(left, LEAST_MS));
        this.away = undefined;
        return answer;
      } catch (error) {
        if (!(error instanceof ServerUnavailable)) {
          // It has answered.
          this.away = undefined;
          throw error;
        }
        this.away = { since: this.awaySince() ?? this.now(), asked: this.now(), error };
        if (signal.aborted || this.now() - this.away.since > withinMs) throw error;
        await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Since when the server is away; undefined where it is not, or nobody has asked for so long that it may have been there meanwhile. */
  private awaySince(): number | undefined {
    return this.away === undefined || this.now() - this.away.asked > LONGEST_MS ? undefined : this.away.since;
  }
}

/** A server that is frozen takes a request and says nothing. @throws {ServerUnavailable} when no answer comes in so many ms; what comes later is passed over */
async function answered<T>(attempt: Promise<T>, withinMs: number): Promise<T> {
  const answer = await within(withinMs, attempt);
  if (answer === undefined) throw new ServerUnavailable(`the server did not answer within ${String(Math.round(withinMs / 1_000))} s`);
  return answer.value;
}

/** For how long an operation may wait for a server that is away, ms. @param env its variables: how long it has is told to it as `CRM_meta_timeout`, ms */
export function patienceOf({ OCF_RESKEY_CRM_meta_timeout: timeout }: Readonly<Record<string, string>>): number {
  const has = Number(timeout ?? Infinity);
  return Number.isFinite(has) && has > 0 ? Math.min(LONGEST_MS, has * SHARE_OF_OPERATION) : LONGEST_MS;
}
