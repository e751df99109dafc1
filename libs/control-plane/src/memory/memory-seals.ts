import type { LogHead } from '@systole/cluster';
import type { HeadSeals, SealedHead, SealVerdict } from '../ports/head-seals.js';

/** Seals that whoever reads this could make: in memory nobody does unless a test means to. */
export class MemorySeals implements HeadSeals {
  /** @param key names itself */
  constructor(private readonly key = 'memory') {}

  sealed(clusterId: string, { epoch, version, hash }: LogHead): SealedHead {
    return { epoch, version, hash, seal: this.sealOf(clusterId, { epoch, version, hash }) };
  }

  judge(clusterId: string, shown: SealedHead): SealVerdict {
    if (shown.seal?.startsWith(`${this.key}.`) !== true) return 'unknown';
    return shown.seal === this.sealOf(clusterId, shown) ? 'right' : 'wrong';
  }

  private sealOf(clusterId: string, { epoch, version, hash }: LogHead): string {
    return `${this.key}.${[clusterId, epoch, version, hash].join('/')}`;
  }
}
