import type { AgentAction, AgentResult, OnLeaseLoss, Witness } from '@systole/protocol';
import { OrderedMap } from '../persistent/ordered-map.js';
import { OrderedSet } from '../persistent/ordered-set.js';
import { meansActive, RC, saysPromoted } from '../return-codes.js';
import { inRole, type ActiveResource, type JournalRecord, type RecordedResult, type RefusedResult, type RunningAction } from './record.js';

/** What the journal's records add up to. */
export interface JournalState {
  readonly bootId: string | undefined;
  /** Actions whose execution began and has no result. */
  readonly inFlight: ReadonlyMap<string, RunningAction>;
  /** Results that the server has not acknowledged, in the order in which they arose. */
  readonly unacknowledged: OrderedMap<RecordedResult>;
  /** Ids of the actions whose execution ended, oldest first; bounded by {@link REMEMBERED_ACTIONS}. */
  readonly executed: OrderedSet;
  /** What may be running here, by history id, in the order in which it was started. */
  readonly active: OrderedMap<ActiveResource>;
  /** What the server does not take, oldest first; bounded by {@link REMEMBERED_REFUSALS}. */
  readonly refused: readonly RefusedResult[];
  /** As the server last said. */
  readonly onLeaseLoss?: OnLeaseLoss;
  /** Set on this node, and known to the server: it counts, whatever that says. */
  readonly announced?: OnLeaseLoss;
  /** The newest in whose life anything can have begun. */
  readonly incarnation?: number;
  /** The newest that was given to this boot. */
  readonly bootIncarnation?: number;
  /** What is active because it could not be stopped when everything had to be, and of which the cluster has not seen anew what is so. */
  readonly stopFailed: ReadonlySet<string>;
  /** History ids of what a lost lease must not stop. */
  readonly unmanaged: ReadonlySet<string>;
  readonly witness?: { readonly witness: Witness; readonly token: string };
}

/** How many executed actions are remembered, so that a delivery that was already under way when the result arrived is recognised. */
export const REMEMBERED_ACTIONS = 5_000;

export const REMEMBERED_REFUSALS = 50;

export const EMPTY_STATE: JournalState = {
  bootId: undefined,
  inFlight: new Map(),
  unacknowledged: OrderedMap.empty(),
  executed: OrderedSet.empty(),
  active: OrderedMap.empty(),
  refused: [],
  stopFailed: new Set(),
  unmanaged: new Set(),
};

/** Folds one record into the state; the state given is not changed. */
export function evolve(state: JournalState, record: JournalRecord): JournalState {
  const next = folded(state, record);
  const { active, stopFailed } = next;
  if (stopFailed.size === 0 || [...stopFailed].every((historyId) => active.has(historyId))) return next;
  return { ...next, stopFailed: new Set([...stopFailed].filter((historyId) => active.has(historyId))) };
}

function folded(state: JournalState, record: JournalRecord): JournalState {
  switch (record.kind) {
    case 'started':
      return state.bootId === record.bootId ? state : inBoot(state, record.bootId);
    case 'intent': {
      const { action, incarnation } = record;
      return {
        ...state,
        inFlight: new Map(state.inFlight).set(action.actionId, { action, incarnation }),
        active: activates(action) ? withActive(state.active, action, { anew: action.operation !== 'promote' }) : state.active,
        stopFailed: activates(action) ? withoutEntry(state.stopFailed, action.resource.historyId) : state.stopFailed,
      };
    }
    case 'not-begun':
      return { ...state, inFlight: without(state.inFlight, record.actionId) };
    case 'process': {
      const running = state.inFlight.get(record.actionId);
      if (running === undefined) return state;
      return { ...state, inFlight: new Map(state.inFlight).set(record.actionId, { ...running, process: record.process }) };
    }
    case 'result':
      return afterResult(state, record);
    case 'acknowledged':
      return { ...state, unacknowledged: record.resultIds.reduce((rest, id) => rest.without(id), state.unacknowledged) };
    case 'reduced':
      return withReduced(state, record.result);
    case 'refused': {
      const { resultId, actionId, problem } = record;
      const refused = [...state.refused, { resultId, actionId, problem }].slice(-REMEMBERED_REFUSALS);
      return { ...state, unacknowledged: state.unacknowledged.without(resultId), refused };
    }
    case 'told':
      return { ...state, onLeaseLoss: record.onLeaseLoss };
    case 'unmanaged':
      return { ...state, unmanaged: new Set(record.historyIds) };
    case 'witness':
      return { ...state, witness: { witness: record.witness, token: record.token } };
    case 'life':
      return { ...state, incarnation: record.incarnation, bootIncarnation: record.incarnation };
    case 'stop-failed':
      return { ...state, stopFailed: new Set(record.historyIds) };
    case 'announced':
      return record.onLeaseLoss === undefined ? unannounced(state) : { ...state, announced: record.onLeaseLoss };
    case 'stopped':
      return { ...state, active: state.active.without(record.historyId) };
    case 'active':
      return { ...state, active: state.active.with(record.active.resource.historyId, record.active) };
    case 'in-flight':
      return { ...state, inFlight: new Map(state.inFlight).set(record.running.action.actionId, record.running) };
    case 'executed':
      return { ...state, executed: remember(state.executed, record.actionIds) };
    default:
      // Written by a newer agent that was replaced by this one.
      return state;
  }
}

