import { agentProblemOf, JOIN_GIVEN_UP_MS, LIMITS, PROTOCOL, type JoinAnswer, type JoinRequest } from '@systole/protocol';
import { failed, isDue, READY } from '../attempt.js';
import { renew } from '../lease.js';
import { append, isGone } from '../journal/queue.js';
import { activeIds, sparedBy } from '../journal/telling.js';
import { noteAnnounced, noteTold } from '../lease-loss.js';
import { beforeEndMs, startsWatchdog } from '../lease-policy.js';
import type { Joining, NodeState, Phase } from '../state.js';
import { startStopping } from '../stopping.js';
import { log, send, update, type Turn } from '../turn.js';
import { uptimeMs } from '../uptime.js';
import { letReset } from '../watchdog.js';
import { forgetPlans, killAllButStops } from '../work/forget.js';
import { epochOf, noteHead, noteRollCall } from './head.js';
import { noteFenceReaction } from './fence-reaction.js';
import { noteLoadThreshold } from './load.js';
import { end } from './phases.js';
import { noteEscalation } from './shutdown-escalation.js';
import { SLOW_RETRY_MS } from './timing.js';

export function driveJoining(turn: Turn, phase: Joining): void {
  const { servers, starving, stopRequested } = turn.state;
  // A server could have the resources moved away in the right order: each is asked once.
  if (stopRequested && (phase.join.failures >= servers.urls.length || turn.state.journal.ahead.active.size === 0)) {
    startStopping(turn, 'end', beforeEndMs(turn));
    return;
  }
  // The machine is about to be reset: it must not seem to be well again. What the cluster ordered it may also call off, and a watchdog that was disarmed before never resets anything: the server knows when it may join.
  if (starving !== undefined && starving !== 'lease-lost' && starving !== 'ordered' && startsWatchdog(turn.state)) {
    if (stopRequested) startStopping(turn, 'end', beforeEndMs(turn));
    return;
  }
  if (!isDue(phase.join, turn.now) || isGone(turn.state.journal, turn.now)) return;
  const body = requestOf(turn.state, phase.attempt);
  const request = send(turn, { kind: 'join', body }, JOIN_GIVEN_UP_MS);
  update(turn, { phase: { ...phase, join: { ...phase.join, request }, sentAt: turn.now, named: body.active ?? [] } });
}

function requestOf(state: NodeState, number: number): JoinRequest {
  const { settings, witness, journal } = state;
  const {
    actionLimit,
    agentVersion,
    bootId,
    machineId,
    nodeName,
    processStartedMs,
    remote = false,
    watchdogMs,
    onLeaseLoss: localOnLeaseLoss,
  } = settings;
  const watchdog = startsWatchdog(state);
  const { stopFailed, incarnation: lastIncarnation, bootIncarnation } = journal.ahead;
  return {
    protocol: PROTOCOL,
    agentVersion,
    attempt: { processStartedMs, number },
    bootId,
    uptimeMs: uptimeMs(state),
    active: activeIds({ journal }),
    ...sparedBy({ journal }),
    watchdog,
    ...(remote ? { remote } : {}),
    ...(watchdog && watchdogMs !== undefined ? { watchdogMs } : {}),
    actionLimit,
    ...(lastIncarnation === undefined ? {} : { lastIncarnation }),
    ...(bootIncarnation === undefined ? {} : { bootIncarnation }),
    ...(stopFailed.size === 0 ? {} : { stopFailed: [...stopFailed].slice(0, LIMITS.listEntries) }),
    ...(localOnLeaseLoss === undefined ? {} : { localOnLeaseLoss }),
    ...(machineId === undefined ? {} : { machineId }),
    ...(nodeName === undefined ? {} : { node: nodeName }),
    ...(witness === undefined ? {} : { witness }),
  };
}

