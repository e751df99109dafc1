import { Injectable } from '@nestjs/common';
import type { ClusterEvent, ClusterState, LogHead } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { ClusterStates } from '@systole/read-models';
import { HttpProblem } from '../http/problem.js';
import { ClusterMoments } from './cluster-moments.js';
import { PastVersions, type PastMoment } from './past-versions.js';

/** A cluster as it is, or as it was. */
export interface ClusterAtVersion {
  readonly state: ClusterState;
  /** For which it is looked at, epoch seconds. */
  readonly now: number;
  /** The newest event that there is; absent where the past is looked at. */
  readonly head?: LogHead;
}

/** The states of clusters, now and earlier. */
@Injectable()
export class ClusterHistory {
  constructor(
    private readonly states: ClusterStates,
    private readonly store: EventStore<ClusterEvent>,
    private readonly moments: ClusterMoments,
    private readonly versions: PastVersions,
  ) {}

  /**
   * As a query asks for it.
   *
   * @throws {HttpProblem} 400 and 404, as {@link PastVersions.asked} and {@link at}
   */
  async asked(clusterId: string, query: { readonly version?: number; readonly at?: string }): Promise<ClusterAtVersion> {
    return this.at(clusterId, await this.versions.asked(clusterId, query));
  }

  /**
   * @param past as it was then; as it is at present when undefined
   * @throws {HttpProblem} 404 for a version that is not there yet
   */
  async at(clusterId: string, past: PastMoment | undefined): Promise<ClusterAtVersion> {
    const { state: newest, head } = await this.states.loadHead(clusterId);
    if (past === undefined) return { state: newest, now: this.moments.of(clusterId, head.version), head };
    const { version } = past;
    const [event] = version > head.version ? [] : await this.store.readStream(clusterId, { fromVersion: version, toVersion: version });
    if (event === undefined) {
      const detail = `the cluster is at version ${head.version}; there is no version ${version} yet`;
      throw new HttpProblem(404, 'version-not-found', detail, { errors: [{ parameter: 'version', detail }] });
    }
    const state = version === head.version ? newest : await this.states.loadAt(clusterId, version);
    return { state, now: past.now ?? Math.floor(Date.parse(event.occurredAt) / 1_000) };
  }
}
