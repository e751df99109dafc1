import { readingOf } from '@systole/cib';
import {
  CLOCK_SKEW,
  fencingDevices,
  heldFencing,
  isHeldContainer,
  isRestarted,
  memberOf,
  unheardNodes,
  untoldAttributes,
  untoldMissingTickets,
  untoldTickets,
  watchdogTimeout,
  watchdogWaitMs,
  type ClusterState,
  type NodeMember,
} from '@systole/cluster';
import type { ElapsedSince } from './elapsed-times.js';
import type { SafetyNoteDto } from './status.dto.js';
import { leftNotes } from './held-starts.js';
import { lacksFencing } from './reduced-troubles.js';
import { unfitDevices } from './unfit-devices.js';
import { policyInForce, policyText } from './without-quorum.js';

/**
 * What about a cluster reduces the safety of its data, and what to do about it.
 *
 * @param unclean names of the nodes that the scheduler wants fenced
 * @param elapsed how long ago, ms, something happened, for what waits
 * @param now epoch ms, for rules
 * @param planningHeld why nothing is planned yet, though it is due
 */
export function safetyNotes(
  state: ClusterState,
  unclean: readonly string[],
  elapsed: ElapsedSince,
  now: number,
  planningHeld?: string,
): readonly SafetyNoteDto[] {
  const notes: SafetyNoteDto[] = [];
  const { options } = readingOf(state.cib, now);
  const fencing = options.flag('fencing-enabled');
  if (!fencing) {
    notes.push({
      code: 'fencing-disabled',
      text: 'Fencing is switched off: when a node is lost, safety rests on its agent stopping its resources in time. Configure a fence device and set stonith-enabled=true.',
    });
  } else {
    notes.push(...withoutUsableDevice(state, now), ...unfitDevices(state, now), ...shortTimes(state, now));
  }
  for (const { name, membership, since, onLeaseLoss } of Object.values(state.nodes)) {
    if (membership !== 'lost') continue;
    notes.push({
      code: 'node-lost',
      text:
        fencing || onLeaseLoss === 'keep'
          ? `${name} was lost at ${since} and may still run resources; they start elsewhere after it is fenced or confirmed down.`
          : `${name} was lost at ${since}. Without fencing its resources start elsewhere in the belief that its agent has stopped them: make sure that it has.`,
    });
  }
  notes.push(
    ...tales(state),
    ...unheard(state),
    ...untold(state),
    ...missing(state),
    ...untoldOfAgents(state),
    ...untoldDeletion(state),
    ...leftNotes(state, now),
    ...claims(state),
    ...unfed(state, now),
    ...waiting(state, unclean, elapsed, now),
    ...allowed(state),
  );
  if (options.choice('no-quorum-policy') === 'ignore') {
    notes.push({
      code: 'quorum-ignored',
      text: 'no-quorum-policy is ignore: parts of the cluster that cannot see one another may run the same resource unless fencing prevents it.',
    });
  }
  const policy = policyInForce(state, now);
  if (policy !== undefined) notes.push({ code: 'no-quorum', text: `The cluster has no quorum. ${policyText(policy, planningHeld)}.` });
  return notes;
}

/** By whose word alone epochs began again and again: a true loss is seldom told first by the same node. */
function tales({ epoch, nodes }: ClusterState): readonly SafetyNoteDto[] {
  return Object.entries(epoch?.tellings ?? {}).flatMap(([name, { times, at }]) =>
    times < 2 || !Object.hasOwn(nodes, name)
      ? []
      : [
          {
            code: 'epochs-told',
            text: `${name} has told ${String(times)} times, by its word alone, that the event log went back in time, last at ${at}; each time all nodes had to join anew. Unless the database was restored as often, look at its agent, or revoke its token.`,
          },
        ],
  );
}

