import type { AgentAction } from '@systole/protocol';
import type { Recurrence, Task, Work } from '../state.js';
import { freshId, update, type Turn } from '../turn.js';

/** A resource has at most one recurring operation with the same name and interval; `cancel` names it, too. */
export function recurringKey({ operation, meta, resource, intervalMs }: AgentAction): string {
  const cancelled = operation === 'cancel' ? meta['CRM_meta_operation'] : undefined;
  return `${resource.historyId}\n${cancelled ?? operation}\n${intervalMs}`;
}

/** Takes a recurring operation up, before its first run; an earlier one with the same key ends. @returns its number */
export function takeUp(turn: Turn, action: AgentAction, incarnation: number): number {
  const number = freshId(turn);
  setRecurring(turn, new Map(turn.state.work.recurring).set(recurringKey(action), { number, action, incarnation }));
  return number;
}

/** A change of a resource's state ends its recurring operations; the server orders new ones for the new state. */
const ENDS_RECURRING: ReadonlySet<string> = new Set(['start', 'stop', 'promote', 'demote', 'migrate_to', 'migrate_from', 'delete']);

/**
 * An action begins: the recurring operations that it ends are those taken up before it was accepted. Not earlier: it may be dropped before it begins, and the
 * resource would be watched by nobody.
 */
export function endRecurring(turn: Turn, { action, number: accepted }: Task): void {
  const key = recurringKey(action);
  const { historyId } = action.resource;
  const all = action.kind === 'operation' && ENDS_RECURRING.has(action.operation);
  if (!all && action.kind !== 'cancel') return;
  const ends = ([one, recurrence]: readonly [string, Recurrence]): boolean =>
    recurrence.number < accepted && (all ? recurrence.action.resource.historyId === historyId : one === key);
  setRecurring(turn, new Map([...turn.state.work.recurring].filter((one) => !ends(one))));
}

/** Whether a task's recurrence has not been cancelled or replaced; true for what does not recur. */
export function isCurrent({ recurring }: Work, { action, recurrence }: Task): boolean {
  return recurrence === undefined || recurring.get(recurringKey(action))?.number === recurrence;
}

/** A run has ended: the next begins one interval later, so runs of an operation never overlap. */
export function scheduleNext(turn: Turn, { action }: Task, last: { readonly status: string; readonly rc: number }): void {
  const { recurring } = turn.state.work;
  const key = recurringKey(action);
  const recurrence = recurring.get(key);
  if (recurrence === undefined) return;
  const { status, rc } = last;
  setRecurring(turn, new Map(recurring).set(key, { ...recurrence, last: { status, rc }, dueAt: turn.now + action.intervalMs }));
}

/** The repetitions whose time has come; they wait for their lanes from now on. */
export function takeDue(turn: Turn): readonly Task[] {
  const { recurring } = turn.state.work;
  const due = [...recurring].filter(([, { dueAt }]) => dueAt !== undefined && dueAt <= turn.now);
  if (due.length === 0) return [];
  const waiting = due.map(([key, { dueAt: _, ...recurrence }]) => [key, recurrence] as const);
  setRecurring(turn, new Map([...recurring, ...waiting]));
  return waiting.map(([, { action, incarnation, number }]) => ({
    action,
    incarnation,
    acceptedAt: turn.now,
    number,
    repeated: true,
    recurrence: number,
  }));
}

function setRecurring(turn: Turn, recurring: Work['recurring']): void {
  update(turn, { work: { ...turn.state.work, recurring } });
}