export function onJoined(turn: Turn, { sentAt }: Joining, joined: JoinAnswer): void {
  const { nodeName } = turn.state.settings;
  const { node, clusterName: cluster, incarnation, leaseMs } = joined;
  if (nodeName !== undefined && nodeName !== node) {
    log(turn, 'error', 'the token is for another node; give this agent the token of its own', { node, expected: nodeName });
    end(turn, 'not-permitted');
    return;
  }
  // Whatever was handed out to an earlier incarnation is the server's to hand out again.
  forgetPlans(turn);
  append(turn, [{ kind: 'life', incarnation }]);
  update(turn, { hasJoined: true, ...(turn.state.starving === 'ordered' ? { starving: undefined } : {}) });
  renew(turn, sentAt, leaseMs);
  noteAnnounced(turn);
  noteTold(turn, joined.onLeaseLoss);
  noteFenceReaction(turn, joined.fenceReaction);
  noteEscalation(turn, joined.shutdownEscalationMs);
  noteLoadThreshold(turn, joined.loadThreshold);
  noteHead(turn, joined.head);
  noteRollCall(turn, joined.rollCall);
  noteServers(turn, joined.servers ?? []);
  const phase: Phase = {
    kind: 'member',
    joined,
    epoch: epochOf(joined),
    leaseMs,
    seq: 0,
    poll: READY,
    polledAt: turn.now,
    shutdown: READY,
  };
  update(turn, { phase });
  if (turn.state.settings.watchdog) turn.effects.push({ type: 'feed' });
  log(turn, 'info', 'joined', { cluster, node, incarnation, leaseMs });
}

/** Those of the settings first: they are what remains after a restart. */
function noteServers(turn: Turn, told: readonly string[]): void {
  const { servers } = turn.state;
  const urls = [...new Set([...servers.urls, ...told.map((url) => url.replace(/\/+$/, ''))])];
  update(turn, { servers: { ...servers, urls } });
}

/** Why a join was refused; `places` are what the refusal points at. */
export interface JoinRefusal {
  readonly problemType: string;
  readonly detail: string;
  readonly places: readonly string[];
}

export function onJoinRefused(turn: Turn, phase: Joining, { problemType, detail, places }: JoinRefusal): void {
  switch (agentProblemOf(problemType)) {
    case 'join-overtaken':
      log(turn, 'error', 'an agent that was started later has joined as this node; this one ends and leaves all resources as they are', {
        problem: detail,
      });
      end(turn, 'superseded');
      return;
    case 'declared-down':
      log(turn, 'error', 'this node was declared down: what may run elsewhere by now is stopped before it joins', { problem: detail });
      if (!stopNamed(turn, phase, places)) break;
      return;
    case 'reset-ordered':
      letReset(turn, detail);
      break;
    case 'node-joined-elsewhere':
      log(turn, 'error', 'another machine, or another boot of this one, is joined as this node', { problem: detail });
      // Soon again: it may be let in as soon as that lease is over, or this machine was fenced.
      update(turn, { phase: { ...phase, join: failed(turn, phase.join) } });
      return;
    case 'protocol-too-new':
    case 'protocol-too-old':
      log(turn, 'error', 'agent and server do not understand each other; what runs here is not touched for that', { problem: detail });
      break;
    default:
      log(turn, 'warn', 'can not join', { problem: detail });
      update(turn, { phase: { ...phase, join: failed(turn, phase.join) } });
      return;
  }
  update(turn, { phase: { ...phase, join: failed(turn, phase.join, SLOW_RETRY_MS) } });
}

/**
 * Stops what the server points at, managed or not: it may have been started elsewhere; everything, when it does not say. @returns whether there is anything to be
 * stopped that has not been tried in vain
 */
function stopNamed(turn: Turn, { named }: Joining, places: readonly string[]): boolean {
  const { active, stopFailed } = turn.state.journal.ahead;
  const pointedAt = named.filter((_, index) => places.includes(`/active/${index}`));
  const which = (pointedAt.length === 0 ? [...active.keys()] : pointedAt).filter((id) => active.has(id) && !stopFailed.has(id));
  if (which.length === 0) return false;
  killAllButStops(turn);
  startStopping(turn, 'join', 0, new Set(which));
  return true;
}
