import { readFile } from 'node:fs/promises';
import { LIMITS } from '@systole/protocol';
import { writeWhole } from '../node/whole-file.js';

/** Bytes of JSON that all of a node take at most: one request carries them. */
const MOST_BYTES = LIMITS.requestBytes / 2;

/** There is no room for a private attribute: its node has too many, or it is too large itself. */
export class PrivateAttributesFull extends Error {
  override readonly name = 'PrivateAttributesFull';

  constructor(attribute: string) {
    super(
      `${attribute} is not set: a node has at most ${LIMITS.privateAttributes} private attributes, which take ${MOST_BYTES} bytes together; delete those that nobody needs`,
    );
  }
}

/**
 * Attributes for resource agents alone (`attrd_updater --private`): they are in no CIB and no event log, are readable by root alone, and end with the boot. An agent process that
 * follows another one on the same boot knows them. Those of other nodes are read from the servers, which are told of these ({@link PrivateTelling}).
 */
export class PrivateAttributes {
  private readonly values: Map<string, string>;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly bootId: string,
    values: Iterable<readonly [string, string]>,
  ) {
    this.values = new Map(values);
  }

  /** @param path in the run directory. What is there of another boot, or damaged, counts for nothing */
  static async open(path: string, bootId: string): Promise<PrivateAttributes> {
    const text = await readFile(path, 'utf8').catch(() => '');
    return new PrivateAttributes(path, bootId, entriesIn(text, bootId));
  }

  get(name: string): string | undefined {
    return this.values.get(name);
  }

  get names(): readonly string[] {
    return [...this.values.keys()];
  }

  /**
   * Sets one, or removes it.
   * @param value undefined: there is none any more
   * @throws {PrivateAttributesFull}
   * @throws {Error} of the file system: known here, and lost when this process ends
   */
  async set(name: string, value: string | undefined): Promise<void> {
    if (this.values.get(name) === value) return this.writing;
    if (value !== undefined && !this.hasRoomFor(name, value)) throw new PrivateAttributesFull(name);
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, value);
    // Each writes all that is known by then: the last one is right whatever came of those before it.
    this.writing = this.writing.then(
      () => this.write(),
      () => this.write(),
    );
    return this.writing;
  }

  private hasRoomFor(name: string, value: string): boolean {
    const after = new Map(this.values).set(name, value);
    const isLong = name === '' || name.length > LIMITS.attributeNameChars || value.length > LIMITS.valueChars;
    return !isLong && after.size <= LIMITS.privateAttributes && Buffer.byteLength(JSON.stringify([...after])) <= MOST_BYTES;
  }

  private write(): Promise<void> {
    return writeWhole(this.path, JSON.stringify({ bootId: this.bootId, attributes: [...this.values] }), 0o600);
  }
}

function entriesIn(text: string, bootId: string): readonly (readonly [string, string])[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null || !('bootId' in value) || !('attributes' in value)) return [];
  const { bootId: of, attributes } = value;
  if (of !== bootId || !Array.isArray(attributes)) return [];
  return attributes.flatMap((entry: unknown): readonly (readonly [string, string])[] => {
    const [name, text] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    return typeof name === 'string' && typeof text === 'string' ? [[name, text]] : [];
  });
}
