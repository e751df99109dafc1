import { table } from '../scheduler/report.js';
import { percentile } from '../viewers/under-viewers.js';
import type { TraceEntry } from './load-orders.js';
import type { Served } from './served.js';

/** The way from a result to the action that follows from it; times are epoch ms. */
export interface Way {
  /** Of the result. */
  readonly resultId: string;
  readonly reportedAt: number;
  readonly acknowledgedAt: number;
  /** The action, in the answer to a poll. */
  readonly arrivedAt: number;
  /** Whether a new transition had to be planned for it. */
  readonly planned: boolean;
}

/** The way between two moments that a trace tells of. @throws {Error} when it lacks the acknowledgement of the result */
export function wayOf(trace: readonly TraceEntry[], from: TraceEntry, to: TraceEntry, planned: boolean): Way {
  const { resultId = '', at: reportedAt } = from;
  const acknowledged = trace.find((entry) => entry.what === 'acknowledged' && entry.resultId === resultId);
  if (acknowledged === undefined) throw new Error(`the result ${resultId} was not acknowledged while that was watched`);
  return { resultId, reportedAt, acknowledgedAt: acknowledged.at, arrivedAt: to.at, planned };
}

const DATES = `
SELECT version, type, data->>'resultId' AS result, extract(epoch FROM occurred_at)::float8 * 1000 AS at
FROM events
WHERE stream_id = $1 AND (type = 'TransitionPlanned' OR data->>'resultId' = ANY($2))
ORDER BY version`;

interface DatedRow {
  readonly type: string;
  readonly result: string | null;
  readonly at: number;
}

/** When things were, ms after the report. */
export interface Moments {
  readonly dated: number;
  readonly acknowledged: number;
  readonly planned: number | undefined;
  readonly arrived: number;
}

/** Looks up in the log when the results were recorded, and the transitions planned that followed. */
export async function momentsOf(served: Served, cluster: string, ways: readonly Way[]): Promise<readonly Moments[]> {
  const rows = await served.query<DatedRow>(DATES, [cluster, ways.map(({ resultId }) => resultId)]);
  return ways.map(({ resultId, reportedAt, acknowledgedAt, arrivedAt, planned }) => {
    const place = rows.findIndex(({ result }) => result === resultId);
    const next = planned ? rows.slice(place).find(({ type }) => type === 'TransitionPlanned')?.at : undefined;
    return {
      dated: (rows[place]?.at ?? Number.NaN) - reportedAt,
      acknowledged: acknowledgedAt - reportedAt,
      planned: next === undefined ? undefined : next - reportedAt,
      arrived: arrivedAt - reportedAt,
    };
  });
}

/** A table of when things were on the way, ms after the report. */
export function stagesTable(what: string, ways: Readonly<Record<string, readonly Moments[]>>): string {
  const columns = ['dated', 'acknowledged', 'planned', 'arrived'] as const;
  const rows = Object.entries(ways).flatMap(([name, moments]) =>
    [50, 99].map((percent) => [
      name,
      `p${percent}`,
      ...columns.map((column) => {
        const times = moments.flatMap((moment) => moment[column] ?? []).sort((a, b) => a - b);
        return times.length === 0 ? '–' : percentile(times, percent).toFixed(0);
      }),
    ]),
  );
  return table([what, 'ms after the report', 'dated in the log', 'acknowledged', 'planned', 'the action arrived'], rows);
}
