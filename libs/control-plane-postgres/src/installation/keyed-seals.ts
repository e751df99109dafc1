import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { LogHead } from '@systole/cluster';
import type { HeadSeals, SealedHead, SealVerdict } from '@systole/control-plane';

/** Hexadecimal characters of a key's name: enough to tell keys apart. */
const NAME_CHARS = 16;
/** Clusters of which the newest seal is remembered; some 500 bytes each. */
const REMEMBERED = 10_000;

interface Sealed {
  /** What was sealed. */
  readonly text: string;
  readonly seal: string;
}

/**
 * Seals by a secret key: `<name of the key>.<HMAC-SHA-256>`. The name does not tell the key. The newest head of each cluster is sealed once: all its nodes are told that again and again, and show it.
 */
export class KeyedSeals implements HeadSeals {
  readonly #key: Buffer;
  readonly #name: string;
  readonly #newest = new Map<string, Sealed>();

  constructor(key: Buffer) {
    this.#key = key;
    this.#name = createHash('sha256').update('systole seal key').update(key).digest('hex').slice(0, NAME_CHARS);
  }

  sealed(clusterId: string, { epoch, version, hash }: LogHead): SealedHead {
    const head = { epoch, version, hash };
    const text = textOf(clusterId, head);
    const seal = this.#sealOf(clusterId, text);
    if (this.#newest.get(clusterId)?.text !== text) this.#remember(clusterId, { text, seal });
    return { ...head, seal };
  }

  judge(clusterId: string, shown: SealedHead): SealVerdict {
    if (shown.seal?.startsWith(`${this.#name}.`) !== true) return 'unknown';
    const [seal, right] = [shown.seal, this.#sealOf(clusterId, textOf(clusterId, shown))].map((text) => Buffer.from(text));
    return seal !== undefined && right !== undefined && seal.length === right.length && timingSafeEqual(seal, right) ? 'right' : 'wrong';
  }

  #sealOf(clusterId: string, text: string): string {
    const newest = this.#newest.get(clusterId);
    if (newest?.text === text) return newest.seal;
    return `${this.#name}.${createHmac('sha256', this.#key).update(text).digest('base64url')}`;
  }

  /** What was told, and never what was only shown: so nobody can have it forgotten. */
  #remember(clusterId: string, sealed: Sealed): void {
    if (this.#newest.size >= REMEMBERED && !this.#newest.has(clusterId)) this.#newest.clear();
    this.#newest.set(clusterId, sealed);
  }
}

function textOf(clusterId: string, { epoch, version, hash }: LogHead): string {
  return JSON.stringify([clusterId, epoch, version, hash]);
}
