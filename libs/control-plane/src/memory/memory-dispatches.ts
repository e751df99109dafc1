import { outlastsAbort } from '@systole/cluster';
import type { Answers } from '../ports/cluster-log.js';
import {
  actionText,
  operationIn,
  type Delivery,
  type Dispatches,
  type DispatchRow,
  type DispatchSignal,
  type DispatchSignals,
  type DueDeliveries,
  type LostDispatch,
  type NewDispatch,
  type NodeOfCluster,
  type OpenOperation,
  type UnansweredDispatch,
  type Waiting,
} from '../ports/dispatches.js';
import type { MemoryDatabase } from './memory-database.js';

/** A row of the dispatches. */
export interface StoredDispatch {
  readonly clusterId: string;
  readonly transition: number;
  readonly graphActionId: number;
  readonly node: string;
  readonly action: NewDispatch['action'];
  readonly completed: boolean;
  /** Epoch ms by the database's clock. */
  readonly handedOutAt: number;
  readonly delivered?: { readonly incarnation: number; readonly seq?: number; readonly restoredAt?: number };
}

export class MemoryDispatches implements Dispatches, DispatchSignals {
  private readonly waiting = new Map<string, Set<(signal: DispatchSignal) => void>>();

  constructor(private readonly database: MemoryDatabase) {}

  ofTransition(clusterId: string, transition: number): Promise<readonly DispatchRow[]> {
    const rows = this.select((row) => row.clusterId === clusterId && row.transition === transition);
    return Promise.resolve(rows.map(shown).sort((a, b) => a.graphActionId - b.graphActionId || (a.actionId < b.actionId ? -1 : 1)));
  }

  async handOut(clusterId: string, transition: number, version: number, dispatches: readonly NewDispatch[]): Promise<boolean> {
    return this.database.exclusively(() => {
      if (this.database.eventsOf(clusterId).length !== version) return false;
      const { tables } = this.database;
      for (const { graphActionId, node, action } of dispatches) {
        const key = keyOf(clusterId, action.actionId);
        if (tables.dispatches.has(key)) continue;
        tables.dispatches.set(key, {
          clusterId,
          transition,
          graphActionId,
          node,
          action,
          completed: false,
          handedOutAt: this.database.timeOfDay(),
        });
        this.wakeAll(clusterId, node);
      }
      return true;
    });
  }

  async restore(clusterId: string, transition: number, version: number, lost: readonly LostDispatch[]): Promise<void> {
    await this.database.exclusively(() => {
      if (this.database.eventsOf(clusterId).length !== version) return;
      for (const { graphActionId, node, action, incarnation, completed } of lost) {
        if (this.database.tables.dispatches.has(keyOf(clusterId, action.actionId))) continue;
        const delivered = { incarnation, restoredAt: version };
        this.put({ clusterId, transition, graphActionId, node, action, completed, handedOutAt: this.database.timeOfDay(), delivered });
      }
    });
  }

  async withdrawUndelivered(clusterId: string, transition: number, { probing } = { probing: false }): Promise<readonly DispatchRow[]> {
    return this.database.exclusively(() => {
      const rows = this.select((row) => row.clusterId === clusterId && row.transition === transition && isWithdrawable(row, probing));
      for (const { action } of rows) this.database.tables.dispatches.delete(keyOf(clusterId, action.actionId));
      return rows.map(shown);
    });
  }

  async forget(clusterId: string, transition: number): Promise<void> {
    await this.database.exclusively(() => {
      for (const { action } of this.select((row) => row.clusterId === clusterId && row.transition <= transition)) {
        this.database.tables.dispatches.delete(keyOf(clusterId, action.actionId));
      }
    });
  }

  handedOut(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = [...this.database.tables.dispatches.values()].filter((row) => row.clusterId === clusterId && row.node === node);
    const known = new Set(rows.map(({ action }) => action.actionId));
    return Promise.resolve(new Set(actionIds.filter((id) => known.has(id))));
  }

