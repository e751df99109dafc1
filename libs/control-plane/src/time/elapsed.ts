interface Sighting {
  readonly moment: number;
  readonly version: number | undefined;
  /** Ms that had passed when it was first seen. */
  readonly before: number;
  /** Monotonic ms. */
  readonly firstSeen: number;
}

/**
 * How long ago things happened that the database's clock dated. Only at first sight is that clock asked, and what it dates in the future counts as
 * happening now; from then on this process's monotonic clock measures. So a step neither lengthens nor shortens a span that is under way.
 */
export class Elapsed {
  private readonly sightings = new Map<string, Map<string, Sighting>>();

  constructor(private readonly monotonic: () => number) {}

  /**
   * @param cause what happened, one name for each thing of the cluster that is measured: only its newest moment is remembered
   * @param moment when, epoch ms by the database's clock
   * @param now by the same clock
   * @param version of the event that told of it, where two of one cause may bear one date
   * @returns ms, never negative
   */
  since(clusterId: string, cause: string, moment: number, now: number, version?: number): number {
    const ofCluster = this.sightings.get(clusterId) ?? new Map<string, Sighting>();
    this.sightings.set(clusterId, ofCluster);
    let sighting = ofCluster.get(cause);
    if (sighting?.moment !== moment || sighting.version !== version) {
      sighting = { moment, version, before: Math.max(0, now - moment), firstSeen: this.monotonic() };
      ofCluster.set(cause, sighting);
    }
    return sighting.before + this.monotonic() - sighting.firstSeen;
  }

  /**
   * How long ago this process first saw what {@link since} would date: never more than has passed, wherever the clock that dated it stepped before. Whoever has
   * just started waits from the beginning: for what must not end too early.
   *
   * @returns ms
   */
  witnessed(clusterId: string, cause: string, moment: number, version?: number): number {
    return this.since(clusterId, `sight of ${cause}`, moment, moment, version);
  }

  /** Of a cluster that is gone. */
  forget(clusterId: string): void {
    this.sightings.delete(clusterId);
  }
}
