/** Whether a server can carry another agent. */
export interface Admission {
  /** For any join but that of a node which shows the incarnation that is joined: it may have a lease to save. @throws {ServerOverloaded} it can't even serve those that it has */
  admit(): void;
  /** For the join of a node that the cluster does not know yet. @throws {ServerOverloaded} it has as many as it can carry */
  admitNew(): void;
  /** A poll came, which says how many agents there are to serve. */
  polled(): void;
}

/** More agents than a server can carry. Nothing was recorded; the agent comes back, or asks another server. */
export class ServerOverloaded extends Error {
  override readonly name = 'ServerOverloaded';

  /** @param retryAfterMs ms */
  constructor(
    reason: string,
    readonly retryAfterMs: number,
  ) {
    super(reason);
  }
}
