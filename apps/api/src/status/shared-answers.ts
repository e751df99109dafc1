import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { epochVersion, type EpochVersion } from '@systole/cluster';
import type { ClusterAtVersion } from '../clusters/cluster-history.js';

const gzipped = promisify(gzip);

/** What all answers that are kept may have together, bytes, without their compressed forms. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What was made for an answer. */
export interface Made<Value> {
  readonly value: Value;
  /** The answer as a whole, in UTF-8. */
  readonly text: Uint8Array;
}

/** An answer that several get. */
export interface SharedAnswer<Value> extends Made<Value> {
  /** Of the state that it was made of: its tag. */
  readonly version: EpochVersion;
  /** Compressed once, for the first who takes it so. */
  readonly compressed: () => Promise<Uint8Array>;
}

interface Entry<Value> {
  readonly at: ClusterAtVersion;
  readonly answer: Promise<SharedAnswer<Value>>;
  bytes: number;
  isMade: boolean;
}

/**
 * Answers about the present of clusters that cost much to make, made once for all who ask for them at about the same time. Nobody gets one that lacks an event
 * which was committed before he asked: who asks for a newer state than the one of which an answer is being made gets the next one, together with all who came
 * meanwhile. So one is made at a time, however many ask, and however fast the state moves.
 */
export class SharedAnswers<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  /**
   * @param present reads the state of a cluster, with every event that was committed by now
   * @param freshForMs how long after it was made an answer of so many bytes is given to others who ask at the same version; what is short is soon made
   */
  constructor(
    private readonly present: (clusterId: string) => Promise<ClusterAtVersion>,
    private readonly freshForMs: (bytes: number) => number,
  ) {}

  /** @param what of the cluster; all who ask for the same make it alike @throws what `make` throws, to all who wait for it */
  async of(clusterId: string, what: string, make: (at: ClusterAtVersion) => Promise<Made<Value>>): Promise<SharedAnswer<Value>> {
    const key = `${clusterId} ${what}`;
    const asked = await this.present(clusterId);
    for (let newest = asked; ; newest = await this.present(clusterId)) {
      const known = this.#entries.get(key);
      if (known !== undefined && contains(known.at, asked)) return known.answer;
      if (known === undefined || known.isMade) return this.#begin(key, newest, make);
      // Whoever is first when it is made begins the next one, with a state that all who waited can do with.
      await known.answer.catch(() => undefined);
    }
  }

  #begin(key: string, at: ClusterAtVersion, make: (at: ClusterAtVersion) => Promise<Made<Value>>): Promise<SharedAnswer<Value>> {
    const made = async (): Promise<SharedAnswer<Value>> => {
      const { value, text } = await make(at);
      let packed: Promise<Uint8Array> | undefined;
      const compressed = (): Promise<Uint8Array> => (packed ??= gzipped(text, { level: constants.Z_BEST_SPEED }));
      return { value, text, version: epochVersion(at.state), compressed };
    };
    const entry: Entry<Value> = { at, answer: made(), bytes: 0, isMade: false };
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.set(key, entry);
    entry.answer.then(
      ({ text: { length } }) => {
        entry.isMade = true;
        this.#keepFor(key, entry, length);
      },
      () => {
        this.#drop(key, entry);
      },
    );
    return entry.answer;
  }

  #keepFor(key: string, entry: Entry<Value>, bytes: number): void {
    if (this.#entries.get(key) !== entry) return;
    const forMs = this.freshForMs(bytes);
    if (forMs < 1 || this.#bytes + bytes > MOST_BYTES) {
      this.#drop(key, entry);
      return;
    }
    entry.bytes = bytes;
    this.#bytes += bytes;
    setTimeout(() => {
      this.#drop(key, entry);
    }, forMs).unref();
  }

  #drop(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

/** Whether what was made of one state is no older than another one. */
function contains(one: ClusterAtVersion, other: ClusterAtVersion): boolean {
  const [made, asked] = [epochVersion(one.state), epochVersion(other.state)];
  return made.epoch === asked.epoch && made.version >= asked.version && one.now >= other.now;
}