/** The shortest list of records that adds up to the state; what compaction writes. */
export function snapshot(state: JournalState): JournalRecord[] {
  return [
    ...(state.bootIncarnation === undefined ? lifeOf(state) : []),
    ...(state.bootId === undefined ? [] : [{ kind: 'started', bootId: state.bootId } as const]),
    ...(state.bootIncarnation === undefined ? [] : lifeOf(state)),
    ...(state.onLeaseLoss === undefined ? [] : [{ kind: 'told', onLeaseLoss: state.onLeaseLoss } as const]),
    ...(state.announced === undefined ? [] : [{ kind: 'announced', onLeaseLoss: state.announced } as const]),
    ...(state.unmanaged.size === 0 ? [] : [{ kind: 'unmanaged', historyIds: [...state.unmanaged] } as const]),
    ...(state.witness === undefined ? [] : [{ kind: 'witness', ...state.witness } as const]),
    { kind: 'executed', actionIds: [...state.executed] },
    ...state.refused.map((refused) => ({ kind: 'refused', ...refused }) as const),
    // Before what is active: they say nothing new of its role.
    ...[...state.unacknowledged.values()].map((recorded) => ({ kind: 'result', ...recorded }) as const),
    ...[...state.active.values()].map((active) => ({ kind: 'active', active }) as const),
    ...(state.stopFailed.size === 0 ? [] : [{ kind: 'stop-failed', historyIds: [...state.stopFailed] } as const]),
    ...[...state.inFlight.values()].map((running) => ({ kind: 'in-flight', running }) as const),
  ];
}

/** Before the boot of which it does not say anything. */
function lifeOf({ incarnation }: JournalState): JournalRecord[] {
  return incarnation === undefined ? [] : [{ kind: 'life', incarnation }];
}

function afterResult(state: JournalState, recorded: RecordedResult): JournalState {
  const { result, incarnation, endedAtMs, reduced } = recorded;
  const running = state.inFlight.get(result.actionId);
  return {
    ...state,
    inFlight: without(state.inFlight, result.actionId),
    unacknowledged: state.unacknowledged.with(result.resultId, {
      result,
      incarnation,
      ...(endedAtMs === undefined ? {} : { endedAtMs }),
      ...(reduced === undefined ? {} : { reduced }),
    }),
    executed: remember(state.executed, [result.actionId]),
    active: withRoleAfter(running === undefined ? state.active : activeAfter(state.active, running.action, result), result),
    stopFailed:
      running !== undefined && isSeenAnew(running.action, result)
        ? withoutEntry(state.stopFailed, result.resource.historyId)
        : state.stopFailed,
  };
}

function withReduced(state: JournalState, result: AgentResult): JournalState {
  const recorded = state.unacknowledged.get(result.resultId);
  if (recorded === undefined) return state;
  return { ...state, unacknowledged: state.unacknowledged.with(result.resultId, { ...recorded, result, reduced: true }) };
}

/**
 * What may be running after an operation. In doubt it may: a failed start or an unfinished stop leaves the resource listed, until a stop
 * succeeds or a probe finds it stopped.
 */
