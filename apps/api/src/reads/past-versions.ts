import { Injectable } from '@nestjs/common';
import type { ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { momentOf, noMoment } from '../http/moments.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import { ClockWatch } from '../watches/clock-watch.js';

/** A version of a cluster, a date and time, or an age. */
export const VERSION_OR_MOMENT =
  /^(?:\d{1,15}|\d{1,9}[smhdw]|\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?)$/;
export const VERSION_OR_MOMENT_SAYS = 'must be a version, a date and time (ISO 8601), e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h';

/** By so much the clock of whoever asks may be ahead of this server's, ms. */
const CLOCKS_DIFFER_MS = 60_000;

/** A version of a cluster that is over, or is looked at as if it were. */
export interface PastMoment {
  readonly version: number;
  /** For which it is looked at, epoch seconds; the time of that version's event when absent. */
  readonly now?: number;
}

/** Finds the versions of clusters that people ask for by number or by time. */
@Injectable()
export class PastVersions {
  constructor(
    private readonly store: EventStore<ClusterEvent>,
    private readonly clock: ClockWatch,
  ) {}

  /**
   * @param asked as {@link VERSION_OR_MOMENT} has it
   * @param place where it stands in the request
   * @throws {HttpProblem} 404 for what was not, or is not yet, 400 for a time to come or one that does not exist
   */
  async find(clusterId: string, asked: string, place: Pick<ProblemIssue, 'parameter' | 'pointer'>): Promise<number> {
    return (await this.#moment(clusterId, asked, place)).version;
  }

  /**
   * What `version` or `at` of a query ask for; undefined where neither does: the present.
   *
   * @throws {HttpProblem} 400 for both of them, and as `find`
   */
  async asked(clusterId: string, { version, at }: { readonly version?: number; readonly at?: string }): Promise<PastMoment | undefined> {
    if (at === undefined) return version === undefined ? undefined : { version };
    if (version === undefined) return this.#moment(clusterId, at, { parameter: 'at' });
    const detail = 'is not to be given together with version';
    throw new HttpProblem(400, 'invalid-parameter', `at ${detail}`, { errors: [{ parameter: 'at', detail }] });
  }

  async #moment(clusterId: string, asked: string, place: Pick<ProblemIssue, 'parameter' | 'pointer'>): Promise<PastMoment> {
    const head = (await this.store.head(clusterId))?.version ?? 0;
    const present = this.clock.now();
    const moment = /^\d+$/.test(asked) ? undefined : momentOf(asked, place, present);
    if (moment !== undefined) await this.#refuseFuture(clusterId, Date.parse(moment) - present, place);
    const version = moment === undefined ? Number(asked) : await this.store.versionAt(clusterId, moment);
    // By a clock that is a little ahead: rules count as of now.
    const now = moment === undefined ? {} : { now: Math.floor(Math.min(Date.parse(moment), present) / 1_000) };
    if (version >= 1 && version <= head) return { version, ...now };
    const detail =
      version === 0 ? 'the cluster did not exist then' : `the cluster is at version ${head}; there is no version ${version} yet`;
    throw new HttpProblem(404, 'version-not-found', detail, { errors: [{ ...place, detail }] });
  }

  /** Nobody knows what will be. But what the log has dated ahead can be asked for. @param aheadMs by how much a moment is later than now */
  async #refuseFuture(clusterId: string, aheadMs: number, place: Pick<ProblemIssue, 'parameter' | 'pointer'>): Promise<void> {
    if (aheadMs <= CLOCKS_DIFFER_MS || aheadMs <= (await this.store.datedAheadMs(clusterId)) + CLOCKS_DIFFER_MS) return;
    throw noMoment(place, `is a time to come: it is ${new Date(this.clock.now()).toISOString()} here; leave it out for what is so now`);
  }
}
