import { agentNode } from './actors.js';
import type { ElementChange } from '@systole/cib';
import { isExpected, isProbe, parseTransitionKey } from '../state/history.js';
import { changedElements } from './changed-elements.js';
import type { DocumentVersion } from './configuration.js';
import type { AlertLane, ClusterEvent, FencingCompleted, Forced, OperationRecorded } from './cluster-event.js';

/** An event as an operator would tell it. */
export interface EventDescription {
  /** One line, without the time. */
  readonly text: string;
  /** Further lines that belong to it, e.g. what a transition will do. */
  readonly details: readonly string[];
  readonly mood: 'good' | 'bad' | 'plain';
  /** Expected and of little interest to people: a probe that found what it should, a transition that does nothing. */
  readonly routine: boolean;
}

/** What OCF return codes mean, in words that fit behind "operation on node:" (OCF resource agent API, section 2.3). */
const OCF_MEANING: Readonly<Record<number, string>> = {
  0: 'ok',
  1: 'error',
  2: 'invalid parameters',
  3: 'not implemented',
  4: 'insufficient privileges',
  5: 'not installed',
  6: 'not configured',
  7: 'not running',
  8: 'running (promoted)',
  9: 'failed (promoted)',
};

const plain = (text: string, details: readonly string[] = []): EventDescription => ({ text, details, mood: 'plain', routine: false });
const good = (text: string): EventDescription => ({ ...plain(text), mood: 'good' });
const bad = (text: string): EventDescription => ({ ...plain(text), mood: 'bad' });
const routine = (text: string): EventDescription => ({ ...plain(text), routine: true });
const because = (reason: string | undefined): string => (reason === undefined || reason === '' ? '' : ` (${reason})`);

/** ` resource=db node=n1`: what a command was given, as far as that is short. */
function argumentsText(given: Readonly<Record<string, unknown>>): string {
  return Object.entries(given)
    .flatMap(([name, value]) => (typeof value === 'string' || typeof value === 'boolean' ? [` ${name}=${String(value)}`] : []))
    .join('');
}

/** `: ~ primitive db`: what it touched. Stored events of old may lack it. */
function changesText(changes: readonly ElementChange[] | undefined): string {
  const text = changedElements(changes ?? []);
  return text === '' ? '' : `: ${text}`;
}

const forcedText = (forced: Forced | undefined): string =>
  forced === undefined ? '' : `, forced in spite of ${forced.count} ${forced.count === 1 ? 'finding' : 'findings'}`;

const countedText = (from: DocumentVersion | undefined): string =>
  from === undefined ? '' : `, counted on from version ${String(from.adminEpoch)}.${String(from.epoch)}`;

/** What was forced, as far as the event keeps it. */
function forcedLines(forced: Forced | undefined): readonly string[] {
  if (forced === undefined) return [];
  const { count, findings } = forced;
  const more = count - findings.length;
  return [...findings.map(({ message }) => `forced: ${message}`), ...(more > 0 ? [`forced: ${more} more`] : [])];
}

function ticketText({
  granted,
  standby,
  forgotten,
  attributes = {},
  cleared = [],
}: Extract<ClusterEvent, { readonly type: 'TicketChanged' }>['data']): string {
  const words = [
    ...(forgotten === true ? ['forgotten'] : []),
    ...(granted === undefined ? [] : [granted ? 'granted' : 'revoked']),
    ...(standby === undefined ? [] : [standby ? 'in standby' : 'out of standby']),
    ...Object.entries(attributes).map(([name, value]) => `${name}=${value}`),
    ...cleared.map((name) => `${name} cleared`),
  ];
  return words.length === 0 ? ' changed' : ` ${words.join(', ')}`;
}

/**
 * Tells an event in words.
 *
 * @param actor who caused it, as the event log has it
 */
