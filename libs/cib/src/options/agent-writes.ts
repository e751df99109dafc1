/**
 * What tools that run on a node may have written by the token of its agent, beyond the node's own attributes:
 * - `own`: what concerns that node alone (bans of what it runs from it, and their end; failures and history there), and what it and its resources need and provide;
 * - `options`: cluster options that are in no table: agents keep names of their own there;
 * - `placement`: moves, bans, failures and history of every resource, on every node;
 * - `tickets`: grants, revokes and whatever else tickets know;
 * - `configuration`: all of it but who may write what; parameters are handed to programs that run as root on every node;
 * - `fencing`: has nodes fenced, switched on, and taken for down;
 * - `nodes`: takes nodes out of the cluster.
 */
export const AGENT_WRITES = ['own', 'options', 'placement', 'tickets', 'configuration', 'fencing', 'nodes'] as const;

export type AgentWrite = (typeof AGENT_WRITES)[number];

/** The cluster option that says it. */
export const AGENT_WRITES_OPTION = 'systole-agent-writes';

/** What Debian's resource agents need. */
export const AGENT_WRITES_DEFAULT = 'own options';

const NOTHING = 'none';

/** One word of the list, for all nodes or for one. */
export interface GrantedWrite {
  readonly write: AgentWrite;
  /** Name of a node; absent: every node. */
  readonly node?: string;
}

/**
 * Reads `own options`, `own configuration@n1` or `none`.
 *
 * @returns undefined for what is no such list
 */
export function parseAgentWrites(text: string): readonly GrantedWrite[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  if (words.length === 1 && words[0]?.toLowerCase() === NOTHING) return [];
  const granted: GrantedWrite[] = [];
  for (const word of words) {
    const at = word.indexOf('@');
    const name = (at < 0 ? word : word.slice(0, at)).toLowerCase();
    const write = AGENT_WRITES.find((known) => known === name);
    if (write === undefined || word.endsWith('@')) return undefined;
    granted.push(at < 0 ? { write } : { write, node: word.slice(at + 1) });
  }
  return granted;
}

/** Whether the agent of a node may have something written. */
export function mayWrite(granted: readonly GrantedWrite[], write: AgentWrite, node: string): boolean {
  return granted.some((one) => one.write === write && (one.node === undefined || one.node === node));
}
