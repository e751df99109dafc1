import type { ToolRequest } from '@systole/protocol';

/** Who asks for a write, for the event log. */
export interface AskedFor {
  /** Name of the tool. */
  readonly tool: string;
  /** Id of the resource whose agent called it, as far as that is known. */
  readonly calledBy?: string;
  /** Why, in words of the caller's. */
  readonly reason?: string;
}

/** An operation of a resource that a tool has this node do, outside of what the cluster plans. */
export interface ForcedOperation {
  readonly resource: { readonly id: string; readonly class: string; readonly provider?: string; readonly type: string };
  readonly operation: 'start' | 'stop' | 'monitor' | 'promote' | 'demote' | 'validate-all';
  readonly timeoutMs: number;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ForcedOutcome {
  readonly rc: number;
  readonly exitReason?: string;
  readonly output: string;
}

/**
 * What tools that write need of a cluster. There are two: by the agent of a node, with that node's token, and by the public API with an operator's. What each of them lets whom do is decided by the server.
 */
export interface ClusterConnection {
  /** The node that a tool means that names none: that on which it runs, if it is one. */
  readonly node: string;
  /** The CIB as XML. */
  readonly cib: () => Promise<string>;
  /** Throws ServerRefused, ServerUnavailable. */
  readonly request: (request: ToolRequest, by: AskedFor) => Promise<{ readonly changed: boolean }>;
  /** Runs a resource agent here; absent: nothing can be run where the tool is. */
  readonly force?: (operation: ForcedOperation) => Promise<ForcedOutcome>;
}
