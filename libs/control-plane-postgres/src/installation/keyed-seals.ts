import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { LogHead } from '@systole/cluster';
import type { HeadSeals, SealedHead, SealVerdict } from '@systole/control-plane';

/** Hexadecimal characters of a key's name: enough to tell keys apart. */
const NAME_CHARS = 16;

/** Seals by a secret key: `<name of the key>.<HMAC-SHA-256>`. The name does not tell the key. */
export class KeyedSeals implements HeadSeals {
  readonly #key: Buffer;
  readonly #name: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.#name = createHash('sha256').update('systole seal key').update(key).digest('hex').slice(0, NAME_CHARS);
  }

  sealed(clusterId: string, { epoch, version, hash }: LogHead): SealedHead {
    const head = { epoch, version, hash };
    return { ...head, seal: this.#sealOf(clusterId, head) };
  }

  judge(clusterId: string, shown: SealedHead): SealVerdict {
    if (shown.seal?.startsWith(`${this.#name}.`) !== true) return 'unknown';
    const [seal, right] = [shown.seal, this.#sealOf(clusterId, shown)].map((text) => Buffer.from(text));
    return seal !== undefined && right !== undefined && seal.length === right.length && timingSafeEqual(seal, right) ? 'right' : 'wrong';
  }

  #sealOf(clusterId: string, { epoch, version, hash }: LogHead): string {
    const mac = createHmac('sha256', this.#key).update(JSON.stringify([clusterId, epoch, version, hash]));
    return `${this.#name}.${mac.digest('base64url')}`;
  }
}