/** Whom everything waits for since the event log went back in time. */
function unheard(state: ClusterState): readonly SafetyNoteDto[] {
  return unheardNodes(state).map((node) => {
    if (memberOf(state, node)?.incarnation === 0) {
      return {
        code: 'node-unheard',
        text: `The agent of ${node} asks to join as a remote or guest node, which nothing configures since the event log went back in time, and may run resources that the log does not know of. Nothing is started, promoted or migrated anywhere until it has joined: configure it again (a primitive ${node}, ocf:pacemaker:remote, or remote-node at what it runs in), or make sure that it runs nothing and confirm that it is down (systole node confirm-down ${node}).`,
      };
    }
    if (isHeldContainer(state, node)) {
      return {
        code: 'node-unheard',
        text: `${node} was not heard of since the event log went back in time, and may run resources that the log does not know of. Nothing is started, promoted or migrated anywhere until it is. It is in a container: most likely the token of its agent was made in what the log lost, so that the agent is refused (401) while the container runs on. Stop the container by hand where it runs: once it is found stopped everywhere, it is started with a new token. Do not confirm that ${node} is down while the container runs.`,
      };
    }
    const fenced =
      memberOf(state, node)?.overBefore === true
        ? 'By what is left of the log it had left or was down, so it can not be fenced: start'
        : 'It is fenced where that can be done. Else start';
    return {
      code: 'node-unheard',
      text: `${node} was not heard of since the event log went back in time, and may run resources that the log does not know of. Nothing is started, promoted or migrated anywhere until it is. ${fenced} its agent, or make sure that it runs nothing and confirm that it is down (systole node confirm-down ${node}).`,
    };
  });
}

/** Tickets of which nobody knows since the event log went back in time. */
function untold(state: ClusterState): readonly SafetyNoteDto[] {
  return untoldTickets(state).map((ticket) => ({
    code: 'ticket-untold',
    text: `The ticket ${ticket} was granted when the event log went back in time, and may have been revoked and granted to another site since. Nothing is started, promoted or migrated anywhere until somebody says: grant it again if it is granted here (systole ticket grant ${ticket}), else revoke it (systole ticket revoke ${ticket}).`,
  }));
}

/** Tickets that the log may have lost the granting of. */
function missing(state: ClusterState): readonly SafetyNoteDto[] {
  return untoldMissingTickets(state).map((ticket) => ({
    code: 'ticket-untold',
    text: `The ticket ${ticket}, whose loss fences nodes (loss-policy), is not granted by what is left of the event log, which went back in time: it may have been granted in what was lost. No node that holds its lease is fenced until somebody says: grant it if it is granted here (systole ticket grant ${ticket}), else revoke it (systole ticket revoke ${ticket}).`,
  }));
}

/** What agents noted for good before the event log went back. */
function untoldOfAgents(state: ClusterState): readonly SafetyNoteDto[] {
  return untoldAttributes(state).map(({ node, name, value }) => ({
    code: 'attribute-untold',
    text: `The permanent attribute ${name} of ${node} (${shortened(value)}) was written by a resource agent before the event log went back in time, and may be of yesterday: agents may judge by it where the newest data is. Nothing is promoted anywhere until it is written again: find out where the newest data is, then write it as it should be (systole node attribute set NODE NAME VALUE), also if it stays as it is, or clear it (systole node attribute clear NODE NAME).`,
  }));
}

/** What an agent wrote may be of any length. */
function shortened(value: string): string {
  return value.length <= 60 ? value : `${value.slice(0, 60)}…`;
}

function untoldDeletion({ stopping }: ClusterState): readonly SafetyNoteDto[] {
  if (stopping?.ofBefore !== true) return [];
  return [
    {
      code: 'deletion-untold',
      text: 'Everything was being stopped, to delete the cluster, when the event log went back in time; it may have been called off since. What is stopped stays so, and nothing is deleted, until somebody says: ask for the deletion again, or call it off (systole cluster cancel-deletion).',
    },
  ];
}

/** A watchdog is to reset nodes that lose their lease, and some feed none. */
function unfed(state: ClusterState, now: number): readonly SafetyNoteDto[] {
  if (readingOf(state.cib, now).options.choice('systole-on-lease-loss') !== 'watchdog') return [];
  return Object.values(state.nodes).flatMap(({ name, membership, onLeaseLoss, localOnLeaseLoss }) =>
    membership === 'joined' && onLeaseLoss === 'stop' && localOnLeaseLoss === undefined
      ? [
          {
            code: 'no-watchdog',
            text: `systole-on-lease-loss is watchdog, but the agent of ${name} feeds none: it stops its resources when it loses its lease. Start it with --watchdog /dev/watchdog.`,
          },
        ]
      : [],
  );
}

