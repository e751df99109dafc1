/** A worker's claim on a cluster, as others see it. */
export interface ClusterClaim {
  /** Names this one claim, not its worker: a later one of the same worker has another. */
  readonly holder: string;
  /** Counts its renewals; a text, for it is only compared. */
  readonly renewals: string;
}

/** Rows that say which worker moves which cluster. No clock is in them: whoever looks measures how long a claim has stood still. */
export interface ClusterClaims {
  /**
   * Claims a cluster that nobody claims, or whose claim is exactly `stale`.
   *
   * @returns false when another's claim is there
   */
  take(clusterId: string, holder: string, stale?: ClusterClaim): Promise<boolean>;
  look(clusterId: string): Promise<ClusterClaim | undefined>;
  /** @returns the holders whose claims are still there, and are renewed now */
  renew(claims: readonly { readonly clusterId: string; readonly holder: string }[]): Promise<readonly string[]>;
  release(clusterId: string, holder: string): Promise<void>;
}