export function describeEvent(event: ClusterEvent, actor: string): EventDescription {
  switch (event.type) {
    case 'ClusterCreated':
      return plain(
        `cluster ${event.data.name} created by ${actor}${because(event.data.reason)}${forcedText(event.data.forced)}`,
        forcedLines(event.data.forced),
      );
    case 'ClusterStopping':
      return plain(`everything is stopped, and the cluster then deleted, as ${actor} asked${because(event.data.reason)}`);
    case 'ClusterStopCancelled':
      return plain(`the deletion of the cluster was called off by ${actor}${because(event.data.reason)}`);
    case 'ClusterDeleted':
      return plain(`cluster deleted by ${actor}${because(event.data.reason)}`);
    case 'EpochBegan':
      return bad(`the event log went back in time${because(event.data.reason)}: all nodes join anew and are probed`);
    case 'SecretErased':
      return plain(`${event.data.parameter} of ${event.data.owner}: the secret was erased by ${actor}${because(event.data.reason)}`);
    case 'ConfigurationChanged':
      return plain(
        `configuration changed by ${actor}: ${event.data.command}${argumentsText(event.data.arguments)}${changesText(event.data.changes)}${countedText(event.data.countedFrom)}${forcedText(event.data.forced)}${because(event.data.reason)}`,
        forcedLines(event.data.forced),
      );
    case 'NodeJoined':
      return event.data.doubtful === true
        ? bad(
            `node ${event.data.node} joined (incarnation ${event.data.incarnation}) as another boot, and nobody could fence the earlier one`,
          )
        : good(`node ${event.data.node} joined (incarnation ${event.data.incarnation})`);
    case 'NodeJoinRefused':
      if (event.data.unconfigured === true) {
        return bad(
          `node ${event.data.node}: its agent asks to join as a remote or guest node, which nothing configures: it may be of what the log has lost`,
        );
      }
      return bad(
        event.data.alongside === true
          ? `node ${event.data.node}: a second machine (boot ${event.data.bootId}) has its token: both were heard of at once`
          : `node ${event.data.node}: another boot (${event.data.bootId}) wanted to join, and was not let in yet`,
      );
    case 'FalseWitnessShown':
      return bad(`node ${event.data.node} showed a place in the event log that nobody had told it: it counts for nothing`);
    case 'NodeLeaseLost':
      return bad(`node ${event.data.node} is lost: its lease ran out${overdueBeside(event.data.overdue)}`);
    case 'LeaseLossPolicyTold':
      return plain(`node ${event.data.node} is told what to do when its lease ends: ${event.data.policy}`);
    case 'WatchdogTold': {
      const { node, timeoutMs, armed } = event.data;
      if (armed === false) return plain(`node ${node} tells of a watchdog that is counted on when it tells of it again`);
      if (timeoutMs === undefined) return bad(`node ${node}: nobody counts on its watchdog any more`);
      return good(`node ${node} has armed its watchdog, which resets it ${String(timeoutMs / 1_000)} s after it lost its lease`);
    }
    case 'ManagedTold':
      return plain(`node ${event.data.node} knows that these are managed again: ${event.data.resources.join(', ')}`);
    case 'NodeTroublesTold': {
      const { node, troubles } = event.data;
      if (troubles.length === 0) return good(`node ${node} is rid of its troubles`);
      return bad(`node ${node}: ${troubles.map(({ code, detail }) => `${code} (${detail})`).join('; ')}`);
    }
    case 'NodeLeft':
      if (event.data.active === undefined || event.data.active.length === 0) return plain(`node ${event.data.node} left`);
      return plain(`node ${event.data.node} left; it runs on there, unmanaged: ${event.data.active.join(', ')}`);
    case 'NodeShutdownRequested':
      return plain(`node ${event.data.node} asks to leave`);
    case 'NodeConfirmedDown':
      return plain(`node ${event.data.node} confirmed down by ${actor}${because(event.data.reason)}`);
    case 'NodeAttributeSet':
      return plain(`${event.data.node}: ${event.data.name} = ${event.data.value} (by ${actor})${because(event.data.reason)}`);
    case 'NodeAttributeCleared':
      return plain(`${event.data.node}: ${event.data.name} cleared (by ${actor})${because(event.data.reason)}`);
    case 'NodeAttributeHeld': {
      const { node, name, value, delayMs } = event.data;
      return plain(
        `${node}: ${name} is to be ${value ?? 'cleared'} (by ${actor}), when nothing of it changes for ${String(delayMs / 1_000)} s`,
      );
    }
    case 'AttributeDelaySet':
      return plain(`changes of ${event.data.name} wait ${String(event.data.delayMs / 1_000)} s for others (by ${actor})`);
    case 'OperationRecorded':
      return describeOperation(event);
    case 'ResultsDropped': {
      const { node, count, resources } = event.data;
      return bad(`${count} results of ${node} dropped: nobody asked it for anything of ${resources.join(', ')}`);
    }
    case 'DebugOperationRequested': {
      const { operation, resource, node, target, reason } = event.data;
      if (target !== undefined)
        return plain(`${target} is to be switched on with ${resource}, executed by ${node}, as ${actor} asked${because(reason)}`);
      return plain(`${operation} of ${resource} is to be tried on ${node}, as ${actor} asked${because(reason)}`);
    }
    case 'DebugOperationEnded': {
      const { operation, resource, node, status, rc, exitReason } = event.data;
      const what =
        operation === 'on' ? `switching on with ${resource}, executed by ${node}` : `${operation} of ${resource}, tried on ${node}`;
      if (status === undefined) return plain(`${what}: never begun`);
      const outcome = status === 'done' ? (OCF_MEANING[rc ?? 0] ?? `code ${String(rc)}`) : status;
      return plain(`${what}: ${outcome}${because(exitReason)}`);
    }
    case 'FailuresCleared':
      return plain(`failures of ${event.data.resource} on ${event.data.node} cleared${because(event.data.reason)}`);
    case 'HistoryDeleted':
      return routine(`history of ${event.data.resource} on ${event.data.node} deleted`);
    case 'FencingAllowed':
      return plain(`fencing of ${event.data.node} beyond the limit allowed by ${actor}${because(event.data.reason)}`);
    case 'FencingHistoryCleared':
      return plain(
        `fencing${event.data.node === undefined ? '' : ` of ${event.data.node}`} until now seen by ${actor}${because(event.data.reason)}`,
      );
    case 'FencingRequested':
      if (event.data.watchdogMs !== undefined)
        return plain(
          `fencing ${event.data.target} (${event.data.action}) by its own watchdog: it counts as fenced ${String(event.data.watchdogMs / 1_000)} s after the loss of its lease`,
        );
      return plain(`fencing ${event.data.target} (${event.data.action}) with ${event.data.device}, executed by ${event.data.executor}`);
    case 'FencingCompleted':
      return describeFencing(event.data, actor);
    case 'AlertFailed': {
      const { rc, outcome, detail } = event.data;
      return bad(`${alertText(event.data)}: ${rc === undefined ? outcome : `exit code ${String(rc)}`}${because(detail)}`);
    }
    case 'AlertRecovered':
      return good(`${alertText(event.data)} works again`);
    case 'QuorumChanged': {
      const votes = `${event.data.votes} of ${event.data.expectedVotes} votes`;
      return event.data.quorate ? good(`quorum: ${votes}`) : bad(`quorum lost: ${votes}`);
    }
    case 'TicketChanged':
      return plain(`ticket ${event.data.ticket}${ticketText(event.data)} (by ${actor})${because(event.data.reason)}`);
    case 'TransitionPlanned': {
      const { number, trigger, summary, counts } = event.data;
      const text = `transition ${number} planned, because ${trigger}`;
      return counts.actions + counts.fencing === 0 ? routine(`${text}: nothing to do`) : plain(text, summary);
    }
    case 'TransitionAborted':
      return plain(`transition ${event.data.number} aborted: ${event.data.reason}`);
    case 'TransitionCompleted': {
      const { number, outcome, completed, skipped, failed } = event.data;
      const counts = `${completed} done, ${failed} failed, ${skipped} never begun`;
      return outcome === 'complete'
        ? good(`transition ${number} complete: ${counts}`)
        : plain(`transition ${number} ended early: ${counts}`);
    }
    default:
      // Events come from servers that may be newer than this code.
      return plain((event as ClusterEvent).type);
  }
}

