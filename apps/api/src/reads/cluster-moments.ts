import { Injectable } from '@nestjs/common';
import { ClockWatch } from '../watches/clock-watch.js';

/** For so long everybody who asks at the same version is answered for the same moment, ms; rules and time-outs may change the picture without any event. */
const FRESH_MS = 5_000;
/** Clusters whose newest moment is kept. */
const KEPT = 64;

/** The time for which a cluster's present state is computed: the same for all that is asked within a few seconds, so that answers fit together. */
@Injectable()
export class ClusterMoments {
  readonly #moments = new Map<string, { readonly version: number; readonly at: number }>();

  constructor(private readonly clock: ClockWatch) {}

  /** Epoch seconds, by the clock that dates events: plans go by it. */
  of(clusterId: string, version: number): number {
    const at = this.clock.now();
    const known = this.#moments.get(clusterId);
    if (known?.version === version && at >= known.at && at - known.at < FRESH_MS) return Math.floor(known.at / 1_000);
    this.#moments.delete(clusterId);
    this.#moments.set(clusterId, { version, at });
    for (const oldest of this.#moments.keys()) {
      if (this.#moments.size <= KEPT) break;
      this.#moments.delete(oldest);
    }
    return Math.floor(at / 1_000);
  }
}
