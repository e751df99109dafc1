import type { ActionResource, AgentAction, AgentResult } from '@systole/protocol';

/** A resource that may be running here, with what is needed to stop it without the server. */
export interface ActiveResource {
  readonly resource: ActionResource;
  readonly parameters: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, string>>;
  /** ms; as configured, if the server has said so. */
  readonly stopTimeoutMs?: number;
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
}

/** One line of the journal. Facts only; what they add up to is {@link import('./state.js').evolve}'s business. */
export type JournalRecord =
  /** The agent started. Everything that ran under another boot is gone. */
  | { readonly kind: 'started'; readonly bootId: string }
  /** An action is about to be executed. On disk before its process exists. */
  | { readonly kind: 'intent'; readonly action: AgentAction; readonly incarnation: number }
  | { readonly kind: 'process'; readonly actionId: string; readonly process: ActionProcess }
  /** An execution ended. On disk before anybody is told. */
  | ({ readonly kind: 'result' } & RecordedResult)
  | { readonly kind: 'acknowledged'; readonly resultIds: readonly string[] }
  /** The agent stopped a resource of its own accord. */
  | { readonly kind: 'stopped'; readonly historyId: string }
  /** Written by compaction: a resource that may be running. */
  | { readonly kind: 'active'; readonly active: ActiveResource }
  /** Written by compaction: an action that is being executed; what it may have started is listed as active. */
  | { readonly kind: 'in-flight'; readonly running: RunningAction }
  /** Written by compaction: actions that were executed and acknowledged. */
  | { readonly kind: 'executed'; readonly actionIds: readonly string[] };
