import type { ActionResource, AgentAction, AgentResult, OnLeaseLoss, Witness } from '@systole/protocol';

/** A resource that may be running here, with what is needed to stop it: with or without the server. */
export interface ActiveResource {
  /** What it was started as: the configuration may name another agent by now. */
  readonly resource: ActionResource;
  /** With which it was started, found running or reloaded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, string>>;
  /** ms; as configured, if the server has said so. */
  readonly stopTimeoutMs?: number;
  /** The same of a demote. */
  readonly demoteTimeoutMs?: number;
  /** A promotion of it was begun, or an operation said that it is promoted, and none has said since that it is not: it is demoted before it is stopped. */
  readonly mayBePromoted?: true;
}

/** The same resource, promoted or not, as far as can be told. */
export function inRole({ mayBePromoted: _, ...rest }: ActiveResource, isPromoted: boolean): ActiveResource {
  return isPromoted ? { ...rest, mayBePromoted: true } : rest;
}

/** A process that runs, or ran, for an action; pid and start time together identify it. */
export interface ActionProcess {
  readonly pid: number;
  readonly startTicks: number;
}

/** An action whose execution has begun, and its process as soon as there is one. */
export interface RunningAction {
  readonly action: AgentAction;
  /** In whose life it was executed; its result is reported in that one's name, whoever reports it. */
  readonly incarnation: number;
  readonly process?: ActionProcess;
}

/** A result, and the incarnation in whose life it arose. */
export interface RecordedResult {
  readonly result: AgentResult;
  readonly incarnation: number;
  /** When its operation ended, ms since the boot of the machine; absent: in an earlier boot, or it was written by an older agent. */
  readonly endedAtMs?: number;
  /** What could be left out of it has been. */
  readonly reduced?: boolean;
}

/** A result that the server does not take. */
export interface RefusedResult {
  readonly resultId: string;
  readonly actionId: string;
  readonly problem: string;
}

/** One line of the journal. Facts only; what they add up to is {@link import('./state.js').evolve}'s business. */
export type JournalRecord =
  /** The agent started. Everything that ran under another boot is gone. */
  | { readonly kind: 'started'; readonly bootId: string }
  /** An action is about to be executed. On disk before its process exists. */
  | { readonly kind: 'intent'; readonly action: AgentAction; readonly incarnation: number }
  /** It was not: nothing of it happened, and it may be handed out again. */
  | { readonly kind: 'not-begun'; readonly actionId: string }
  | { readonly kind: 'process'; readonly actionId: string; readonly process: ActionProcess }
  /** An execution ended. On disk before anybody is told. */
  | ({ readonly kind: 'result' } & RecordedResult)
  | { readonly kind: 'acknowledged'; readonly resultIds: readonly string[] }
  /** The server refuses a result as it is; this one goes in its place. */
  | { readonly kind: 'reduced'; readonly result: AgentResult }
  /** The server refuses a result whatever is left out of it: it is set aside. */
  | ({ readonly kind: 'refused' } & RefusedResult)
  /** It has joined as this incarnation: what is begun from now on belongs to that life. */
  | { readonly kind: 'life'; readonly incarnation: number }
  /** What could not be stopped when everything had to be. */
  | { readonly kind: 'stop-failed'; readonly historyIds: readonly string[] }
  /** A setting of this node for the loss of its lease, or none, of which the server knows: it was in a join that was answered. */
  | { readonly kind: 'announced'; readonly onLeaseLoss?: OnLeaseLoss }
  /** The agent stopped a resource of its own accord. */
  | { readonly kind: 'stopped'; readonly historyId: string }
  /** What the server wants done when the lease is lost. */
  | { readonly kind: 'told'; readonly onLeaseLoss: OnLeaseLoss }
  /** History ids of what a lost lease must not stop; replaces what was told before. */
  | { readonly kind: 'unmanaged'; readonly historyIds: readonly string[] }
  /** A head of the log that the server has told of, to whom has this token (a mark of it): another one may be for another cluster. */
  | { readonly kind: 'witness'; readonly witness: Witness; readonly token: string }
  /** Written by compaction, for what a second record names, and for what a stop or demote of the agent's own says of the role: a resource that may be running. */
  | { readonly kind: 'active'; readonly active: ActiveResource }
  /** Written by compaction: an action that is being executed; what it may have started is listed as active. */
  | { readonly kind: 'in-flight'; readonly running: RunningAction }
  /** Written by compaction: actions that were executed and acknowledged. */
  | { readonly kind: 'executed'; readonly actionIds: readonly string[] };