/** What agents claimed that they had no right to, and what keeps them from doing their work. */
function claims({ nodes }: ClusterState): readonly SafetyNoteDto[] {
  return Object.values(nodes).flatMap((member) => {
    const { name, falseWitnessAt, droppedResults, membership } = member;
    // A clock that is wrong endangers nothing: a trouble of its own says so.
    const troubles = (member.troubles ?? []).filter(({ code }) => code !== CLOCK_SKEW);
    return [
      ...(membership !== 'joined' && membership !== 'lost'
        ? []
        : troubles.map(({ code, detail }) => ({
            code: `agent-${code}`,
            text:
              code === 'answers-lost' ? `${name} polls, but ${detail}.` : `The agent of ${name} says: ${detail}.${adviceOn(code, name)}`,
          }))),
      ...otherBoots(member),
      ...(falseWitnessAt === undefined
        ? []
        : [
            {
              code: 'false-witness',
              text: `${name} showed a place in the event log at ${falseWitnessAt} that no server had told it; it counts for nothing. Its agent's journal is damaged, or somebody else has its token: look at the machine, and give it a new token.`,
            },
          ]),
      ...(droppedResults === true
        ? [
            {
              code: 'results-dropped',
              text: `${name} reports results of resources that nobody asked it for; they are dropped. Look at its agent.`,
            },
          ]
        : []),
    ];
  });
}

/** What to do about what an agent tells of, where a person has to. */
function adviceOn(code: string, node: string): string {
  if (code === 'unknown-resources')
    return ' Nobody looks for it or stops it: the event log may have lost what made it. Make it again as it was (with target-role=Stopped to have it stopped): then it is found where it runs.';
  if (code !== 'stop-failed') return '';
  return ` It may run beside what was started elsewhere. This ends when the cluster has probed it there: look at it on ${node}, then have it probed (systole resource refresh RESOURCE --node ${node}).`;
}

/** What other boots of a node are about that wanted to join as it. */
function otherBoots(member: NodeMember): readonly SafetyNoteDto[] {
  const { name, refusedJoin, membership } = member;
  if (refusedJoin === undefined || membership === 'down' || membership === 'left') return [];
  const asked = `Another boot (${refusedJoin.bootId}) wanted to join as ${name} at ${refusedJoin.at}`;
  if (!isRestarted(member))
    return [
      {
        code: 'second-machine',
        text: `${asked}, and the first one was heard of after that: a second machine has its token. Give it one of its own. It is let in as ${name} only when the node was fenced, has left, or is confirmed down.`,
      },
    ];
  const text =
    membership === 'joined'
      ? `${asked} while its lease lived. Unless the machine was restarted just then, a second one has its token: give it one of its own.`
      : `${asked}, and was not let in, as what ran there may run on. If the machine was restarted, it is let in when the node was fenced or is confirmed down.`;
  return [{ code: 'second-machine', text }];
}

/** Fencing that waits because of the limit. */
function waiting(state: ClusterState, unclean: readonly string[], elapsed: ElapsedSince, now: number): readonly SafetyNoteDto[] {
  return heldFencing(state, unclean, elapsed, now).map(({ reason }) => ({ code: 'fencing-held', text: reason }));
}

/** What was allowed beyond the limit, and holds still. */
function allowed({ fencingAllowed }: ClusterState): readonly SafetyNoteDto[] {
  return fencingAllowed.map((node) => ({
    code: 'fencing-allowed',
    text: `${node} may be fenced whatever systole-fencing-limit says, because somebody allowed it; that ends when its agent joins anew.`,
  }));
}

/** Whether nothing at all fences: no watchdog either. */
function lacksUsable(state: ClusterState, now: number): boolean {
  return watchdogTimeout(state, now) === undefined || !readingOf(state.cib, now).options.flag('have-watchdog');
}

/** The option gives watchdogs less time than they need: it is given all the same. */
function shortTimes(state: ClusterState, now: number): readonly SafetyNoteDto[] {
  const asked = watchdogTimeout(state, now);
  if (asked === undefined || asked === 'twice') return [];
  return Object.values(state.nodes).flatMap(({ name }) => {
    const waitMs = watchdogWaitMs(state, name);
    if (waitMs === undefined || waitMs <= asked) return [];
    return [
      {
        code: 'watchdog-timeout-short',
        text: `fencing-watchdog-timeout is shorter than what the watchdog of ${name} needs: ${name} counts as fenced ${String(waitMs / 1_000)} s after the loss of its lease.`,
      },
    ];
  });
}

/** Fencing is switched on: is there anything to fence with? */
function withoutUsableDevice(state: ClusterState, now: number): readonly SafetyNoteDto[] {
  if (fencingDevices(state.cib, now).some(({ disabled }) => !disabled) || !lacksUsable(state, now)) return [];
  const consequence = lacksFencing(state, now)
    ? 'nothing is started, stopped or recovered (every resource counts as unmanaged)'
    : 'the resources of a lost node start elsewhere only after somebody confirms that it is down';
  return [
    {
      code: 'no-fence-device',
      text: `Fencing is switched on, but there is no fence device: ${consequence}. Configure a fence device, or set stonith-enabled=false.`,
    },
  ];
}