function activeAfter(active: JournalState['active'], action: AgentAction, result: AgentResult): JournalState['active'] {
  const { historyId } = action.resource;
  if (!isOperation(action) || result.status !== 'done' || isFenceDevice(action)) return active;
  if (action.operation === 'stop' && result.rc === RC.SUCCESS) return active.without(historyId);
  if (action.operation === 'monitor') {
    if (result.rc === RC.NOT_RUNNING && action.intervalMs === 0) return active.without(historyId);
    if (meansActive(result.rc)) return withActive(active, action, { anew: action.intervalMs === 0 });
  }
  if (RELOADS.has(action.operation) && result.rc === RC.SUCCESS) return withActive(active, action, { anew: true });
  return active;
}

/** Whether the cluster has looked for a resource and knows by that whether it runs here: from then on it sees to it, and what has to be stopped later is tried anew. */
function isSeenAnew({ kind, operation, intervalMs }: AgentAction, { status, rc }: AgentResult): boolean {
  const isProbe = kind === 'operation' && operation === 'monitor' && intervalMs === 0;
  return isProbe && status === 'done' && (rc === RC.NOT_RUNNING || meansActive(rc));
}

/** What is active has the role that its newest operation says, also one that recurs; in doubt the one that it had. */
function withRoleAfter(active: JournalState['active'], { resource, operation, status, rc }: AgentResult): JournalState['active'] {
  const known = active.get(resource.historyId);
  const isPromoted = status === 'done' ? saysPromoted(operation, rc) : undefined;
  if (known === undefined || isPromoted === undefined || isPromoted === (known.mayBePromoted === true)) return active;
  return active.with(resource.historyId, inRole(known, isPromoted));
}

const RELOADS: ReadonlySet<string> = new Set(['reload', 'reload-agent']);

/**
 * A resource runs with what it was started with, whatever its configuration has become since: that is what stops it. Only what an operation says about the way in which to stop it is the newest word.
 *
 * @param anew it is given its parameters with this action, or was looked for with them and found: somebody may have changed it by hand, in maintenance
 */
function withActive(active: JournalState['active'], action: AgentAction, { anew }: { readonly anew: boolean }): JournalState['active'] {
  const { historyId } = action.resource;
  const before = active.get(historyId);
  const known = anew ? undefined : before;
  const { resource, parameters, ...newest } = activeFrom(action);
  const role = action.operation === 'promote' || before?.mayBePromoted === true ? ({ mayBePromoted: true } as const) : {};
  return active.with(historyId, { ...(known ?? { resource, parameters }), ...newest, ...role });
}

function activates(action: AgentAction): boolean {
  return isOperation(action) && !isFenceDevice(action) && ['start', 'promote', 'migrate_from'].includes(action.operation);
}

/** Also one that a person had tried: what it started runs. */
function isOperation({ kind }: AgentAction): boolean {
  return kind === 'operation' || kind === 'debug';
}

/** A fence device does not run anywhere: there is nothing to stop. */
function isFenceDevice(action: AgentAction): boolean {
  return action.resource.class === 'stonith';
}

function activeFrom({ resource, parameters, meta, stopTimeoutMs, demoteTimeoutMs }: AgentAction): ActiveResource {
  return {
    resource,
    parameters,
    meta,
    ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
    ...(demoteTimeoutMs === undefined ? {} : { demoteTimeoutMs }),
  };
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** Nothing of another boot runs, and how long ago something ended then nobody can tell. */
function inBoot({ bootIncarnation: _, ...rest }: JournalState, bootId: string): JournalState {
  const unacknowledged = [...rest.unacknowledged].reduce(
    (all, [resultId, { endedAtMs: __, ...recorded }]) => all.with(resultId, recorded),
    rest.unacknowledged,
  );
  return { ...rest, bootId, active: OrderedMap.empty(), unacknowledged };
}

function unannounced({ announced: _, ...rest }: JournalState): JournalState {
  return rest;
}

function withoutEntry(set: ReadonlySet<string>, entry: string): ReadonlySet<string> {
  return set.has(entry) ? new Set([...set].filter((one) => one !== entry)) : set;
}

function remember(executed: OrderedSet, ids: readonly string[]): OrderedSet {
  let all = ids.reduce((known, id) => known.with(id), executed);
  for (let oldest = all.first(); all.size > REMEMBERED_ACTIONS && oldest !== undefined; oldest = all.first()) all = all.without(oldest);
  return all;
}
