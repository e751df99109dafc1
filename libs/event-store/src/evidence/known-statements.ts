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

  /** Of those the ones that go on from what the file has, or from each other, as the statements do that a log had before it lost its end. */
  ofThisPast(installation: string | undefined): ReadonlySet<KnownStatement> {
    const numbers = new Set(this.#inOrder().map(({ statement }) => statement.number));
    const goesOn = ({ number, previous }: HeadsStatement): boolean =>
      number === 1 ? previous === NO_STATEMENT : !numbers.has(number - 1) || this.#byDigest.has(previous);
    return new Set(
      this.publishedOnly().filter(({ sound, statement }) => sound && statement.installation === installation && goesOn(statement)),
    );
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
