import { agentProblemOf } from '@systole/protocol';
import type { Answer, NodeInput } from './inputs.js';
import type { NodeEffect } from './effects.js';
import { failed } from './attempt.js';
import { activeIds } from './journal/telling.js';
import { flush, hangsAt, noteHanging, problemOf, written, writeFailed } from './journal/queue.js';
import { actionAt, dropLease } from './lease.js';
import { checkLease } from './lease-loss.js';
import { nextDue } from './persistent/due-times.js';
import { driveJoining, onJoined, onJoinRefused } from './session/join.js';
import { driveMember, onPolled, onPollRefused, onSessionRefused } from './session/member.js';
import { driveOutbox, onAcknowledged, onContentRefused, onUnanswered, undelivered } from './session/outbox.js';
import { dismissedByAll, noteNotDismissed } from './session/dismissal.js';
import { noteLoad } from './session/load.js';
import { end } from './session/phases.js';
import { escalationAt } from './session/shutdown-escalation.js';
import { REQUEST_TIMEOUT_MS } from './session/timing.js';
import { endLeftovers, freshState, leaveSettling, onLeftoverEnded, type Found } from './start.js';
import type { Dismissal, NodeSettings, NodeState, Phase } from './state.js';
import { driveStopping, onOwnStopEnded } from './stopping.js';
import { forgetRequest, log, send, update, type Turn } from './turn.js';
import { leftUntold, noteArmed, noteUnfed } from './watchdog.js';
import { beginUnrecorded, beginWhatCan, giveUpUnrecorded, onStarted, onEnded, onRecorded, onSettled } from './work/running.js';

/** The session after a step, and what is to be done now. */
export interface NodeStep {
  readonly state: NodeState;
  readonly effects: readonly NodeEffect[];
}

interface At {
  readonly now: number;
  readonly wallMs: number;
}

/** A process of the agent begins. */
export function nodeStart(settings: NodeSettings, found: Found, at: At): NodeStep {
  const turn: Turn = { state: freshState(settings, found, at.now), ...at, effects: [] };
  endLeftovers(turn);
  advance(turn);
  return { state: turn.state, effects: turn.effects };
}

/**
 * One step of the node's session: what came in changes the state, and asks for effects. Pure; the states given are not changed.
 *
 * Whoever drives it carries out the effects in order, says what came of them, and says `tick` at {@link dueAt}.
 */
export function nodeStep(state: NodeState, input: NodeInput): NodeStep {
  const now = Math.max(state.now, input.now);
  const turn: Turn = { state: { ...state, now }, now, wallMs: input.wallMs, effects: [] };
  noteLoad(turn, input.loadPercent);
  // An answer may renew the lease; everything else comes after what has to be done when it is lost.
  if (input.type !== 'answered') checkLease(turn);
  take(turn, input);
  advance(turn);
  return { state: turn.state, effects: turn.effects };
}

function take(turn: Turn, input: NodeInput): void {
  switch (input.type) {
    case 'tick':
      return;
    case 'stop':
      if (!turn.state.stopRequested) update(turn, { stopRequested: true, stopRequestedAt: turn.now });
      return;
    case 'leftover-ended':
      onLeftoverEnded(turn, input.actionId);
      return;
    case 'written':
      for (const { then } of written(turn, input.write)) {
        if (then?.kind === 'begin') onRecorded(turn, then.run);
        if (then?.kind === 'settled') onSettled(turn, then.run);
      }
      return;
    case 'write-failed':
      writeFailed(turn, input.write, input.problem);
      return;
    case 'answered':
      onAnswered(turn, input.request, input.answer);
      return;
    case 'refused':
      onRefused(turn, input);
      return;
    case 'unanswered':
      onNoAnswer(turn, input);
      return;
    case 'watchdog':
      if (input.is === 'armed') noteArmed(turn, input.timeoutMs);
      else noteUnfed(turn, input.problem);
      return;
    case 'started':
      onStarted(turn, input.run, input.process);
      return;
    case 'ended':
      if (!onOwnStopEnded(turn, input.run, input.outcome)) onEnded(turn, input.run, input.outcome);
      return;
  }
}

/** What a request was for. */
type Purpose = 'join' | 'poll' | 'shutdown' | 'goodbye' | 'results';

function purposeOf({ phase, outbox }: NodeState, request: number): Purpose | undefined {
  if (outbox.sending?.request === request) return 'results';
  if (phase.kind === 'joining' && phase.join.request === request) return 'join';
  if (phase.kind === 'leaving' && phase.goodbye === request) return 'goodbye';
  if (phase.kind !== 'member') return undefined;
  if (phase.poll.request === request) return 'poll';
  return phase.shutdown !== 'asked' && phase.shutdown.request === request ? 'shutdown' : undefined;
}

