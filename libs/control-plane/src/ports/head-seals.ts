import type { LogHead } from '@systole/cluster';

/** A head as agents are told it, and show it again. */
export interface SealedHead extends LogHead {
  /** Of the installation that told it; absent where it was told by a server that sealed nothing, or kept by an agent that keeps no seals. */
  readonly seal?: string;
}

/**
 * What a seal says of the head that it is on.
 * - `right`: this installation told of it: the log did hold it.
 * - `wrong`: it names the key of this installation, which never sealed that: it is made up, or damaged.
 * - `unknown`: there is none, or one by a key that is not known here: another installation, or one whose key was lost.
 */
export type SealVerdict = 'right' | 'wrong' | 'unknown';

/** Makes heads of the log such that whoever shows one is believed: nobody else can make one up. */
export interface HeadSeals {
  sealed(clusterId: string, head: LogHead): SealedHead;
  judge(clusterId: string, shown: SealedHead): SealVerdict;
}
