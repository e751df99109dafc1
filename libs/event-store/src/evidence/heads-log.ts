import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { appendBatch } from '../append/append-batch.js';
import { canonicalDraft } from '../append/canonical-event.js';
import { storeError, VersionConflict } from '../errors.js';
import { queryRows } from '../read/query-events.js';
import { readStreamRows } from '../read/read-stream.js';
import { readStreamEnds, type StreamEnd } from '../read/streams.js';
import { isSignedHeads, NO_STATEMENT, signStatement, statementDigest, type HeadsStatement, type SignedHeads } from './signed-heads.js';

/** The stream of the signed statements: as every other one appended to only, and chained. */
export const EVIDENCE_STREAM = 'server/evidence';

/** A statement was signed: what that stream holds. */
export interface HeadsSigned {
  readonly type: 'HeadsSigned';
  readonly data: SignedHeads;
}

/** Streams of which it is remembered which head was signed last; above that a statement names heads anew. */
const REMEMBERED = 100_000;

/**
 * Signs the heads of all streams, for one program. Several may do so: who comes second finds that the statement is there, and signs the next one. What a statement has to
 * name is found by comparing with all earlier ones, which are read once.
 */
export class HeadSigning {
  readonly #signed = new Map<string, StreamEnd>();
  #last: HeadsStatement | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly key: KeyObject,
    /** Id of the installation. */
    private readonly installation: string,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * Signs what has grown since the last statement. Nothing is signed where nothing has.
   *
   * @returns the statement; undefined when there was nothing to sign, or another program was first
   * @throws when the stream of the statements holds something else
   */
  async signNow(): Promise<HeadsStatement | undefined> {
    await this.#readOn();
    const heads = (await readStreamEnds(this.pool)).filter((end) => end.streamId !== EVIDENCE_STREAM && !this.#isSigned(end));
    if (heads.length === 0) return undefined;
    const last = this.#last;
    const statement: HeadsStatement = {
      format: 1,
      installation: this.installation,
      number: (last?.number ?? 0) + 1,
      previous: last === undefined ? NO_STATEMENT : statementDigest(last),
      signedAt: this.now().toISOString(),
      heads,
    };
    const signed: HeadsSigned = { type: 'HeadsSigned', data: signStatement(statement, this.key) };
    const event = { ...signed, schemaVersion: 1, subjects: [] };
    const meta = { actor: 'worker', command: 'sign-heads', correlationId: `heads-${String(statement.number)}` };
    const batch = { expectedVersion: statement.number - 1, drafts: [canonicalDraft(EVIDENCE_STREAM, event, meta)] };
    try {
      await appendBatch(this.pool, EVIDENCE_STREAM, batch);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      await this.#readOn();
      if (this.#last !== last) return undefined;
      throw new Error(`${EVIDENCE_STREAM} holds something that is no signed statement: see what "systole audit verify" says`, {
        cause: error,
      });
    }
    this.#take(statement);
    return statement;
  }

  #isSigned({ streamId, version, hash }: StreamEnd): boolean {
    const signed = this.#signed.get(streamId);
    return signed?.version === version && signed.hash === hash;
  }

  /** Goes on with what others have signed meanwhile; a log that went back is read anew. */
  async #readOn(): Promise<void> {
    const known = this.#last;
    if (known !== undefined) {
      const [same] = await readStatements(this.pool, { afterNumber: known.number - 1, limit: 1 });
      if (same === undefined || statementDigest(same.statement) !== statementDigest(known)) {
        this.#signed.clear();
        this.#last = undefined;
      }
    }
    for (;;) {
      const read = await readStatements(this.pool, { afterNumber: this.#last?.number ?? 0, limit: 100 });
      for (const { statement } of read) this.#take(statement);
      if (read.length < 100) return;
    }
  }

  #take(statement: HeadsStatement): void {
    this.#last = statement;
    if (this.#signed.size > REMEMBERED) this.#signed.clear();
    for (const head of statement.heads) this.#signed.set(head.streamId, head);
  }
}

/** Signed statements in their order, or newest first. @throws {StoreUnavailable | SchemaMissing} */
export async function readStatements(
  pool: Pool,
  { afterNumber, beforeNumber, limit }: { readonly afterNumber?: number; readonly beforeNumber?: number; readonly limit: number },
): Promise<readonly SignedHeads[]> {
  try {
    const rows =
      beforeNumber === undefined
        ? await readStreamRows(pool, EVIDENCE_STREAM, {
            fromVersion: (afterNumber ?? 0) + 1,
            toVersion: Number.MAX_SAFE_INTEGER,
            limit,
          })
        : await queryRows(pool, { streamId: EVIDENCE_STREAM, afterVersion: beforeNumber, direction: 'backward', limit });
    return rows.map(({ data }) => data).filter(isSignedHeads);
  } catch (error) {
    throw storeError(error, 'read');
  }
}
