import { within } from '../within.js';
import { ServerUnavailable } from './server-connection.js';

const PAUSE_MS = 500;
/** The longest that anybody waits for a server that is away. */
const LONGEST_MS = 15_000;
/** Of the time that an operation has: it has other things to do, and may ask more than once. */
const SHARE_OF_OPERATION = 1 / 3;
/** So long an answer is waited for however little is left. */
export const LEAST_MS = 1_000;
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
      const refusal = this.refusalOf(withinMs);
      if (refusal !== undefined) throw refusal;
      try {
        return await this.once(attempt, Math.max(this.leftMs(begun, withinMs), LEAST_MS));
      } catch (error) {
        if (!(error instanceof ServerUnavailable) || signal.aborted || this.isOver(withinMs)) throw error;
        await this.rest(signal);
      }
    }
  }

  /** ms, of a clock that never steps. */
  get time(): number {
    return this.now();
  }

  /** What is left of the patience of somebody who began to ask at `begun`, ms; negative: it is over for longer. */
  leftMs(begun: number, withinMs: number): number {
    return withinMs - (this.now() - (this.awaySince() ?? begun));
  }

  /** Whether the server is away for longer than somebody waits. */
  isOver(withinMs: number): boolean {
    const since = this.awaySince();
    return since !== undefined && this.now() - since > withinMs;
  }

  /** Why somebody is not to ask at all: the server is away for longer than that, and was asked a moment ago. */
  refusalOf(withinMs: number): ServerUnavailable | undefined {
    const { away } = this;
    return away !== undefined && this.isOver(withinMs) && this.now() - away.asked < ASKED_AGAIN_AFTER_MS ? away.error : undefined;
  }

  /** Asks once, and notes whether the server is away. @throws what the attempt threw */
  async once<T>(attempt: () => Promise<T>, withinMs: number): Promise<T> {
    try {
      const answer = await answered(attempt(), withinMs);
      this.away = undefined;
      return answer;
    } catch (error) {
      // Anything else is an answer.
      this.away = error instanceof ServerUnavailable ? { since: this.awaySince() ?? this.now(), asked: this.now(), error } : undefined;
      throw error;
    }
  }

  /** Between two attempts. */
  async rest(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, PAUSE_MS);
      signal.addEventListener('abort', done, { once: true });
    });
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
