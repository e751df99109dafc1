import type { TransactionTables } from '../ports/transaction-tables.js';
import type { Appended } from '../ports/cluster-log.js';
import type { Clock } from '../ports/clock.js';

/** So old, ms, a request may be when it is written: longer than contended commands are tried, and than a large configuration is judged. */
export const CARRIED_OUT_WITHIN_MS = 30_000;
/** The same of what carries a configuration, ms: judging one may take up to `SYSTOLE_COMPUTATION_MS`, and it is asked of the version that the caller knew (`If-Match`). */
export const CONFIGURED_WITHIN_MS = 120_000;
/** From that age on another process may have taken a request over: sooner than the lock of its idempotency key ends (15 s). */
export const MAY_BE_TAKEN_OVER_MS = 5_000;

/** When a request was there, by both clocks: that of a process may stand still together with its machine. */
export interface ReceivedRequest {
  /** Monotonic ms of this process. */
  readonly at: number;
  /** Epoch ms by the clock of the database, as this process saw it last. */
  readonly databaseAt: number;
  /** So old it may be when it is written, ms; default {@link CARRIED_OUT_WITHIN_MS}. */
  readonly withinMs?: number;
}

/** A server stood still between the reading of a request and its append: who asked may have given it up, and have something newer written elsewhere. Nothing was appended; ask again. */
export class CarriedOutLate extends Error {
  override readonly name = 'CarriedOutLate';

  constructor(ageMs: number, withinMs: number) {
    super(
      `this request was ${(ageMs / 1_000).toFixed(1)} s old when it was to be written, and is not carried out later than after ${String(withinMs / 1_000)} s: nothing was written; ask again`,
    );
  }
}

/**
 * To be asked in the transaction of the append. The database is asked for its time only where the event has a date that is too late: such a date may also be that of the event before, from a clock that went back since.
 *
 * @throws {CarriedOutLate}
 */
export async function refuseLate(
  { at, databaseAt, withinMs = CARRIED_OUT_WITHIN_MS }: ReceivedRequest,
  clock: Pick<Clock, 'monotonic'>,
  { occurredAt }: Pick<Appended, 'occurredAt'>,
  tables: Pick<TransactionTables, 'clock'>,
): Promise<void> {
  const age = clock.monotonic() - at;
  if (age > withinMs) throw new CarriedOutLate(age, withinMs);
  if (Date.parse(occurredAt) - databaseAt <= withinMs) return;
  const passed = (await tables.clock.now()) - databaseAt;
  if (passed > withinMs) throw new CarriedOutLate(passed, withinMs);
}
