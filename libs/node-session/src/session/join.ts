import { agentProblemOf, PROTOCOL, type JoinAnswer, type JoinRequest } from '@systole/protocol';
import { failed, isDue, READY } from '../attempt.js';
import { renew } from '../lease.js';
import { beforeEndMs, noteTold } from '../lease-loss.js';
import type { NodeState, Phase } from '../state.js';
import { startStopping } from '../stopping.js';
import { log, send, update, type Turn } from '../turn.js';
import { forgetPlans } from '../work/forget.js';
import { epochOf, noteHead } from './head.js';
import { end } from './phases.js';
import { JOIN_TIMEOUT_MS, SLOW_RETRY_MS } from './timing.js';

type Joining = Extract<Phase, { readonly kind: 'joining' }>;

export function driveJoining(turn: Turn, phase: Joining): void {
  const { settings, servers, starving, stopRequested } = turn.state;
  // A server could have the resources moved away in the right order: each is asked once.
  if (stopRequested && (phase.join.failures >= servers.urls.length || turn.state.journal.ahead.active.size === 0)) {
    startStopping(turn, 'end', beforeEndMs(turn));
    return;
  }
  // The machine is about to be reset: it must not seem to be well again.
  if (starving === 'stop-failed' && settings.watchdog) {
    if (stopRequested) startStopping(turn, 'end', beforeEndMs(turn));
    return;
  }
  if (!isDue(phase.join, turn.now)) return;
  const request = send(turn, { kind: 'join', body: requestOf(turn.state) }, JOIN_TIMEOUT_MS);
  update(turn, { phase: { ...phase, join: { ...phase.join, request }, sentAt: turn.now } });
}

function requestOf({ settings, witness, nextId }: NodeState): JoinRequest {
  const { agentVersion, bootId, machineId, nodeName, processStartedMs } = settings;
  return {
    protocol: PROTOCOL,
    agentVersion,
    bootId,
    ...(machineId === undefined ? {} : { machineId }),
    ...(nodeName === undefined ? {} : { node: nodeName }),
    ...(witness === undefined ? {} : { witness }),
    // Grows from request to request.
    attempt: { processStartedMs, number: nextId },
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
  renew(turn, sentAt, leaseMs);
  noteTold(turn, joined.onLeaseLoss);
  noteHead(turn, joined.head);
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
  log(turn, 'info', 'joined', { cluster, node, incarnation, leaseMs });
}

/** Those of the settings first: they are what remains after a restart. */
function noteServers(turn: Turn, told: readonly string[]): void {
  const { servers } = turn.state;
  const urls = [...new Set([...servers.urls, ...told.map((url) => url.replace(/\/+$/, ''))])];
  update(turn, { servers: { ...servers, urls } });
}

export function onJoinRefused(turn: Turn, phase: Joining, status: number, problemType: string, detail: string): void {
  switch (agentProblemOf(problemType)) {
    case 'cluster-deleted':
      log(turn, 'error', 'the cluster was deleted: what runs here goes on, and nobody manages it any more', { problem: detail });
      end(turn, 'cluster-deleted');
      return;
    case 'join-overtaken':
      log(turn, 'error', 'an agent that was started later has joined as this node; this one ends and leaves all resources as they are', {
        problem: detail,
      });
      end(turn, 'superseded');
      return;
    case 'declared-down':
      log(turn, 'error', 'this node was declared down: everything is stopped before it joins', { problem: detail });
      if (turn.state.journal.ahead.active.size === 0) break;
      startStopping(turn, 'join', 0);
      return;
    case 'node-joined-elsewhere':
      log(turn, 'error', 'another machine, or another boot of this one, is joined as this node', { problem: detail });
      // Soon again: when that lease is over, a restarted node has ten seconds to join before it is fenced.
      update(turn, { phase: { ...phase, join: failed(turn, phase.join) } });
      return;
    case 'protocol-too-new':
    case 'protocol-too-old':
      log(turn, 'error', 'agent and server do not understand each other; what runs here is not touched for that', { problem: detail });
      break;
    default:
      if ((status === 401 || status === 403) && turn.state.journal.ahead.active.size === 0) {
        log(turn, 'error', 'the server does not accept the token', { problem: detail });
        end(turn, 'not-permitted');
        return;
      }
      log(turn, 'warn', 'can not join', { problem: detail });
      update(turn, { phase: { ...phase, join: failed(turn, phase.join) } });
      return;
  }
  update(turn, { phase: { ...phase, join: failed(turn, phase.join, SLOW_RETRY_MS) } });
}