function onAnswered(turn: Turn, request: number, answer: Answer): void {
  const purpose = purposeOf(turn.state, request);
  const server = forgetRequest(turn, request);
  if (server === undefined || purpose === undefined) {
    checkLease(turn);
    return;
  }
  update(turn, { servers: { ...turn.state.servers, current: server } });
  noteNotDismissed(turn, server);
  const { phase } = turn.state;
  if (answer.kind === 'join' && phase.kind === 'joining') onJoined(turn, phase, answer.join);
  else if (answer.kind === 'poll' && phase.kind === 'member') onPolled(turn, phase, answer.poll);
  else {
    checkLease(turn);
    if (answer.kind === 'results') onAcknowledged(turn, answer);
    else if (purpose === 'shutdown' && turn.state.phase.kind === 'member') {
      log(turn, 'info', 'asked the cluster to stop or move what runs here');
      update(turn, { phase: { ...turn.state.phase, shutdown: 'asked' } });
    } else if (purpose === 'goodbye') {
      log(turn, 'info', 'left the cluster');
      endLeft(turn, true);
    }
  }
}

function onRefused(turn: Turn, { request, status, problemType, detail, places = [] }: Extract<NodeInput, { type: 'refused' }>): void {
  const purpose = purposeOf(turn.state, request);
  const server = forgetRequest(turn, request);
  if (server === undefined || purpose === undefined) return;
  const dismissal = dismissalOf(turn.state, purpose, status, problemType);
  // Another server may be of another version, or know better.
  if (dismissal !== undefined || purpose === 'join' || purpose === 'poll') nextServer(turn, server);
  if (dismissal === undefined) noteNotDismissed(turn, server);
  else if (dismissedByAll(turn, server, dismissal, detail)) {
    endDismissed(turn, dismissal, detail);
    return;
  }
  const { phase, outbox } = turn.state;
  if (purpose === 'join' && phase.kind === 'joining') {
    // The answer came: asking again is another join.
    const joins = turn.state.joins + 1;
    update(turn, { joins });
    onJoinRefused(turn, { ...phase, attempt: joins, join: withoutRequest(phase.join) }, { problemType, detail, places });
  } else if (purpose === 'poll' && phase.kind === 'member') onPollRefused(turn, phase, status, problemType, detail);
  else if (purpose === 'goodbye') couldNotLeave(turn, detail);
  else if (purpose === 'results') {
    // That an earlier incarnation is not the current one says nothing about this session.
    const own = phase.kind === 'member' && outbox.sending?.incarnation === phase.joined.incarnation;
    if (own && onSessionRefused(turn, status, problemType, detail)) return;
    if (isAboutContent(status, problemType)) onContentRefused(turn, detail);
    else onUnanswered(turn, detail, { ofThese: [404, 409, 422].includes(status) });
  } else if (purpose === 'shutdown') shutdownFailed(turn, detail);
}

/** A server that asks to be left alone for longer before the next join is asked after this time all the same, ms: another one may be there by then. */
const LONGEST_ASKED_MS = 10_000;

/** HTTP status of who asks too much. */
const TOO_MANY = 429;

/** Whether a refusal of results means what they hold, and not what the server thinks of the node: the latter may change, so nothing is given up for it. */
function isAboutContent(status: number, problemType: string): boolean {
  return status === 400 || status === 413 || (status === 422 && problemType.endsWith('/invalid-request'));
}

function dismissalOf({ journal }: NodeState, purpose: Purpose, status: number, problemType: string): Dismissal | undefined {
  if (agentProblemOf(problemType) === 'cluster-deleted') return 'cluster-deleted';
  const nothingRuns = journal.ahead.active.size === 0;
  return purpose === 'join' && (status === 401 || status === 403) && nothingRuns ? 'not-permitted' : undefined;
}

function endDismissed(turn: Turn, dismissal: Dismissal, detail: string): void {
  const fields = { problem: detail };
  if (dismissal === 'not-permitted') log(turn, 'error', 'the server does not accept the token', fields);
  else sayDeleted(turn, fields);
  end(turn, dismissal);
}

function sayDeleted(turn: Turn, fields: Readonly<Record<string, unknown>>): void {
  const active = [...turn.state.journal.ahead.active.keys()];
  if (active.length === 0) log(turn, 'warn', 'the cluster was deleted: nothing that it managed runs here', fields);
  else log(turn, 'error', `the cluster was deleted: nobody manages any more what goes on running here: ${active.join(', ')}`, fields);
}

function onNoAnswer(turn: Turn, { request, detail, status, retryAfterMs }: Extract<NodeInput, { type: 'unanswered' }>): void {
  const purpose = purposeOf(turn.state, request);
  const server = forgetRequest(turn, request);
  if (server === undefined || purpose === undefined) return;
  // All servers keep the same budget.
  if (status !== TOO_MANY) nextServer(turn, server);
  const { phase } = turn.state;
  if (purpose === 'results') onUnanswered(turn, detail, { ofThese: status === 500, retryAfterMs });
  else if (purpose === 'join' && phase.kind === 'joining') {
    log(turn, 'warn', 'can not join', { problem: detail });
    update(turn, { phase: { ...phase, join: failed(turn, phase.join, Math.min(retryAfterMs ?? 0, LONGEST_ASKED_MS)) } });
  } else if (purpose === 'poll' && phase.kind === 'member') {
    log(turn, 'warn', 'can not renew the lease', { problem: detail });
    update(turn, { phase: { ...phase, poll: failed(turn, phase.poll) } });
  } else if (purpose === 'goodbye') couldNotLeave(turn, detail);
  else shutdownFailed(turn, detail);
}

