import type { AgentAction } from '@systole/protocol';
import { takenDue, withDue, withoutDue } from '../persistent/due-times.js';
import { OrderedMap } from '../persistent/ordered-map.js';
import type { Recurrence, Recurrences, Task, Work } from '../state.js';
import { freshId, update, type Turn } from '../turn.js';

export const NO_RECURRENCES: Recurrences = { byKey: OrderedMap.empty(), due: undefined };

export function recurrencesOf(entries: Iterable<readonly [key: string, recurrence: Recurrence]>): Recurrences {
  let recurring = NO_RECURRENCES;
  for (const [key, recurrence] of entries) recurring = withRecurrence(recurring, key, recurrence);
  return recurring;
}

function withRecurrence({ byKey: before, due }: Recurrences, key: string, recurrence: Recurrence): Recurrences {
  const byKey = before.with(key, recurrence);
  const rest = withoutTime(before, due, key);
  const rank = byKey.positionOf(key) ?? 0;
  return { byKey, due: recurrence.dueAt === undefined ? rest : withDue(rest, recurrence.dueAt, rank, key) };
}

function withoutRecurrence({ byKey, due }: Recurrences, key: string): Recurrences {
  return { byKey: byKey.without(key), due: withoutTime(byKey, due, key) };
}

function withoutTime(byKey: Recurrences['byKey'], due: Recurrences['due'], key: string): Recurrences['due'] {
  const at = byKey.get(key)?.dueAt;
  return at === undefined ? due : withoutDue(due, at, byKey.positionOf(key) ?? 0);
}

/** A resource has at most one recurring operation with the same name and interval; `cancel` names it, too. */
export function recurringKey({ operation, meta, resource, intervalMs }: AgentAction): string {
  const cancelled = operation === 'cancel' ? meta['CRM_meta_operation'] : undefined;
  return `${prefixOf(resource)}${cancelled ?? operation}\n${intervalMs}`;
}

/** With which the keys of a resource's recurring operations begin. */
function prefixOf({ historyId }: AgentAction['resource']): string {
  return `${historyId}\n`;
}

/** Takes a recurring operation up, before its first run; an earlier one with the same key ends. @returns its number */
export function takeUp(turn: Turn, action: AgentAction, incarnation: number): number {
  const number = freshId(turn);
  setRecurring(turn, withRecurrence(turn.state.work.recurring, recurringKey(action), { number, action, incarnation }));
  return number;
}

/**
 * What a probe finds is news to the server: it has forgotten what it knew of the resource here, its recurring operations with it. Those that go with what is found it orders anew; the old ones would
 * otherwise go on for ever where it orders none, as of something that is not managed and was stopped by hand.
 */
export function isProbe({ kind, operation, intervalMs }: Pick<AgentAction, 'kind' | 'operation' | 'intervalMs'>): boolean {
  return kind === 'operation' && operation === 'monitor' && intervalMs === 0;
}

/**
 * A change of a resource's state ends its recurring operations; the server orders new ones for the new state. So does one that a person had tried: the server forgets
 * what it knew of the resource here, and looks anew.
 */
const ENDS_RECURRING: ReadonlySet<string> = new Set(['start', 'stop', 'promote', 'demote', 'migrate_to', 'migrate_from', 'delete']);

/**
 * An action begins: the recurring operations that it ends are those taken up before it was accepted. Not earlier: it may be dropped before it begins, and the
 * resource would be watched by nobody.
 */
export function endRecurring(turn: Turn, { action, number: accepted }: Task): void {
  const changes = (action.kind === 'operation' || action.kind === 'debug') && ENDS_RECURRING.has(action.operation);
  const all = changes || isProbe(action);
  if (!all && action.kind !== 'cancel') return;
  const before = turn.state.work.recurring;
  let recurring = before;
  for (const key of all ? before.byKey.keysWithPrefix(prefixOf(action.resource)) : [recurringKey(action)]) {
    const number = before.byKey.get(key)?.number;
    if (number !== undefined && number < accepted) recurring = withoutRecurrence(recurring, key);
  }
  if (recurring !== before) setRecurring(turn, recurring);
}

/** Whether a task's recurrence has not been cancelled or replaced; true for what does not recur. */
export function isCurrent({ recurring }: Work, { action, recurrence }: Task): boolean {
  return recurrence === undefined || recurring.byKey.get(recurringKey(action))?.number === recurrence;
}

/** A run has ended: the next begins one interval later, so runs of an operation never overlap. */
export function scheduleNext(turn: Turn, { action }: Task, last: { readonly status: string; readonly rc: number }): void {
  const { recurring } = turn.state.work;
  const key = recurringKey(action);
  const recurrence = recurring.byKey.get(key);
  if (recurrence === undefined) return;
  const { status, rc } = last;
  setRecurring(turn, withRecurrence(recurring, key, { ...recurrence, last: { status, rc }, dueAt: turn.now + action.intervalMs }));
}

/** The repetitions whose time has come; they wait for their lanes from now on. */
export function takeDue(turn: Turn): readonly Task[] {
  const { recurring } = turn.state.work;
  const { due: keys, rest } = takenDue(recurring.due, turn.now);
  if (keys.length === 0) return [];
  let { byKey } = recurring;
  const tasks: Task[] = [];
  for (const key of keys) {
    const known = byKey.get(key);
    if (known === undefined) continue;
    byKey = byKey.with(key, waiting(known));
    const { action, incarnation, number } = known;
    tasks.push({ action, incarnation, acceptedAt: turn.now, number, repeated: true, recurrence: number });
  }
  setRecurring(turn, { byKey, due: rest });
  return tasks;
}

function waiting({ dueAt: _, ...recurrence }: Recurrence): Recurrence {
  return recurrence;
}

function setRecurring(turn: Turn, recurring: Work['recurring']): void {
  update(turn, { work: { ...turn.state.work, recurring } });
}
