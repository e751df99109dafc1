import type { AgentIdentity } from './simulated-agent.js';

/** What happened at an agent; times are epoch ms with fractions. */
export interface TraceEntry {
  readonly at: number;
  /** An action arrived in a poll's answer; a result was sent; the server said that it has stored that; the agent fell silent. */
  readonly what: 'received' | 'reported' | 'acknowledged' | 'silent';
  readonly node: string;
  readonly resource: string;
  readonly operation: string;
  readonly intervalMs: number;
  /** Of a result: of a later run of a recurring operation. */
  readonly recurring: boolean;
  /** Another node is to be fenced. */
  readonly fencing: boolean;
  /** Of a result that was sent or acknowledged; an acknowledgement says nothing else about it. */
  readonly resultId?: string;
}

/** What the agents did since the process began, and what should not have been. */
export interface LoadCounts {
  readonly received: number;
  readonly acknowledged: number;
  /** Of all agents; epoch ms. */
  readonly firstReceivedAt: number | undefined;
  readonly lastAcknowledgedAt: number | undefined;
  /** In words; only the first few are kept. */
  readonly refusals: readonly string[];
  readonly refused: number;
  readonly unanswered: number;
  readonly unansweredBecause: readonly string[];
  /** CPU time of the process, ms. */
  readonly cpuMs: number;
}

/** What the process of the agents can be told to do, and what it answers. */
export interface LoadOrders {
  /** Agents join, some at a time, and poll from then on. */
  readonly join: { readonly takes: { readonly agents: readonly AgentIdentity[] }; readonly gives: number };
  /** Waits until no action has arrived and no result was acknowledged for so long. */
  readonly quiet: { readonly takes: { readonly forMs: number }; readonly gives: number };
  readonly counts: { readonly takes: object; readonly gives: LoadCounts };
  /** Ids of the results that the server said it has stored for good. */
  readonly acknowledged: { readonly takes: object; readonly gives: readonly string[] };
  /** A resource's monitor fails, where it runs. Gives what happened in its cluster until it runs and is monitored again, and the one that depends on it. */
  readonly fail: {
    readonly takes: { readonly cluster: string; readonly resource: string; readonly dependent?: string; readonly withinMs: number };
    readonly gives: readonly TraceEntry[];
  };
  /**
   * Monitors fail all over the clusters at that rate, no resource twice. Gives how long it took until the stop arrived at the same agent, ms, and how many have not
   * arrived within that time after the last failure.
   */
  readonly failMany: {
    readonly takes: { readonly perSecond: number; readonly seconds: number; readonly withinMs: number };
    readonly gives: { readonly failed: number; readonly times: readonly number[]; readonly left: number };
  };
  /**
   * All monitors report in turn, each time something else than the last time, at that rate together. Gives how many were acknowledged while this lasted, and how
   * long each took, ms; those that were sent and not yet acknowledged get some time more.
   */
  readonly changeResults: {
    readonly takes: { readonly perSecond: number; readonly seconds: number; readonly withinMs: number };
    readonly gives: { readonly sent: number; readonly acknowledged: number; readonly times: readonly number[] };
  };
  /** An agent says nothing any more. Gives what happened in its cluster until what it ran is monitored on other nodes. */
  readonly lose: {
    readonly takes: { readonly cluster: string; readonly node: string; readonly withinMs: number };
    readonly gives: readonly TraceEntry[];
  };
  /** Where resources run that are monitored, by resource. */
  readonly places: { readonly takes: { readonly cluster: string }; readonly gives: Readonly<Record<string, string>> };
}

export type LoadOrder = keyof LoadOrders;

/** What goes to the process. */
export type LoadRequest = {
  readonly [Kind in LoadOrder]: { readonly id: number; readonly order: Kind } & LoadOrders[Kind]['takes'];
}[LoadOrder];

/** What comes back. */
export type LoadAnswer = { readonly id: number } & ({ readonly given: unknown } | { readonly failed: string });
