import { Injectable } from '@nestjs/common';
import type { ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { momentOf } from '../events/moments.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';

/** A version of a cluster, a date and time, or an age. */
export const VERSION_OR_MOMENT =
  /^(?:\d{1,15}|\d{1,9}[smhdw]|\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?)$/;
export const VERSION_OR_MOMENT_SAYS = 'must be a version, a date and time (ISO 8601), e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h';

/** Finds the versions of clusters that people ask for by number or by time. */
@Injectable()
export class PastVersions {
  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /**
   * @param asked as {@link VERSION_OR_MOMENT} has it
   * @param place where it stands in the request
   * @throws {HttpProblem} 404 for what was not, or is not yet
   */
  async find(clusterId: string, asked: string, place: Pick<ProblemIssue, 'parameter' | 'pointer'>): Promise<number> {
    const head = (await this.store.head(clusterId))?.version ?? 0;
    const byNumber = /^\d+$/.test(asked);
    const version = byNumber ? Number(asked) : await this.store.versionAt(clusterId, momentOf(asked, place.parameter ?? 'at', Date.now()));
    if (version >= 1 && version <= head) return version;
    const detail =
      version === 0 ? 'the cluster did not exist then' : `the cluster is at version ${head}; there is no version ${version} yet`;
    throw new HttpProblem(404, 'version-not-found', detail, { errors: [{ ...place, detail }] });
  }
}
