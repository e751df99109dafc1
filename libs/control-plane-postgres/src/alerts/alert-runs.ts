import type { AlertOrder, AlertProgram } from '@systole/cluster';
import type { Pool } from 'pg';
import {
  ADD_TESTS,
  ADVANCE,
  BEGIN,
  DETAIL_CHARS,
  END,
  EXPIRE,
  FORGET,
  GIVE,
  LIST,
  NODES_WAITED_FOR,
  PLACE,
  SOME,
  TALLY,
} from './alert-statements.js';

/** How a run of an alert's program stands; `not-run` also where nobody knows whether it ran. */
export const ALERT_RUN_OUTCOMES = ['waiting', 'given', 'done', 'failed', 'timeout', 'not-run'] as const;

export type AlertRunOutcome = (typeof ALERT_RUN_OUTCOMES)[number];

/** A run as people are shown it. */
export interface AlertRun {
  readonly id: number;
  readonly node: string;
  readonly alert: string;
  readonly recipient?: string;
  readonly kind: AlertOrder['kind'];
  /** Of the event that it tells of; of a test: of the cluster when it was asked for. */
  readonly version: number;
  readonly test: boolean;
  readonly path: string;
  readonly outcome: AlertRunOutcome;
  readonly at: Date;
  readonly givenAt?: Date;
  /** How often it was given to the node. */
  readonly tries: number;
  readonly endedAt?: Date;
  /** Exit code of the program. */
  readonly rc?: number;
  readonly detail?: string;
  readonly execMs?: number;
}

/** A run as it is given to its node. */
export interface GivenRun extends Pick<AlertOrder, 'alert' | 'recipient'> {
  readonly id: number;
  readonly call: AlertProgram;
}

/** How a run ended, as the agent says. */
export interface EndedRun {
  readonly id: number;
  readonly outcome: 'done' | 'failed' | 'timeout' | 'not-run';
  readonly rc?: number;
  readonly detail?: string;
  readonly execMs: number;
}

/** What went wrong with the alerts of a cluster. */
export interface AlertTally {
  /** Runs of the last day that did not end well. */
  readonly failed: number;
  /** Runs that were left out, ever. */
  readonly dropped: number;
  readonly droppedAt?: Date;
}

interface Row {
  readonly id: string;
  readonly node: string;
  readonly alert: string;
  readonly recipient: string | null;
  readonly kind: AlertOrder['kind'];
  readonly version: string;
  readonly test: boolean;
  readonly path: string;
  readonly outcome: AlertRunOutcome;
  readonly at: Date;
  readonly given_at: Date | null;
  readonly tries: number;
  readonly ended_at: Date | null;
  readonly rc: number | null;
  readonly detail: string | null;
  readonly exec_ms: number | null;
}

/** The tables of what nodes run for alerts. */
export class AlertRuns {
  constructor(private readonly pool: Pool) {}

