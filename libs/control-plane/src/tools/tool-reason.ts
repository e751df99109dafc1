import type { AgentToolRequest } from '@systole/protocol';

const MOST_CHARS = 1_000;

/** Why something was written that a tool on a node asked for, for the event log: what the caller says, and which tool whose agent called. */
export function toolReason({ tool, calledBy, reason }: Pick<AgentToolRequest, 'tool' | 'calledBy' | 'reason'>, node: string): string {
  const by = calledBy === undefined ? `${tool} on ${node}` : `${tool} on ${node}, called by the agent of ${calledBy}`;
  return (reason === undefined ? by : `${reason} (${by})`).slice(0, MOST_CHARS);
}