function alertText({ alert, recipient, node }: AlertLane): string {
  return `alert ${alert}${recipient === undefined ? '' : ` for ${recipient}`} on ${node}`;
}

function describeOperation({ data }: OperationRecorded): EventDescription {
  const expectedRc = parseTransitionKey(data.transitionKey)?.expectedRc;
  const asExpected = expectedRc !== undefined && isExpected(data, expectedRc);
  const every = data.intervalMs > 0 ? ` every ${data.intervalMs / 1000} s` : '';
  const outcome = data.status === 'done' ? (OCF_MEANING[data.rc] ?? `code ${data.rc}`) : data.status;
  const text = `${data.operation} ${data.resource}${every} on ${data.node}: ${outcome}${asExpected ? '' : because(data.exitReason)}`;
  const probe = isProbe(data.operation, data.intervalMs);
  if (asExpected) return probe ? routine(text) : good(text);
  // A probe that finds a resource where nobody expected it is news, not a failure.
  return probe && data.status === 'done' && [0, 7, 8].includes(data.rc) ? plain(text) : bad(text);
}

function describeFencing(data: FencingCompleted['data'], actor: string): EventDescription {
  const { target, outcome, detail, device, executor, confirmed, unasked } = data;
  const says = agentNode(actor);
  if (says !== undefined && says !== executor) return forNothing(`${executor} was asked`);
  if (unasked === true) return forNothing('it was not asked, or not any more');
  if (outcome !== 'succeeded') return bad(`fencing of ${target}: ${outcome}${because(detail)}`);
  if (confirmed !== false) return good(`fencing of ${target} succeeded`);
  return plain(`fencing of ${target} with ${device}, executed by ${executor}, succeeded: not done yet, for another device is left`);

  function forNothing(why: string): EventDescription {
    return bad(`${says ?? executor} says of the fencing of ${target}: ${outcome}${because(detail)}; ${why}, so it counts for nothing`);
  }
}

/** Names that are told of how many. */
const OVERDUE_NAMED = 5;

function overdueBeside(overdue: readonly string[] = []): string {
  if (overdue.length === 0) return '';
  const more = overdue.length > OVERDUE_NAMED ? ` and ${String(overdue.length - OVERDUE_NAMED)} more` : '';
  return `, and ${overdue.slice(0, OVERDUE_NAMED).join(', ')}${more} ${overdue.length === 1 ? 'was' : 'were'} overdue`;
}
