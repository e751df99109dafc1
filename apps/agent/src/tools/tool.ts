import type { AttributeChange } from '@systole/protocol';
import type { TransientAttributes } from '../attributes/transient-attributes.js';
import type { ClusterConnection } from './writes/cluster-connection.js';

/** A call of one of Pacemaker's command-line tools by a resource agent. */
export interface ToolCall {
  /** Program name, e.g. `crm_attribute`. */
  readonly tool: string;
  readonly args: readonly string[];
  /** The caller's OCF_* variables. */
  readonly env: Readonly<Record<string, string>>;
  /** The caller's working directory, where that is known. */
  readonly cwd?: string;
  /** Absent where nobody can be asked for anything. */
  readonly caller?: ToolCaller;
}

/** The process that called a tool. */
export interface ToolCaller {
  /** All of its standard input. */
  readonly stdin: () => Promise<string>;
}

export interface ToolResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What the tools can ask of the cluster. */
export interface ToolCluster extends ClusterConnection {
  /** Name of this node. */
  readonly node: string;
  readonly nodeId: string;
  readonly clusterName: string;
  readonly setAttributes: (changes: readonly AttributeChange[]) => Promise<void>;
  readonly transient: TransientAttributes;
  /** The CIB as XML. */
  readonly cib: () => Promise<string>;
}

/** Exit codes of Pacemaker's tools that agents look at. */
export const EXIT = {
  OK: 0,
  ERROR: 1,
  UNIMPLEMENTED: 3,
  USAGE: 64,
  UNAVAILABLE: 69,
  UNKNOWN_ATTRIBUTE: 78,
  DISCONNECTED: 102,
  NO_SUCH: 105,
} as const;

/** The tool ends with an exit code and a message. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}
