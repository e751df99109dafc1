import type { ClusterNode } from './node.js';

/** Outcome of comparing an entry with the present configuration (specification 03 §12.2). */
export type DigestVerdict = 'match' | 'mismatch' | 'restart' | 'unknown';

/** Digests of one operation of a resource on a node; computed by the first entry that asks (specification 01 §11.4). */
export interface OperationDigests {
  readonly node: ClusterNode;
  readonly operation: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly all: string;
  readonly restart: string | undefined;
  /** Only a mismatch asks for it. */
  readonly secure: () => string;
  verdict: DigestVerdict;
}
