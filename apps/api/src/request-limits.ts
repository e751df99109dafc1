import type { Rate, ShareLimits } from '@systole/access';
import { LIMIT_SETTINGS, readSettings, type Settings } from '@systole/settings';
import type { ReportLimits } from './access/node-report-budgets.js';
import type { LaneLimits } from './computing/computing-lane.js';

/** What one token or address, and all together, may ask of an api process. */
export interface RequestLimits {
  /** Bytes of bodies that are held at a time, by token. */
  readonly bodies: ShareLimits;
  /** Bytes of bodies that an agent sends, inflated: those of its polls, and of its other requests by kind. */
  readonly agentBytes: { readonly polls: Rate; readonly others: Rate };
  /** What each computing thread and the line before it may take. */
  readonly computing: LaneLimits;
  /** Open event streams, by token. */
  readonly streams: ShareLimits;
  /** Requests of one token; each 256 KiB of an answer count as another one. */
  readonly requests: Rate;
  /** Of an agent's token, each for itself: joins, polls, results, shutdowns, leaves. Nothing that an agent in its senses reaches. */
  readonly duties: Rate;
  /** What the reports of one node may come to in the log. */
  readonly reports: ReportLimits;
  /** Wrong tokens from one address. */
  readonly wrongTokens: Rate;
  /** Open connections, by address; half of one's may be such on which no valid token came, of IPv6 counted for the whole /64. */
  readonly connections: ShareLimits;
  /** In which requests have to come. */
  readonly arrival: ArrivalLimits;
}

export interface ArrivalLimits {
  /** The head of a request, ms. */
  readonly headMs: number;
  /** A whole request, ms: 64 MiB at half a MiB a second. */
  readonly requestMs: number;
}

const MIB = 1024 * 1024;

/** As far as settings say it: the limits that they give, where an absent one counts for its default. @param given as `readSettings` reads {@link LIMIT_SETTINGS} */
export function requestLimitsFrom(given: Settings<typeof LIMIT_SETTINGS>): RequestLimits {
  const perSecond = given.SYSTOLE_REQUESTS_PER_SECOND;
  return {
    bodies: { total: given.SYSTOLE_BODIES_MIB * MIB, each: given.SYSTOLE_BODIES_MIB_EACH * MIB },
    // A poll of a node with thousands of resources has 0.1 MiB; up to ten a second come while much is done there.
    agentBytes: { polls: { perSecond: 4 * MIB, burst: 32 * MIB }, others: { perSecond: MIB, burst: 32 * MIB } },
    computing: {
      places: { total: given.SYSTOLE_COMPUTATIONS, each: given.SYSTOLE_COMPUTATIONS_EACH },
      taskMs: given.SYSTOLE_COMPUTATION_MS,
      memoryMib: given.SYSTOLE_COMPUTATION_MIB,
    },
    streams: { total: given.SYSTOLE_STREAMS, each: given.SYSTOLE_STREAMS_EACH },
    requests: { perSecond, burst: perSecond * 8 },
    duties: { perSecond: 500, burst: 4_000 },
    reports: {
      results: { events: given.SYSTOLE_NODE_RESULTS, bytes: given.SYSTOLE_NODE_RESULTS_MIB * MIB },
      attributes: { events: given.SYSTOLE_NODE_ATTRIBUTES, bytes: given.SYSTOLE_NODE_ATTRIBUTES_MIB * MIB },
      'unchanged-attributes': { events: 30_000, bytes: 8 * MIB },
      joins: { events: 20, bytes: 4 * MIB },
      'refused-joins': { events: 20, bytes: MIB },
      disturbances: { perSecond: given.SYSTOLE_NODE_DISTURBANCES / 60, burst: 20 },
      // At once as much as a failover of everything that a node runs may write.
      configurations: { perSecond: given.SYSTOLE_NODE_CONFIGURATIONS / 60, burst: 100 },
    },
    wrongTokens: { perSecond: 0.2, burst: 20 },
    connections: { total: given.SYSTOLE_CONNECTIONS, each: given.SYSTOLE_CONNECTIONS_EACH },
    arrival: { headMs: 15_000, requestMs: 120_000 },
  };
}

export const DEFAULT_LIMITS: RequestLimits = requestLimitsFrom(readSettings(LIMIT_SETTINGS, {}));