/** The one that did not answer is asked last. */
function nextServer(turn: Turn, failedOne: number): void {
  const { servers } = turn.state;
  if (servers.current === failedOne) update(turn, { servers: { ...servers, current: (failedOne + 1) % servers.urls.length } });
}

function shutdownFailed(turn: Turn, detail: string): void {
  const { phase } = turn.state;
  if (phase.kind !== 'member' || phase.shutdown === 'asked') return;
  log(turn, 'warn', 'can not ask for shutdown', { problem: detail });
  update(turn, { phase: { ...phase, shutdown: failed(turn, phase.shutdown) } });
}

function couldNotLeave(turn: Turn, detail: string): void {
  log(turn, 'warn', 'could not say goodbye; the cluster will notice that the lease runs out', { problem: detail });
  endLeft(turn, false);
}

/** @param told whether the server knows what runs on here */
function endLeft(turn: Turn, told: boolean): void {
  const reason = told ? 'left' : leftUntold(turn);
  dropLease(turn);
  end(turn, reason);
}

function withoutRequest<T extends { readonly request?: number }>({ request: _, ...rest }: T): Omit<T, 'request'> {
  return rest;
}

/** Goes on with whatever can go on at this moment. */
function advance(turn: Turn): void {
  leaveSettling(turn);
  checkLease(turn);
  noteHanging(turn);
  giveUpUnrecorded(turn);
  beginWhatCan(turn);
  beginUnrecorded(turn);
  // A phase that ends at once is followed by the next one.
  for (let before: Phase['kind'] | undefined; before !== turn.state.phase.kind;) {
    before = turn.state.phase.kind;
    drive(turn);
  }
  const { phase } = turn.state;
  if (phase.kind === 'member' || phase.kind === 'leaving') driveOutbox(turn);
  flush(turn);
}

function drive(turn: Turn): void {
  const { phase } = turn.state;
  switch (phase.kind) {
    case 'joining':
      driveJoining(turn, phase);
      return;
    case 'member':
      driveMember(turn, phase);
      return;
    case 'stopping':
      driveStopping(turn, phase);
      return;
    case 'leaving': {
      const delivered = turn.state.work.runs.size === 0 && undelivered(turn.state).next().done === true;
      if (phase.goodbye !== undefined || (!delivered && turn.now < phase.until)) return;
      const goodbye = send(
        turn,
        { kind: 'leave', body: { incarnation: phase.incarnation, active: activeIds(turn.state) } },
        REQUEST_TIMEOUT_MS,
      );
      update(turn, { phase: { ...phase, goodbye } });
      return;
    }
    case 'settling':
    case 'ended':
      return;
  }
}

/** When the session wants to be told the time again, ms on its clock; absent: only when something happens. */
export function dueAt(state: NodeState): number | undefined {
  const { lease, phase, work, outbox, journal, stopRequested } = state;
  const times: number[] = [...outbox.deferred.values()];
  for (const due of [work.delayed, work.recurring.due]) {
    const next = nextDue(due, state.now);
    if (next !== undefined) times.push(next);
  }
  if (lease?.acted === false && (phase.kind === 'joining' || phase.kind === 'member')) times.push(actionAt(lease));
  const hangs = hangsAt(journal);
  if (hangs !== undefined) times.push(hangs);
  if (journal.blocked !== undefined) times.push(journal.blocked.retryAt);
  if (problemOf(journal) !== undefined) {
    for (const { then } of journal.pending) if (then?.kind === 'begin') times.push(then.giveUpAt);
  }
  if (phase.kind === 'joining' && phase.join.request === undefined) times.push(phase.join.retryAt);
  if (phase.kind === 'member') {
    if (phase.poll.request === undefined) times.push(phase.poll.retryAt);
    if (stopRequested && phase.shutdown !== 'asked' && phase.shutdown.request === undefined) times.push(phase.shutdown.retryAt);
    const escalation = escalationAt(state);
    if (escalation !== undefined) times.push(escalation);
  }
  if (phase.kind === 'stopping' && [...phase.stops.values()].some(({ status }) => status === 'waiting')) times.push(phase.nextAt);
  if (phase.kind === 'leaving' && phase.goodbye === undefined) times.push(phase.until);
  if ((phase.kind === 'member' || phase.kind === 'leaving') && outbox.sending === undefined) times.push(outbox.retryAt);
  const later = times.filter((time) => time > state.now);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Whether everything that is to be remembered is on disk. */
export function isWritten({ journal }: NodeState): boolean {
  return journal.pending.length === 0;
}
