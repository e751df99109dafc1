/** For whom something is computed. */
export interface Caller {
  /** Shares turns and places with nobody else: the id of a token. */
  readonly owner: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}
