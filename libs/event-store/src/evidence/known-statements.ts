import { NO_STATEMENT, statementDigest, type HeadsStatement } from './signed-heads.js';

/** A statement that was met, in the file, among those that were published, or in both. */
export interface KnownStatement {
  readonly statement: HeadsStatement;
  readonly digest: string;
  /** It is signed rightly, with a key that counts. */
  sound: boolean;
  published: boolean;
  inFile: boolean;
}

/** A head that a statement names. */
export interface SignedHead {
  readonly version: number;
  readonly hash: string;
  readonly by: KnownStatement;
}

/** Statements that followed one another in a log that lost its end, and are not in the file. */
export interface Past {
  /** In the order of their numbers; at least one. */
  readonly statements: readonly KnownStatement[];
  /** They go on from a statement that is in the file, or from the beginning; where not, some between are not known. */
  readonly complete: boolean;
}

/** All statements that are known, each once, and what they say of the streams. */
export class KnownStatements {
  readonly #byDigest = new Map<string, KnownStatement>();
  /** By stream and version: statements may contradict each other. */
  readonly #heads = new Map<string, Map<number, SignedHead[]>>();

  get size(): number {
    return this.#byDigest.size;
  }

  take(statement: HeadsStatement, where: 'file' | 'published', sound: boolean): KnownStatement {
    const digest = statementDigest(statement);
    let known = this.#byDigest.get(digest);
    if (known === undefined) {
      known = { statement, digest, sound, published: false, inFile: false };
      this.#byDigest.set(digest, known);
      for (const { streamId, version, hash } of statement.heads) this.#headsAt(streamId, version).push({ version, hash, by: known });
    }
    known.sound &&= sound;
    known.published ||= where === 'published';
    known.inFile ||= where === 'file';
    return known;
  }

  streams(): readonly string[] {
    return [...this.#heads.keys()];
  }

  headsAt(streamId: string, version: number): readonly SignedHead[] {
    return this.#heads.get(streamId)?.get(version) ?? [];
  }

  headsOf(streamId: string): readonly SignedHead[] {
    return [...(this.#heads.get(streamId)?.values() ?? [])].flat();
  }

  /** Those that were published and are not in the file, in the order of their numbers. */
  publishedOnly(): readonly KnownStatement[] {
    return this.#inOrder().filter(({ published, inFile }) => published && !inFile);
  }

  /**
   * Of those the ones that go on from what the file has, or from each other, as the statements do that a log had before it lost its end. A log that lost its end
   * several times has several pasts, and statements of the same numbers in them.
   */
  pasts(installation: string | undefined): readonly Past[] {
    const numbers = new Set(this.#inOrder().map(({ statement }) => statement.number));
    const goesOn = ({ number, previous }: HeadsStatement): boolean =>
      number === 1 ? previous === NO_STATEMENT : !numbers.has(number - 1) || this.#byDigest.has(previous);
    /** By the digest of the last statement of each. */
    const pasts = new Map<string, Past>();
    const byStatement = new Map<string, Past>();
    for (const known of this.publishedOnly()) {
      const { sound, statement, digest } = known;
      if (!sound || statement.installation !== installation || !goesOn(statement)) continue;
      const before = byStatement.get(statement.previous);
      const complete = before?.complete ?? (statement.number === 1 || this.#byDigest.get(statement.previous)?.inFile === true);
      const earlier = before?.statements ?? [];
      // Of one that forked, what came before the fork is of both.
      const kept = earlier.slice(0, earlier.findIndex((one) => one.digest === statement.previous) + 1);
      const past: Past = { statements: [...kept, known], complete };
      pasts.delete(statement.previous);
      pasts.set(digest, past);
      byStatement.set(digest, past);
    }
    return [...pasts.values()];
  }

  /** The one with the highest number among those that are in the file; where none is, among all. */
  newest(): HeadsStatement | undefined {
    const all = this.#inOrder();
    return (all.findLast(({ inFile }) => inFile) ?? all.at(-1))?.statement;
  }

  #inOrder(): readonly KnownStatement[] {
    return [...this.#byDigest.values()].sort((one, other) => one.statement.number - other.statement.number);
  }

  #headsAt(streamId: string, version: number): SignedHead[] {
    const ofStream = this.#heads.get(streamId) ?? new Map<number, SignedHead[]>();
    this.#heads.set(streamId, ofStream);
    const heads = ofStream.get(version) ?? [];
    ofStream.set(version, heads);
    return heads;
  }
}

export function newestOf(heads: readonly SignedHead[]): SignedHead | undefined {
  return heads.reduce<SignedHead | undefined>(
    (newest, head) => (newest === undefined || head.version > newest.version ? head : newest),
    undefined,
  );
}