  /** Up to which version the events of a cluster were looked at; undefined: it has no place yet. */
  async place(clusterId: string): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ version: string }>(PLACE, [clusterId]);
    const [row] = rows;
    return row === undefined ? undefined : Number(row.version);
  }

  /** Gives a cluster its place, if it has none. */
  async begin(clusterId: string, version: number): Promise<void> {
    await this.pool.query(BEGIN, [clusterId, version]);
  }

  /**
   * Moves a cluster's place on, and adds what is to be run for the events between, all or nothing; what is old news, or one too many that waits for its node, is left out and counted.
   *
   * @returns false: the place is not what it was taken for, and nothing was done
   */
  async advance(clusterId: string, from: number, to: number, orders: readonly AlertOrder[]): Promise<boolean> {
    const { rowCount } = await this.pool.query(ADVANCE, [clusterId, from, to, numbered(orders)]);
    return rowCount === 1;
  }

  /** @returns their ids */
  async addTests(clusterId: string, orders: readonly AlertOrder[]): Promise<readonly number[]> {
    const { rows } = await this.pool.query<{ id: string }>(ADD_TESTS, [clusterId, numbered(orders)]);
    return rows.map(({ id }) => Number(id));
  }

  /** Gives a node what it is to run, the oldest first, but for what its agent has. */
  async give(clusterId: string, node: string, has: readonly number[], most: number): Promise<readonly GivenRun[]> {
    const { rows } = await this.pool.query<Pick<Row, 'id' | 'alert' | 'recipient'> & { call: AlertProgram }>(GIVE, [
      clusterId,
      node,
      has,
      most,
    ]);
    return rows
      .map(({ id, alert, recipient, call }) => ({ id: Number(id), alert, ...(recipient === null ? {} : { recipient }), call }))
      .sort((one, other) => one.id - other.id);
  }

  /** Notes how runs of a node ended; what was noted before stays. */
  async end(clusterId: string, node: string, ended: readonly EndedRun[]): Promise<void> {
    if (ended.length === 0) return;
    const told = ended.map(({ id, outcome, rc, detail, execMs }) => ({
      ...{ id, outcome, exec_ms: Math.min(execMs, 2 ** 31 - 1) },
      ...(rc === undefined ? {} : { rc }),
      ...(detail === undefined ? {} : { detail: detail.slice(0, DETAIL_CHARS) }),
    }));
    await this.pool.query(END, [clusterId, node, JSON.stringify(told)]);
  }

  /** Nodes for which there is something that was not given yet. */
  async nodesWaitedFor(): Promise<readonly { readonly clusterId: string; readonly node: string }[]> {
    const { rows } = await this.pool.query<{ cluster_id: string; node: string }>(NODES_WAITED_FOR);
    return rows.map(({ cluster_id: clusterId, node }) => ({ clusterId, node }));
  }

  /** Ends what nobody took in time, and forgets the places of clusters that are no more. @returns how many runs were ended */
  async expire(): Promise<number> {
    const { rowCount } = await this.pool.query(EXPIRE);
    await this.pool.query(FORGET);
    return rowCount ?? 0;
  }

  /** The newest first. */
  async list(clusterId: string, { alert, outcomes, before, limit }: ListedRuns): Promise<readonly AlertRun[]> {
    const values = [clusterId, alert ?? null, outcomes ?? null, before ?? Number.MAX_SAFE_INTEGER, limit];
    return (await this.pool.query<Row>(LIST, values)).rows.map(runOf);
  }

  /** Those of these ids, in the order in which they were made. */
  async some(clusterId: string, ids: readonly number[]): Promise<readonly AlertRun[]> {
    return (await this.pool.query<Row>(SOME, [clusterId, ids])).rows.map(runOf);
  }

  async tally(clusterId: string): Promise<AlertTally> {
    const { rows } = await this.pool.query<{ failed: number; dropped: number | null; dropped_at: Date | null }>(TALLY, [clusterId]);
    const [row] = rows;
    return { failed: row?.failed ?? 0, dropped: row?.dropped ?? 0, ...(row?.dropped_at ? { droppedAt: row.dropped_at } : {}) };
  }
}

/** Which runs are listed. */
export interface ListedRuns {
  readonly alert?: string;
  readonly outcomes?: readonly AlertRunOutcome[];
  /** Ids before this one. */
  readonly before?: number;
  readonly limit: number;
}

function numbered(orders: readonly AlertOrder[]): string {
  return JSON.stringify(orders.map((order, number) => ({ ...order, number })));
}

function runOf(row: Row): AlertRun {
  const { recipient, given_at: givenAt, ended_at: endedAt, rc, detail, exec_ms: execMs } = row;
  return {
    ...{ id: Number(row.id), node: row.node, alert: row.alert, kind: row.kind, version: Number(row.version), test: row.test },
    ...{ path: row.path, outcome: row.outcome, at: row.at, tries: row.tries },
    ...(recipient === null ? {} : { recipient }),
    ...(givenAt === null ? {} : { givenAt }),
    ...(endedAt === null ? {} : { endedAt }),
    ...(rc === null ? {} : { rc }),
    ...(detail === null ? {} : { detail }),
    ...(execMs === null ? {} : { execMs }),
  };
}