  handedOutAt(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const known = actionIds.flatMap((id): (readonly [string, number])[] => {
      const row = this.database.tables.dispatches.get(keyOf(clusterId, id));
      return row?.node === node && row.delivered?.restoredAt === undefined ? [[id, row.handedOutAt]] : [];
    });
    return Promise.resolve(new Map(known));
  }

  delivered(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const given = actionIds.filter((id) => {
      const row = this.database.tables.dispatches.get(keyOf(clusterId, id));
      return row?.node === node && (row.completed || row.delivered !== undefined);
    });
    return Promise.resolve(new Set(given));
  }

  ofActions(clusterId: string, actionIds: readonly string[]): Promise<readonly DispatchRow[]> {
    const asked = new Set(actionIds);
    return Promise.resolve(this.select((row) => row.clusterId === clusterId && asked.has(row.action.actionId)).map(shown));
  }

  unanswered(clusterId: string, transition: number): Promise<readonly UnansweredDispatch[]> {
    const rows = this.select((row) => row.clusterId === clusterId && row.transition === transition && !row.completed);
    const open = rows.flatMap(({ graphActionId, node, action, delivered, handedOutAt }) => {
      const forMs = Math.max(0, this.database.timeOfDay() - handedOutAt);
      return action.kind === 'shutdown'
        ? []
        : [
            {
              ...{ graphActionId, node, what: actionText(action), ...operationIn(action), delivered: delivered !== undefined, forMs },
              ...(delivered === undefined ? {} : { incarnation: delivered.incarnation }),
            },
          ];
    });
    return Promise.resolve(open.sort((a, b) => a.graphActionId - b.graphActionId));
  }

  openOperations(clusterId: string, transition: number): Promise<readonly OpenOperation[]> {
    const rows = this.select((row) => row.clusterId === clusterId && row.transition === transition && !row.completed);
    const open = rows.flatMap(({ graphActionId, node, action, delivered }): readonly OpenOperation[] => {
      if (action.kind !== 'operation' && action.kind !== 'cancel') return [];
      return [{ graphActionId, node, action, ...(delivered === undefined ? {} : { incarnation: delivered.incarnation }) }];
    });
    return Promise.resolve(open.sort((a, b) => a.graphActionId - b.graphActionId));
  }

  anyOpen(clusterId: string, node: string, known: readonly string[]): Promise<boolean> {
    return Promise.resolve(this.openFor(clusterId, node, known).length > 0);
  }

  undelivered(): Promise<readonly NodeOfCluster[]> {
    const rows = this.select((row) => !row.completed && row.delivered === undefined);
    const nodes = new Map(rows.map(({ clusterId, node }) => [keyOf(clusterId, node), { clusterId, node }]));
    return Promise.resolve([...nodes.values()]);
  }

  listen(clusterId: string, node: string, wake: (signal: DispatchSignal) => void): () => void {
    const key = keyOf(clusterId, node);
    const waiting = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, waiting);
    waiting.add(wake);
    return () => waiting.delete(wake);
  }

  wake(clusterId: string, node: string): Promise<void> {
    this.wakeAll(clusterId, node);
    return Promise.resolve();
  }

  private wakeAll(clusterId: string, node: string): void {
    for (const wake of [...(this.waiting.get(keyOf(clusterId, node)) ?? [])]) wake('handed-out');
  }

  private openFor(clusterId: string, node: string, known: readonly string[]): StoredDispatch[] {
    return openFor(this.database.tables.dispatches, clusterId, node, known);
  }

  private select(where: (row: StoredDispatch) => boolean): StoredDispatch[] {
    return [...this.database.tables.dispatches.values()].filter(where);
  }

  private put(row: StoredDispatch): void {
    this.database.tables.dispatches.set(keyOf(row.clusterId, row.action.actionId), row);
  }
}

