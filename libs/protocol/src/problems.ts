/**
 * Last parts of the problem types that tell an agent what to do, with the status of the answer.
 *
 * - `incarnation-superseded` (409): another agent has joined as this node; end, leave everything as it is.
 * - `lease-lost` (409): join anew, go on running; what runs is probed.
 * - `declared-down` (409): stop everything, then join anew. Of a join: those of its `active` that the errors point at, managed or not; all, when they point at none.
 *   With 401: the token was that of an agent in a container that has ended; there is nothing to join with.
 * - `reset-ordered` (409): the node is fenced by its own watchdog; begin nothing more, and do not feed it before a join is granted: it resets the machine, unless it was disarmed, or the cluster calls that off.
 * - `log-epoch-changed` (409): join anew, go on running; what runs is probed.
 * - `node-joined-elsewhere` (409, of a join): another boot holds the node's lease; try again later.
 * - `join-overtaken` (409, of a join): a process of the agent that was started later has joined; end, leave everything as it is.
 * - `cluster-deleted` (410): leave everything running, unmanaged, and end.
 * - `protocol-too-new`, `protocol-too-old` (426): see {@link import('./version.js').refusalOf}.
 */
export const AGENT_PROBLEMS = [
  'incarnation-superseded',
  'lease-lost',
  'declared-down',
  'reset-ordered',
  'log-epoch-changed',
  'node-joined-elsewhere',
  'join-overtaken',
  'cluster-deleted',
  'protocol-too-new',
  'protocol-too-old',
] as const;

export type AgentProblem = (typeof AGENT_PROBLEMS)[number];

/** @param type `type` of a problem document; the last part of its path counts */
export function agentProblemOf(type: string): AgentProblem | undefined {
  const code = type.slice(type.lastIndexOf('/') + 1);
  return AGENT_PROBLEMS.find((problem) => problem === code);
}
