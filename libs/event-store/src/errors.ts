/** The stream is not at the version that the append expected. Nothing was appended. Load the stream again, decide again, append again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';

  constructor(
    readonly streamId: string,
    readonly expected: number,
    /** The stream's version when the append was refused; 0 when it has no event. */
    readonly actual: number,
  ) {
    super(`stream ${streamId} is at version ${actual}, not ${expected}: read it again and decide again`);
  }
}

/** The event can't be stored as it is. Nothing was appended; the same event will be refused again. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';

  constructor(
    /** JSON pointer (RFC 6901) of the value at fault; empty for the whole. */
    readonly pointer: string,
    readonly reason: string,
  ) {
    super(`event${pointer === '' ? '' : ` at ${pointer}`}: ${reason}`);
  }
}

/** The database has no event store, or an older one. Run the migrations (`migrate` of `@systole/migrations`). */
export class SchemaMissing extends Error {
  override readonly name = 'SchemaMissing';

  constructor(options: ErrorOptions) {
    super('the database lacks the event store: run the migrations, then start again', options);
  }
}

/**
 * PostgreSQL can't be reached, or the connection broke. With `outcome` `none` nothing was appended: try again later. With `unknown` the
 * connection broke before the answer to an append: it may have taken place. Read the stream before appending again, or append again with
 * the same expected version (a number), which then conflicts if it did take place.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(
    readonly outcome: 'none' | 'unknown',
    options: ErrorOptions,
  ) {
    super(
      outcome === 'none'
        ? 'PostgreSQL cannot be reached; nothing was changed: try again later'
        : 'the connection to PostgreSQL broke before the answer came; the append may have taken place: read the stream before trying again',
      options,
    );
  }
}

/**
 * The caller's transaction can't append because it doesn't see the stream's newest events or lost a deadlock. Roll it back and run it
 * again; use the isolation level READ COMMITTED.
 */
export class TransactionMustRestart extends Error {
  override readonly name = 'TransactionMustRestart';

  constructor(options: ErrorOptions) {
    super('the transaction must be rolled back and run again (isolation level READ COMMITTED)', options);
  }
}

/** No event has the position that a reader wants to go on from: the position is wrong, or comes from another database. */
export class UnknownPosition extends Error {
  override readonly name = 'UnknownPosition';

  constructor(readonly globalPosition: number) {
    super(`no event has the global position ${globalPosition}: start from 0, or from the position of an event that was read here`);
  }
}

/** An event is stored in a schema version that this program can't read: it was written by a newer release. */
export class UnknownSchemaVersion extends Error {
  override readonly name = 'UnknownSchemaVersion';

  constructor(
    readonly type: string,
    readonly schemaVersion: number,
    readonly current: number,
  ) {
    super(`${type} is stored in schema version ${schemaVersion}; this program reads up to ${current}: run a newer release`);
  }
}

/** SQLSTATE, or Node's code (`ECONNREFUSED`), of an error from `pg`. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const MISSING = new Set(['42P01', '42883', '42703', '3F000']);
/** Serialization failure, deadlock, and the unique violation that a transaction meets when its snapshot is older than the stream's head. */
const RESTART = new Set(['40001', '40P01', '23505']);
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', '57P03', '53300', '3D000']);
/** The server refuses or aborts the statement before it commits; of the limits: 57014 of a statement, 55P03 of a lock, 25P03 of an idle transaction. */
const ROLLED_BACK = new Set(['57014', '55P03', '25P03', '25006', '53100', '53200']);
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P05', '08000', '08003', '08006']);
/** What `pg` throws without a code. */
const CONNECTION_MESSAGE =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error|Client was closed)/;

/**
 * The typed form of an error from `pg`; errors that are none of these come back as they are.
 *
 * @param phase what was being done: `connect` and `read` change nothing, so that their outcome is never in doubt
 */
export function storeError(error: unknown, phase: 'connect' | 'read' | 'append'): unknown {
  const code = codeOf(error);
  if (code !== undefined) {
    if (MISSING.has(code)) return new SchemaMissing({ cause: error });
    if (RESTART.has(code)) return new TransactionMustRestart({ cause: error });
    if (NEVER_CONNECTED.has(code) || ROLLED_BACK.has(code)) return new StoreUnavailable('none', { cause: error });
    if (!BROKEN.has(code)) return error;
  } else if (!(error instanceof Error) || !CONNECTION_MESSAGE.test(error.message)) {
    return error;
  }
  return new StoreUnavailable(phase === 'append' ? 'unknown' : 'none', { cause: error });
}
