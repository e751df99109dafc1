/** How often each api writes that it is up, ms. */
export const BEAT_MS = 500;

/** An api that was not heard of for longer, ms, was away: leases could not be renewed there meanwhile. */
export const LONGEST_SILENCE_MS = 2_000;

/** One api's row, or one worker's. */
export interface ApiBeats {
  readonly apiId: string;
  /** Beats since it came up, or was silent for too long: each at least BEAT_MS after the one before. No clock tells them. */
  readonly beats: number;
  /** What keeps it from storing events, in words; absent when nothing is known to. */
  readonly trouble?: string;
}

/**
 * Whether there was anybody to renew a lease with. A lease that ended while every api was away says nothing about its node, so the api writes down
 * that it is up, and the lease watch judges only what happened under its eyes.
 *
 * Workers write the same of themselves, elsewhere: so apis can say that no worker is there.
 */
export interface Heartbeats {
  /**
   * Says that this api can receive renewals now (`beatsWhileServing`).
   *
   * @param apiId of this process: a new one for each start
   * @param unbroken whether the beat before was at most LONGEST_SILENCE_MS ago, by this process's monotonic clock
   * @param trouble what keeps it from storing events, in words; undefined when nothing is known to
   */
  beat(apiId: string, unbroken: boolean, trouble?: string): Promise<void>;
  /** Forgets apis that are gone. */
  forgetOld(): Promise<void>;
  /** What each api wrote last, also of those that are gone. */
  all(): Promise<readonly ApiBeats[]>;
}
