import type { ClientBase, Pool } from 'pg';

/** Events that are behind the index of terms before it goes on, and at most by how many it does at once: its transaction is short. */
const BLOCK = 500;
/** Streams of which it is remembered how far their index is. */
const REMEMBERED = 10_000;

/** $1 stream id, $2 most events. */
const INDEX = `
SELECT index_event_terms($1, $2) AS version`;

/** $1 stream id. Of a head that the log does not hold (any more) nothing counts. */
const INDEXED = `
SELECT head.version FROM event_term_heads AS head
JOIN events AS event ON event.stream_id = head.stream_id AND event.version = head.version AND event.hash = head.hash
WHERE head.stream_id = $1`;

/** The term under which the events that concern something are found. The same of a subject that is too long for the index. */
export function subjectTerm(subject: string): string {
  return `s${subject.slice(0, 255)}`;
}

/** The term under which what has one correlation id is found. */
export function correlationTerm(correlationId: string): string {
  return `c${correlationId.slice(0, 255)}`;
}

/** Up to which version the terms of a stream's events are there; 0: of none. */
export async function indexedVersion(connection: Pool | ClientBase, streamId: string): Promise<number> {
  const { rows } = await connection.query<{ version: string }>({ name: 'systole-indexed-version', text: INDEXED, values: [streamId] });
  return Number(rows[0]?.version ?? 0);
}

/**
 * Carries the index of terms on behind the events, a block at a time. Nobody waits for it, and what it could not do is done with the next block, or by another process:
 * readers look at the events that are not in it yet.
 */
export class TermIndex {
  readonly #pool: Pool;
  /** By stream, up to where it is there as far as is known. */
  readonly #indexed = new Map<string, number>();
  readonly #behind = new Map<string, number>();
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** A stream has reached a version. */
  appended(streamId: string, version: number): void {
    const indexed = this.#indexed.get(streamId) ?? 0;
    // A log that went back has events at versions that were passed before.
    if (version < indexed) this.#indexed.delete(streamId);
    if (this.#closed || version - (this.#indexed.get(streamId) ?? 0) < BLOCK) return;
    this.#behind.set(streamId, version);
    this.#working ??= this.#work();
  }

  /** Resolves when nothing is under way; nothing is begun any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    for (const [streamId, version] of this.#behind) {
      this.#behind.delete(streamId);
      await this.#goOn(streamId, version).catch(() => {
        // It is an economy: the next block begins where this one should have.
        this.#remember(streamId, version);
      });
    }
    this.#working = undefined;
  }

  async #goOn(streamId: string, version: number): Promise<void> {
    for (let indexed = -1; !this.#closed;) {
      const { rows } = await this.#pool.query<{ version: string }>({ name: 'systole-index-terms', text: INDEX, values: [streamId, BLOCK] });
      const reached = Number(rows[0]?.version ?? 0);
      this.#remember(streamId, reached);
      if (version - reached < BLOCK || reached <= indexed) return;
      indexed = reached;
    }
  }

  #remember(streamId: string, version: number): void {
    this.#indexed.delete(streamId);
    this.#indexed.set(streamId, version);
    for (const oldest of this.#indexed.keys()) {
      if (this.#indexed.size <= REMEMBERED) break;
      this.#indexed.delete(oldest);
    }
  }
}
