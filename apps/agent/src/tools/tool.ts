import type { AttributeChange, FencingAnswer } from '@systole/protocol';
import type { TransientAttributes } from '../attributes/transient-attributes.js';
import type { Caller } from './caller.js';
import type { MonitorAnswer, MonitorTask } from './monitor/tasks.js';
import type { ClusterConnection } from './writes/cluster-connection.js';

/** A call of one of Pacemaker's command-line tools by a resource agent. */
export interface ToolCall {
  /** Program name, e.g. `crm_attribute`. */
  readonly tool: string;
  readonly args: readonly string[];
  /** Those of the caller's variables that tools look at: which resource and node it is called for, CIB_*, PCMK_*, TZ, USER, SYSTOLE_REASON. */
  readonly env: Readonly<Record<string, string>>;
  /** The caller's working directory, where that is known. */
  readonly cwd?: string;
  /** It goes on in the background what it began before the agent was started anew. */
  readonly isAgain?: boolean;
  /** Of another account than the agent's: it asks about the cluster; nothing is changed for it, and nothing on this machine is read or run. */
  readonly isReader?: boolean;
  /** Absent where nobody can be asked or told anything before the end. */
  readonly caller?: Caller;
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
  /** How nodes are being fenced, and were: one, by its name, with the devices that can fence it, or all. Absent of what is in the place of a cluster: nobody was fenced there. */
  readonly fencing?: (node: string | undefined) => Promise<FencingAnswer>;
  /** Works a status out elsewhere than in the asker's thread; in that when absent. */
  readonly monitor?: (task: MonitorTask) => Promise<MonitorAnswer>;
}

/** Exit codes of Pacemaker's tools that agents look at. */
export const EXIT = {
  ...{
    OK: 0,
    ERROR: 1,
    UNIMPLEMENTED: 3,
    DENIED: 4,
    USAGE: 64,
    NO_INPUT: 66,
    UNAVAILABLE: 69,
    SOFTWARE: 70,
    CONFIG: 78,
    UNKNOWN_ATTRIBUTE: 78,
  },
  ...{ DATA: 65, NO_HOST: 68, CANT_CREATE: 73, DISCONNECTED: 102, NO_SUCH: 105, TIMEOUT: 124 },
  ...{ MULTIPLE: 109, EXPIRED: 110, NOT_YET: 111, INDETERMINATE: 112 },
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
