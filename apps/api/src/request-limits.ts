import type { Rate, ShareLimits } from '@systole/access';
import type { ReportSize } from '@systole/control-plane';
import type { ReportLimits } from './agent/node-report-budgets.js';
import type { LaneLimits } from './computing/computing-lane.js';
import { wholeNumber } from './environment.js';

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

export const DEFAULT_LIMITS: RequestLimits = {
  bodies: { total: 256 * MIB, each: 128 * MIB },
  // A poll of a node with thousands of resources has 0.1 MiB; up to ten a second come while much is done there.
  agentBytes: { polls: { perSecond: 4 * MIB, burst: 32 * MIB }, others: { perSecond: MIB, burst: 32 * MIB } },
  computing: { places: { total: 64, each: 8 }, taskMs: 60_000, memoryMib: 2_048 },
  streams: { total: 200, each: 20 },
  requests: { perSecond: 50, burst: 400 },
  duties: { perSecond: 500, burst: 4_000 },
  reports: {
    results: { events: 20_000, bytes: 32 * MIB },
    attributes: { events: 3_000, bytes: 4 * MIB },
    'unchanged-attributes': { events: 30_000, bytes: 8 * MIB },
    joins: { events: 20, bytes: 4 * MIB },
    'refused-joins': { events: 20, bytes: MIB },
    disturbances: { perSecond: 0.5, burst: 20 },
    // At once as much as a failover of everything that a node runs may write.
    configurations: { perSecond: 0.1, burst: 100 },
  },
  wrongTokens: { perSecond: 0.2, burst: 20 },
  connections: { total: 10_000, each: 2_000 },
  arrival: { headMs: 15_000, requestMs: 120_000 },
};

/**
 * Reads `SYSTOLE_BODIES_MIB`, `SYSTOLE_COMPUTATIONS`, `SYSTOLE_COMPUTATION_MIB`, `SYSTOLE_COMPUTATION_MS`, `SYSTOLE_STREAMS`, `SYSTOLE_CONNECTIONS`, the first
 * and the last two also with `_EACH`, `SYSTOLE_REQUESTS_PER_SECOND`, and `SYSTOLE_NODE_RESULTS`, `SYSTOLE_NODE_ATTRIBUTES`, both also with `_MIB`, `SYSTOLE_NODE_DISTURBANCES` and `SYSTOLE_NODE_CONFIGURATIONS`; what is not set is as in {@link DEFAULT_LIMITS}.
 *
 * @throws {InvalidSetting} naming the variable and what it may be
 */
export function requestLimitsFrom(environment: NodeJS.ProcessEnv): RequestLimits {
  const number = (name: string, least: number, most: number, otherwise: number): number =>
    wholeNumber(environment, `SYSTOLE_${name}`, least, most) ?? otherwise;
  const shares = (name: string, most: number, { total, each }: ShareLimits): ShareLimits => ({
    total: number(name, 1, most, total),
    each: number(`${name}_EACH`, 1, most, each),
  });
  const { bodies, agentBytes, computing, streams, requests, duties, reports, wrongTokens, connections, arrival } = DEFAULT_LIMITS;
  const perMinute = (name: string, { events, bytes }: ReportSize): ReportSize => ({
    events: number(name, 1, 10_000_000, events),
    bytes: number(`${name}_MIB`, 1, 65_536, bytes / MIB) * MIB,
  });
  const inMib = shares('BODIES_MIB', 65_536, { total: bodies.total / MIB, each: bodies.each / MIB });
  const perSecond = number('REQUESTS_PER_SECOND', 1, 100_000, requests.perSecond);
  const configurations = number('NODE_CONFIGURATIONS', 1, 100_000, reports.configurations.perSecond * 60);
  const disturbances = number('NODE_DISTURBANCES', 1, 100_000, reports.disturbances.perSecond * 60);
  return {
    bodies: { total: inMib.total * MIB, each: inMib.each * MIB },
    agentBytes,
    computing: {
      places: shares('COMPUTATIONS', 10_000, computing.places),
      taskMs: number('COMPUTATION_MS', 100, 3_600_000, computing.taskMs),
      memoryMib: number('COMPUTATION_MIB', 64, 65_536, computing.memoryMib),
    },
    streams: shares('STREAMS', 100_000, streams),
    requests: { perSecond, burst: (perSecond * requests.burst) / requests.perSecond },
    duties,
    reports: {
      ...reports,
      results: perMinute('NODE_RESULTS', reports.results),
      attributes: perMinute('NODE_ATTRIBUTES', reports.attributes),
      disturbances: { ...reports.disturbances, perSecond: disturbances / 60 },
      configurations: { ...reports.configurations, perSecond: configurations / 60 },
    },
    wrongTokens,
    connections: shares('CONNECTIONS', 1_000_000, connections),
    arrival,
  };
}
