import type { Rejection } from '@systole/cluster';

/** The agent that calls: who its token says that it is. */
export interface CallingNode {
  readonly clusterId: string;
  readonly node: string;
  readonly tokenId: string;
  /** As events name it. */
  readonly actor: string;
  /** Its token was made for a container of a bundle: it is for the node in that, and never for a cluster node of the name. */
  readonly inContainer?: true;
}

/** What an agent is answered. */
export type Answer<T> = { readonly ok: true; readonly answer: T } | { readonly ok: false; readonly rejection: Rejection };

/** What all agents of a server are granted. */
export interface SessionSettings {
  /** Length of the leases, ms. */
  readonly leaseMs: number;
  /** Longest wait of a poll, ms. */
  readonly pollMs: number;
}

/** An answer may rest on what was read so long ago at most, ms. */
const MOST_RECENT_MS = 2_000;

/** How old what a poll's answer rests on may be, ms: less than an answer may be late by. */
export function recentMs({ pollMs }: SessionSettings): number {
  return Math.min(MOST_RECENT_MS, pollMs / 2);
}
