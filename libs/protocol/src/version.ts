import { z } from 'zod';
import { whole, type Wire } from './fields.js';

export const protocolVersion = z.object({
  major: whole('Changes when older agents could not be understood any more.'),
  minor: whole('Counts additions up.'),
});

export type ProtocolVersion = Wire<z.infer<typeof protocolVersion>>;

/**
 * What this version of server and agent speak. 1.1 added: epochs, witnesses, what to do when the lease is lost, several servers, troubles. 1.2 added: joins that can
 * be repeated and say what may be running, what the agent does when it loses its lease, and seals. 1.3 added: how many actions the agent carries out at a time. 1.4 added: a head with acknowledged results. 1.5 added: roll calls.
 * 1.6 added: which resource agents a node has, and their meta-data. 1.7 added: the values of secrets that parameters refer to, beside the parameters, and debug operations; how long a demote may take, beside a stop, for the agent that has to stop something by itself.
 * 1.8 added: attributes that are dampened and counted up, and the reading of those that are held; which parameters of a resource agent are private; what tools ask to be written.
 * 1.9 added: the time-out of a watchdog, whether it is armed, and that an agent is told to let it reset its machine; how long an agent waits that shuts down, and which load it tells of; that an agent is meant for a remote or guest node; tokens for the agents inside of bundles' containers, which the agents of their hosts ask for.
 * 1.10 added: that a resource is to count as failed, among what tools ask for.
 * 1.11 added: how nodes were fenced and by which devices each can be, for tools that ask; that it was seen, among what tools ask for.
 * 1.12 added: private attributes, which agents of other nodes read.
 * 1.13 added: the number of the change up to which private attributes are told; numbers of what agents have written; how old a result is as it is told, and what the clock of the node shows; of which operations nobody has described the agent, so that their results bring the digests which that takes.
 */
export const PROTOCOL: ProtocolVersion = { major: 1, minor: 13 };

/** The oldest minor version of agents that a server of {@link PROTOCOL} works with. */
const OLDEST_MINOR = 4;

/** What an agent speaks that does not say. */
export const FIRST_PROTOCOL: ProtocolVersion = { major: 1, minor: 0 };

export interface VersionRefusal {
  /** Last part of the problem's type; the answer has status 426. */
  readonly code: 'protocol-too-new' | 'protocol-too-old';
  /** What is wrong and what to do. */
  readonly detail: string;
}

/**
 * Whether a server of {@link PROTOCOL} works with an agent of this version: with those of its own major version from {@link OLDEST_MINOR} on. So servers are updated before agents,
 * and agents before an update of the servers that no longer knows them.
 * @param oldestMinor of agents that the server works with
 * @returns undefined when it does
 */
export function refusalOf(
  agent: ProtocolVersion,
  server: ProtocolVersion = PROTOCOL,
  oldestMinor = OLDEST_MINOR,
): VersionRefusal | undefined {
  const spoken = `the agent speaks protocol ${shown(agent)}, this server ${shown(server)}`;
  const tooNew = agent.major > server.major || (agent.major === server.major && agent.minor > server.minor);
  if (tooNew) return { code: 'protocol-too-new', detail: `${spoken}: update the server first` };
  const tooOld = agent.major < server.major || agent.minor < oldestMinor;
  if (tooOld) return { code: 'protocol-too-old', detail: `${spoken}: update the agent` };
  return undefined;
}

function shown({ major, minor }: ProtocolVersion): string {
  return `${major}.${minor}`;
}
