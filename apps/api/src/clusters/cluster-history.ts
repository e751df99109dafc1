import { Injectable } from '@nestjs/common';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { ClusterStates } from '@systole/read-models';
import { HttpProblem } from '../http/problem.js';
import { ClusterMoments } from './cluster-moments.js';

/** A cluster as it is, or as it was. */
export interface ClusterAtVersion {
  readonly state: ClusterState;
  /** For which it is looked at, epoch seconds. */
  readonly now: number;
}

/** The states of clusters, now and earlier. */
@Injectable()
export class ClusterHistory {
  constructor(
    private readonly states: ClusterStates,
    private readonly store: EventStore<ClusterEvent>,
    private readonly moments: ClusterMoments,
  ) {}

  /**
   * @param version as it was at this version, at the time of that event; as it is at present when undefined
   * @throws {HttpProblem} 404 for a version that is not there yet
   */
  async at(clusterId: string, version: number | undefined): Promise<ClusterAtVersion> {
    const head = await this.states.load(clusterId);
    if (version === undefined) return { state: head, now: this.moments.of(clusterId, head.version) };
    const [event] = version > head.version ? [] : await this.store.readStream(clusterId, { fromVersion: version, toVersion: version });
    if (event === undefined) {
      const detail = `the cluster is at version ${head.version}; there is no version ${version} yet`;
      throw new HttpProblem(404, 'version-not-found', detail, { errors: [{ parameter: 'version', detail }] });
    }
    const state = version === head.version ? head : await this.states.loadAt(clusterId, version);
    return { state, now: Math.floor(Date.parse(event.occurredAt) / 1_000) };
  }
}
