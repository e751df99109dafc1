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

/** The database lacks a table or what else the migrations make, or has it in an older form (`migrate` of `@systole/migrations`). */
export class SchemaMissing extends Error {
  override readonly name = 'SchemaMissing';
  /** What is missing, in words, and what to do. */
  readonly reason: string;

  /** @param missing what is missing, in words, where it is known */
  constructor(missing: string | undefined, options: ErrorOptions) {
    const reason = missingText(missing);
    super(reason, options);
    this.reason = reason;
  }
}

/** For people: that something of the schema is not there, and what to do. @param what in words, such as `the table tokens`; undefined: nobody knows */
export function missingText(what: string | undefined): string {
  return `the database lacks ${what ?? 'something that the migrations make'}: put it back, under its name or from a backup; where the migrations did not run, run them and start again`;
}

/** Why the store can't do what it is asked; only the database, the way to it, or whoever looks after them can change that. */
export type StoreTrouble =
  | 'unreachable'
  | 'not-open'
  | 'refused'
  | 'too-many-connections'
  | 'no-answer'
  | 'disk-full'
  | 'disk-broken'
  | 'out-of-memory'
  | 'read-only'
  | 'other-installation';

const IN_WORDS: Readonly<Record<StoreTrouble, string>> = {
  unreachable: 'PostgreSQL cannot be reached, or the connection broke',
  'not-open': 'PostgreSQL is starting or stopping, or the database is not there or takes no connections',
  refused: 'PostgreSQL refuses the account, or does not grant it this',
  'too-many-connections': 'PostgreSQL takes no further connections: their limit is reached',
  'no-answer': 'PostgreSQL did not answer in time',
  'disk-full': 'the disk of PostgreSQL is full: it answers, but cannot store anything',
  'disk-broken': 'PostgreSQL cannot read or write its disk',
  'out-of-memory': 'PostgreSQL has no memory left',
  'read-only': 'PostgreSQL takes no writes: it is a standby, or was set to read only',
  'other-installation':
    'the database is not that of the installation of Systole that this program was started with: put the right one back, or start the program anew',
};

/**
 * PostgreSQL can't be reached, or can't do now what it is asked. With `outcome` `none` nothing was appended: try again later. With `unknown` the
 * connection broke before the answer to an append: it may have taken place. Read the stream before appending again, or append again with
 * the same expected version (a number), which then conflicts if it did take place.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(
    readonly outcome: 'none' | 'unknown',
    readonly trouble: StoreTrouble,
    options: ErrorOptions,
  ) {
    super(
      outcome === 'none'
        ? `${IN_WORDS[trouble]}; nothing was changed: try again later`
        : `${IN_WORDS[trouble]}, before the answer came; the append may have taken place: read the stream before trying again`,
      options,
    );
  }

  /** The trouble in words, without what follows from it for this one request. */
  get reason(): string {
    return IN_WORDS[this.trouble];
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

const NO_TABLE = '42P01';
const NO_SCHEMA = '3F000';
const MISSING = new Set([NO_TABLE, '42883', '42703', NO_SCHEMA]);
/** Serialization failure, deadlock, and the unique violation that a transaction meets when its snapshot is older than the stream's head. */
const RESTART = new Set(['40001', '40P01', '23505']);
/**
 * What ends a connection, or the way to it, after which nobody knows whether what was under way took place: Node's codes, and SQLSTATE class 08 and what the server says when it ends.
 */
const BROKEN: ReadonlyMap<string, StoreTrouble> = new Map([
  ['ECONNRESET', 'unreachable'],
  ['ECONNABORTED', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['ETIMEDOUT', 'no-answer'],
  ['08000', 'unreachable'],
  ['08003', 'unreachable'],
  ['08006', 'unreachable'],
  ['08007', 'unreachable'],
  ['08P01', 'unreachable'],
  ['57P01', 'not-open'],
  ['57P02', 'not-open'],
  ['57P04', 'not-open'],
  ['57P05', 'not-open'],
]);
/**
 * What never came to a connection, or is refused or undone by the server before it commits; of the limits: 57014 of a statement, 55P03 of a lock, 25P03 of an
 * idle transaction. 55000 is said by a database that takes no connections, and of locks on a standby.
 */
const NOTHING_DONE: ReadonlyMap<string, StoreTrouble> = new Map([
  ['ECONNREFUSED', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ENOENT', 'unreachable'],
  ['08001', 'unreachable'],
  ['08004', 'refused'],
  ['57P03', 'not-open'],
  ['55000', 'not-open'],
  ['3D000', 'not-open'],
  ['28000', 'refused'],
  ['42501', 'refused'],
  ['28P01', 'refused'],
  ['53000', 'too-many-connections'],
  ['53300', 'too-many-connections'],
  ['53400', 'too-many-connections'],
  ['57014', 'no-answer'],
  ['55P03', 'no-answer'],
  ['25P03', 'no-answer'],
  ['25006', 'read-only'],
  ['53100', 'disk-full'],
  ['53200', 'out-of-memory'],
  ['58030', 'disk-broken'],
]);
/** What `pg` throws without a code. */
const CONNECTION_MESSAGE = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;
const LATE_MESSAGE = /^(timeout exceeded|Query read timeout)/;

/** Whether the server gave no answer in time: what else is sent on that connection waits behind the question. */
export function isSilence(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable && error.cause instanceof Error && error.cause.message === 'Query read timeout';
}

/**
 * The typed form of an error from `pg`; errors that are none of these, or are typed already, come back as they are.
 *
 * @param phase what was being done: `connect` and `read` change nothing, so that their outcome is never in doubt
 */
export function storeError(error: unknown, phase: 'connect' | 'read' | 'append'): unknown {
  const code = codeOf(error) ?? '';
  if (MISSING.has(code)) return new SchemaMissing(missingIn(code, error), { cause: error });
  if (RESTART.has(code)) return new TransactionMustRestart({ cause: error });
  const undone = NOTHING_DONE.get(code);
  if (undone !== undefined) return new StoreUnavailable('none', undone, { cause: error });
  const broken = BROKEN.get(code) ?? (code === '' ? brokenBy(error) : undefined);
  return broken === undefined ? error : new StoreUnavailable(phase === 'append' ? 'unknown' : 'none', broken, { cause: error });
}

/** What PostgreSQL says is not there: only its text names it, in the language of the server. */
function missingIn(code: string, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [quoted] = /"[^"]+"/.exec(error.message) ?? [];
  if (code === NO_TABLE) return quoted === undefined ? undefined : `the table ${quoted.slice(1, -1)}`;
  // The text quotes a column only where it is named without its table, and a function never.
  return code === NO_SCHEMA ? undefined : `something that the migrations make (${error.message})`;
}

/** What an error without a code says of the connection. */
function brokenBy(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (LATE_MESSAGE.test(error.message)) return 'no-answer';
  return CONNECTION_MESSAGE.test(error.message) ? 'unreachable' : undefined;
}