/** The rows as a transaction changes them. */
/** Marks as answered what went to the node. @returns what was not answered before */
export function answerIn(
  dispatches: Map<string, StoredDispatch>,
  clusterId: string,
  { node, actionIds }: Pick<Answers, 'node' | 'actionIds'>,
): ReadonlySet<string> {
  const first = new Set<string>();
  for (const actionId of actionIds) {
    const row = dispatches.get(keyOf(clusterId, actionId));
    if (row?.node !== node || row.completed) continue;
    dispatches.set(keyOf(clusterId, actionId), { ...row, completed: true });
    first.add(actionId);
  }
  return first;
}

/** See `ClusterLog.deliver`. */
export function deliverIn(
  dispatches: Map<string, StoredDispatch>,
  clusterId: string,
  { transition, aborting, probing = false }: Omit<DueDeliveries, 'waiting'>,
  { to: { node, incarnation, seq, shown: told }, known }: Waiting,
): Delivery {
  const put = (row: StoredDispatch): void => void dispatches.set(keyOf(clusterId, row.action.actionId), row);
  const open = openFor(dispatches, clusterId, node, known).filter((row) => row.transition === transition);
  const given = open.filter(
    (row) => (!aborting || goesOn(row, probing)) && !isOfLaterPoll(row, incarnation, seq) && !isOfOtherLife(row, incarnation),
  );
  for (const row of given) put({ ...row, delivered: { incarnation, ...(seq === undefined ? {} : { seq }) } });
  if (aborting && seq !== undefined) {
    for (const row of open) if (!goesOn(row, probing) && wasNeverBegun(row, incarnation, seq, told)) put(undelivered(row));
  }
  const actions = given.sort((a, b) => a.graphActionId - b.graphActionId).map(({ action }) => action);
  const left = openFor(dispatches, clusterId, node, []).filter((row) => row.transition === transition);
  return {
    actions: actions.filter((action) => action.kind !== 'shutdown'),
    shutdown: actions.some(({ kind }) => kind === 'shutdown'),
    withdrawable: aborting && left.some((row) => isWithdrawable(row, probing)),
  };
}

function openFor(dispatches: Map<string, StoredDispatch>, clusterId: string, node: string, known: readonly string[]): StoredDispatch[] {
  const ofNode = [...dispatches.values()].filter((row) => row.clusterId === clusterId && row.node === node);
  return ofNode.filter((row) => !row.completed && !known.includes(row.action.actionId));
}

function goesOn({ action }: StoredDispatch, probing: boolean): boolean {
  return action.kind !== 'shutdown' && outlastsAbort(action, probing);
}

function isWithdrawable(row: StoredDispatch, probing: boolean): boolean {
  return row.delivered === undefined && !goesOn(row, probing);
}

function isOfOtherLife({ delivered }: StoredDispatch, incarnation: number): boolean {
  return delivered !== undefined && delivered.incarnation !== incarnation;
}

function isOfLaterPoll({ delivered }: StoredDispatch, incarnation: number, seq: number | undefined): boolean {
  return delivered?.incarnation === incarnation && delivered.seq !== undefined && seq !== undefined && delivered.seq > seq;
}

function wasNeverBegun({ delivered }: StoredDispatch, incarnation: number, seq: number, told = 0): boolean {
  if (delivered === undefined) return false;
  const { seq: of, restoredAt } = delivered;
  return delivered.incarnation !== incarnation || (of !== undefined && of < seq) || (restoredAt !== undefined && restoredAt <= told);
}

function undelivered({ delivered: _, ...row }: StoredDispatch): StoredDispatch {
  return row;
}

function shown({ action, graphActionId, node, delivered }: StoredDispatch): DispatchRow {
  const fencingId = action.kind === 'shutdown' ? undefined : action.fence?.fencingId;
  return {
    actionId: action.actionId,
    graphActionId,
    node,
    kind: action.kind,
    delivered: delivered !== undefined,
    ...(fencingId === undefined ? {} : { fencingId }),
    ...(delivered === undefined ? {} : { incarnation: delivered.incarnation }),
  };
}

/** Cluster ids hold no blanks. */
function keyOf(clusterId: string, rest: string): string {
  return `${clusterId} ${rest}`;
}
