/** Longer values are mostly met once: transition keys, digests, texts. */
const LONGEST_SHARED = 24;

/** Words that are kept at most; a document that is read piece by piece for weeks meets ever new numbers and times. */
const MOST_WORDS = 500_000;

/** The words of a document, one string for each: shared, they take less memory and are compared at once. */
export class Vocabulary {
  private readonly words = new Map<string, string>();
  private readonly names = new Map<string, string>();

  /** The one string of a value that is short enough to be met again. */
  value(value: string): string {
    if (value.length > LONGEST_SHARED) return value;
    const known = this.words.get(value);
    if (known !== undefined) return known;
    if (this.words.size >= MOST_WORDS) this.words.clear();
    this.words.set(value, value);
    return value;
  }

  /** The one string of a name that was met before: a piece of the document would keep the whole document in memory. */
  knownName(name: string): string | undefined {
    return this.names.get(name);
  }

  /** Names come from the CIB's vocabulary, and are few. */
  name(name: string): string {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    if (this.names.size >= MOST_WORDS) this.names.clear();
    this.names.set(name, name);
    return name;
  }
}
