import type { JournalRecord } from './journal/record.js';
import { append } from './journal/queue.js';
import type { JournalState } from './journal/state.js';
import { endedNow, lostResult } from './result.js';
import { EMPTY_OUTBOX } from './session/outbox.js';
import { enterJoining } from './session/phases.js';
import type { HeldLease, NodeSettings, NodeState, Rescued } from './state.js';
import { log, update, type Turn } from './turn.js';
import { NO_WORK } from './work/forget.js';
import { nextExecution } from './work/running.js';

/** For resources of an earlier agent process whose lease is not on record, ms. */
const UNKNOWN_LEASE_MS = 15_000;

/** What an earlier agent process has left. */
export interface Found {
  /** What the journal adds up to. */
  readonly journal: JournalState;
  /** The lease that it had, where that is on record. */
  readonly lease?: { readonly ageMs: number; readonly leaseMs: number };
  /** From a second record, when the journal is gone or damaged: what may be running in this boot, and what the server wants done when the lease is lost. */
  readonly rescued?: Rescued;
}

/** The state before the first step. */
export function freshState(settings: NodeSettings, { journal, lease, rescued }: Found, now: number): NodeState {
  const left = journal.bootId === settings.bootId ? [...journal.inFlight.keys()] : [];
  const { ageMs, leaseMs } = lease ?? { ageMs: 0, leaseMs: UNKNOWN_LEASE_MS };
  const held: HeldLease = { from: now - ageMs, lengthMs: leaseMs, acted: false };
  return {
    settings,
    now,
    startedAt: now,
    phase: { kind: 'settling', left: new Set(left), ...(rescued === undefined ? {} : { rescued }) },
    stopRequested: false,
    loaded: false,
    lease: held,
    // What could not be stopped runs on, whichever process of the agent it is that looks.
    starving: journal.bootId === settings.bootId && journal.stopFailed.size > 0 && settings.watchdog ? 'stop-failed' : undefined,
    watchdogIs: 'unopened',
    hasJoined: false,
    journal: { durable: journal, ahead: journal, pending: [] },
    work: NO_WORK,
    outbox: EMPTY_OUTBOX,
    servers: { urls: settings.servers, current: 0 },
    dismissed: new Map(),
    fenceReaction: 'stop',
    requests: new Map(),
    ...(journal.witness?.token === settings.tokenMark ? { witness: journal.witness.witness } : {}),
    witnessWrittenAt: now,
    joins: 0,
    nextId: 1,
    callId: 0,
    jitter: settings.seed >>> 0,
  };
}

export function endLeftovers(turn: Turn): void {
  const { phase, journal } = turn.state;
  if (phase.kind !== 'settling') return;
  for (const { action, process } of journal.ahead.inFlight.values()) {
    const { actionId, operation, resource } = action;
    log(turn, 'warn', 'this operation was interrupted by the end of the last agent process', {
      actionId,
      operation,
      resource: resource.id,
    });
    if (phase.left.has(actionId)) turn.effects.push({ type: 'end-leftover', actionId, ...(process === undefined ? {} : { process }) });
  }
}

/** What was in flight has an outcome, now that nothing of it runs any more: it was lost, and is never run again. */
function recover(turn: Turn, rescued: Rescued | undefined): void {
  const { settings, journal } = turn.state;
  const { durable } = journal;
  const lost = [...durable.inFlight.values()].map(({ action, incarnation }): JournalRecord => {
    const { resultId } = nextExecution(turn, 0, false);
    return endedNow(turn, lostResult(action, resultId, turn.wallMs), incarnation);
  });
  // It is read only where the journal is new or has lost its end: then it is the newer of the two.
  const found = rescued?.active ?? [];
  const told = rescued?.onLeaseLoss ?? durable.onLeaseLoss;
  const announced = rescued?.announced ?? durable.announced;
  append(turn, [
    { kind: 'started', bootId: settings.bootId },
    ...(told === undefined || told === durable.onLeaseLoss ? [] : [{ kind: 'told', onLeaseLoss: told } as const]),
    ...(announced === undefined || announced === durable.announced ? [] : [{ kind: 'announced', onLeaseLoss: announced } as const]),
    ...(durable.unmanaged.size > 0 || rescued === undefined ? [] : [{ kind: 'unmanaged', historyIds: rescued.unmanaged } as const]),
    ...found.map((active) => ({ kind: 'active', active }) as const),
    ...lost,
  ]);
  if (found.length > 0)
    log(turn, 'warn', 'found what may be running in the second record', { resources: found.map(({ resource }) => resource.id) });
}

export function onLeftoverEnded(turn: Turn, actionId: string): void {
  const { phase } = turn.state;
  if (phase.kind !== 'settling') return;
  const left = new Set(phase.left);
  left.delete(actionId);
  update(turn, { phase: { ...phase, left } });
}

/** Nothing of an earlier process runs any more. What ran here before this one started is under the lease of that time. */
export function leaveSettling(turn: Turn): void {
  const { phase } = turn.state;
  if (phase.kind !== 'settling' || phase.left.size > 0) return;
  recover(turn, phase.rescued);
  if (turn.state.journal.ahead.active.size === 0) update(turn, { lease: undefined });
  enterJoining(turn);
}
