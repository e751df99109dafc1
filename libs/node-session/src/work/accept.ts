import type { AgentAction, UnreadableAction } from '@systole/protocol';
import { append } from '../journal/queue.js';
import { endedNow, immediate, resultOf } from '../result.js';
import { RC } from '../return-codes.js';
import type { Task } from '../state.js';
import { freshId, log, update, type Turn } from '../turn.js';
import { delay, enqueue } from './lanes.js';
import { takeUp } from './recurring.js';
import { nextExecution } from './running.js';

/** Takes an action on, unless it has been taken on before: whatever is delivered twice is done once. */
export function accept(turn: Turn, action: AgentAction, incarnation: number): void {
  if (isKnown(turn, action.actionId)) return;
  const { work } = turn.state;
  update(turn, { work: { ...work, accepted: work.accepted.with(action.actionId) } });
  const recurs = action.kind === 'operation' && action.intervalMs > 0;
  const task: Task = {
    action,
    incarnation,
    acceptedAt: turn.now,
    number: freshId(turn),
    repeated: false,
    ...(recurs ? { recurrence: takeUp(turn, action, incarnation) } : {}),
  };
  const { startDelayMs = 0 } = action;
  // Fencing, too: of two nodes that fence each other the delayed one loses.
  if (action.kind === 'cancel' || startDelayMs === 0) enqueue(turn, task);
  else delay(turn, startDelayMs, task);
}

/** What can't be read is reported as failed, if it says enough of itself for that. */
export function refuseUnreadable(turn: Turn, { echo, problem }: UnreadableAction, incarnation: number): void {
  if (echo !== undefined && isKnown(turn, echo.actionId)) return;
  log(turn, 'error', 'the server hands out what this agent can not read', { problem, actionId: echo?.actionId });
  if (echo === undefined) return;
  const outcome = immediate('error', RC.ERR_GENERIC, turn.wallMs, `this agent can not read the action: ${problem}`);
  const result = resultOf(echo, outcome, nextExecution(turn, 0, false));
  append(turn, [endedNow(turn, result, incarnation)]);
}

function isKnown({ state: { work, journal } }: Turn, actionId: string): boolean {
  return work.accepted.has(actionId) || journal.ahead.inFlight.has(actionId) || journal.ahead.executed.has(actionId);
}
