import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { epochVersion, type EpochVersion, type LogHead } from '@systole/cluster';
import type { ClusterAtVersion } from '../reads/cluster-history.js';
import type { Good } from '../front/rests-on.js';
import { newMaking, type Making } from '../http/etag.js';

const gzipped = promisify(gzip);

/** What all answers that are kept may have together, bytes, without their compressed forms. */
const MOST_BYTES = 64 * 1024 * 1024;
/** How long an answer that is no longer fresh is still given while the next is being made, at most, ms. */
const RENEWED_WITHIN_MS = 1_000;

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
  /** Of its tag, too: the next one may be another one at the same version. */
  readonly making: Making;
  /** The newest event in that state. */
  readonly head: LogHead | undefined;
  /** For how long others are still to be given it while nothing happens. */
  readonly good: () => Good;
  /** Compressed once, for the first who takes it so. */
  readonly compressed: () => Promise<Uint8Array>;
}

interface Entry<Value> {
  readonly at: ClusterAtVersion;
  readonly answer: Promise<SharedAnswer<Value>>;
  bytes: number;
  isMade: boolean;
  /** Monotonic ms; whoever asks later has it made anew, and gets this one as long as the next is not made. */
  freshUntil: number;
  /** From then on nobody gets it any more, monotonic ms. */
  givenUntil: number;
  /** A next one is being made. */
  isRenewed: boolean;
}

/**
 * Answers about the present of clusters that cost much to make, made once for all who ask for them at about the same time. Nobody gets one that lacks an event
 * which was committed before he asked: who asks for a newer state than the one of which an answer is being made gets the next one, together with all who came
 * meanwhile. So one is made at a time, however many ask, and however fast the state moves. While it does not move, nobody waits for the next one: it is made
 * aside, and the last one given meanwhile.
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
      if (known !== undefined && contains(known.at, asked)) {
        if (known.isMade && !known.isRenewed && isOld(known, asked)) this.#renew(key, known, newest, make);
        return known.answer;
      }
      if (known === undefined || known.isMade) return this.#begin(key, newest, make);
      // Whoever is first when it is made begins the next one, with a state that all who waited can do with.
      await known.answer.catch(() => undefined);
    }
  }

  #begin(key: string, at: ClusterAtVersion, make: (at: ClusterAtVersion) => Promise<Made<Value>>): Promise<SharedAnswer<Value>> {
    const entry = begun(at, make);
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.set(key, entry);
    entry.answer.then(
      ({ text: { length } }) => {
        entry.isMade = true;
        this.#keep(key, entry, length);
      },
      () => {
        this.#drop(key, entry);
      },
    );
    return entry.answer;
  }

  /** The next one takes the place of the last when it is made; where it can't be made, that stays until it is too old. */
  #renew(key: string, last: Entry<Value>, at: ClusterAtVersion, make: (at: ClusterAtVersion) => Promise<Made<Value>>): void {
    last.isRenewed = true;
    const next = begun(at, make);
    next.answer.then(
      ({ text: { length } }) => {
        if (this.#entries.get(key) !== last) return;
        this.#bytes -= last.bytes;
        this.#entries.set(key, next);
        next.isMade = true;
        this.#keep(key, next, length);
      },
      () => undefined,
    );
  }

  #keep(key: string, entry: Entry<Value>, bytes: number): void {
    if (this.#entries.get(key) !== entry) return;
    const forMs = this.freshForMs(bytes);
    if (forMs < 1 || this.#bytes + bytes > MOST_BYTES) {
      this.#drop(key, entry);
      return;
    }
    entry.bytes = bytes;
    this.#bytes += bytes;
    entry.freshUntil = performance.now() + forMs;
    entry.givenUntil = entry.freshUntil + Math.min(forMs, RENEWED_WITHIN_MS);
    setTimeout(() => {
      this.#drop(key, entry);
    }, entry.givenUntil - performance.now()).unref();
  }

  #drop(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

function begun<Value>(at: ClusterAtVersion, make: (at: ClusterAtVersion) => Promise<Made<Value>>): Entry<Value> {
  const made = async (): Promise<SharedAnswer<Value>> => {
    const { value, text } = await make(at);
    let packed: Promise<Uint8Array> | undefined;
    const compressed = (): Promise<Uint8Array> => (packed ??= gzipped(text, { level: constants.Z_BEST_SPEED }));
    const leftMs = (until: number): number => Math.max(0, until - performance.now());
    const good = (): Good => ({ freshMs: leftMs(entry.freshUntil), givenMs: leftMs(entry.givenUntil) });
    return { value, text, version: epochVersion(at.state), making: newMaking(), head: at.head, good, compressed };
  };
  const entry: Entry<Value> = { at, answer: made(), bytes: 0, isMade: false, freshUntil: 0, givenUntil: 0, isRenewed: false };
  return entry;
}

/** Whether what was made of one state has every event of another one. */
function contains(one: ClusterAtVersion, other: ClusterAtVersion): boolean {
  const [made, asked] = [epochVersion(one.state), epochVersion(other.state)];
  return made.epoch === asked.epoch && made.version >= asked.version;
}

/** Whether a newer one is to be made, where nothing has happened: after its time, or when it was looked at for an earlier moment. */
function isOld({ at, freshUntil }: Pick<Entry<unknown>, 'at' | 'freshUntil'>, asked: ClusterAtVersion): boolean {
  return performance.now() > freshUntil || at.now < asked.now;
}
