import type { ClusterState, FailingAlert } from '@systole/cluster';
import type { WaitingReports } from '../access/node-report-budgets.js';
import { unwritableText, type Unwritable } from '../watches/log-watch.js';
import { skewedClocksText, type SkewedClock } from './node-clocks.js';
import type { LapsedLease } from '../watches/worker-watch.js';
import { untoldNotes } from './reduced-troubles.js';
import type { NodeDto, SafetyNoteDto, StatusDto, TroubleDto } from './status.dto.js';
import { policyText } from './without-quorum.js';

/** Names that a text lists before it only counts. */
const NAMED = 3;
/** So often a node has to call transitions off, with none completed in between, before it is said. */
const KEPT_BUSY = 5;

/** What troubles are told from. */
export interface ClusterFacts extends Pick<StatusDto, 'nodes' | 'quorum' | 'resources' | 'failures' | 'planningFailed' | 'stopping'> {
  /** What runs and is likelier to fail (`degradedIn`). */
  readonly degraded?: StatusDto['degraded'];
  readonly waitingReports?: readonly WaitingReports[];
  /** Why nothing is planned yet, though it is due. */
  readonly planningHeld?: string | undefined;
  /** For how long no worker was heard of, ms, when that is too long. */
  readonly workersSilentForMs?: number | undefined;
  /** For how long nobody could look whether workers are there, ms. */
  readonly blindForMs?: number | undefined;
  /** Why, where that is known. */
  readonly blindBecause?: string | undefined;
  /** What keeps events from being stored. */
  readonly unwritable?: Unwritable | undefined;
  /** Leases that are over, of which no worker has said so. */
  readonly lapsed?: readonly LapsedLease[];
  /** What is to be said of the clock that dates events. */
  readonly clock?: string | undefined;
  readonly skewedClocks?: readonly SkewedClock[];
  /** Alerts whose programs fail (`failingAlerts`). */
  readonly alerts?: readonly FailingAlert[];
  /** Fencing that fails (`fencingTroubles`). */
  readonly fencing?: readonly TroubleDto[];
  /** Services that are down though they should run (`downTroubles`). */
  readonly down?: readonly TroubleDto[];
  /** What the configuration leaves undone or unguarded (`reducedTroubles`). */
  readonly reduced?: readonly TroubleDto[];
  /** What reduces safety, in full. */
  readonly safety?: readonly SafetyNoteDto[];
  /** Of the cluster's state: events that could not be applied in full, newest last. */
  readonly problems?: ClusterState['problems'];
  /** Of the cluster's state: who called transitions off since one was last completed. */
  readonly disturbances?: ClusterState['disturbances'];
}

/**
 * Everything that is wrong in a cluster, the worst first: what every client shows before anything else. A cluster that came to rest in ruins is settled,
 * and is not well.
 */
export function troublesOf({
  nodes,
  quorum,
  resources,
  failures,
  degraded = [],
  planningFailed,
  stopping,
  waitingReports = [],
  alerts = [],
  fencing = [],
  planningHeld,
  workersSilentForMs,
  blindForMs,
  blindBecause,
  unwritable,
  lapsed = [],
  clock,
  skewedClocks = [],
  down = [],
  reduced = [],
  safety = [],
  problems = [],
  disturbances = {},
}: ClusterFacts): readonly TroubleDto[] {
  const unclean = nodes.filter((node) => node.unclean);
  // Of a log that went back nodes may have joined: what it has lost nobody knows.
  const awaited = safety.some(({ code }) => code === 'node-unheard') ? [] : awaitedNodes(nodes);
  const offline = nodes.filter(({ online }) => !online);
  const failed = resources.flatMap(failedIn);
  const inMaintenance = nodes.filter(({ maintenance }) => maintenance);
  const troubles: readonly (TroubleDto | false)[] = [
    unwritable !== undefined && bad('log-unwritable', unwritableText(unwritable)),
    workersSilentForMs !== undefined && bad('no-worker', noWorkerText(workersSilentForMs)),
    blindForMs !== undefined && bad('server-blind', blindText(blindForMs, blindBecause)),
    lapsed.length > 0 && bad('lease-unjudged', lapsed.map(lapsedText).join('; ')),
    planningFailed !== undefined &&
      bad(
        'planning-failed',
        `nothing is planned since ${planningFailed.since} (${String(planningFailed.tries)} tries): ${planningFailed.reason}`,
      ),
    ...fencing,
    ...reduced.filter(({ level }) => level === 'bad'),
    awaited.length === 0 && unclean.length > 0 && bad('unclean-nodes', `unclean: ${named(unclean.map(nameOf), nodes.length, 'nodes')}`),
    quorum?.quorate === false && bad('no-quorum', noQuorumText(quorum, planningHeld)),
    awaited.length === 0 && nodes.length > 0 && offline.length === nodes.length && bad('no-node-online', 'no node is online'),
    failed.length > 0 && bad('failed-resources', `failed: ${named(failed, undefined, 'resources')}`),
    ...down.filter(({ level }) => level === 'bad'),
    awaited.length > 0 && warn('nobody-joined', nobodyJoinedText(awaited)),
    ...down.filter(({ level }) => level === 'warn'),
    ...reduced.filter(({ level }) => level === 'warn'),
    inMaintenance.length > 0 && warn('nodes-maintenance', `in maintenance: ${named(inMaintenance.map(nameOf), nodes.length, 'nodes')}`),
    stopping !== undefined && warn('stopping', stoppingText(stopping)),
    offline.length > 0 &&
      offline.length < nodes.length &&
      warn('nodes-offline', `offline: ${named(offline.map(nameOf), nodes.length, 'nodes')}`),
    failures.length > 0 &&
      warn('failed-operations', failures.length === 1 ? '1 failed operation' : `${String(failures.length)} failed operations`),
    degraded.length > 0 && warn('degraded-resources', `degraded: ${named(degraded.map(degradedText), undefined, 'resources')}`),
    alerts.length > 0 && warn('alerts-failing', alertsText(alerts)),
    problems.length > 0 && warn('unapplied-events', problemsText(problems)),
    ...Object.entries(disturbances).flatMap(([node, { count, reason }]) =>
      count < KEPT_BUSY ? [] : warn('kept-busy', keptBusyText(node, count, reason)),
    ),
    clock !== undefined && warn('clock-stepped', clock),
    skewedClocks.length > 0 && warn('clock-skew', skewedClocksText(skewedClocks)),
    ...untoldNotes(safety),
    waitingReports.length > 0 && warn('report-budget', `reports wait: ${waitingReports.map(waitingText).join(', ')}`),
  ];
  return troubles.filter((trouble) => trouble !== false);
}

/** @param blindForMs since this process could look last @param because why, where that is known */
export function blindText(blindForMs: number, because = 'the database does not answer, or it has too much to do'): string {
  return `this server could not look for ${seconds(blindForMs)} whether workers are there and leases are judged: ${because}`;
}

/** @param silentForMs since one was heard of */
export function noWorkerText(silentForMs: number): string {
  return `no worker was heard of for ${seconds(silentForMs)}: nothing is planned, fenced or recovered until one is started`;
}

function degradedText({ resource, node, exitReason }: StatusDto['degraded'][number]): string {
  return `${resource} on ${node}${exitReason === undefined ? '' : ` (${exitReason})`}`;
}

/** Alert by alert, with what the newest failure said. */
function alertsText(alerts: readonly FailingAlert[]): string {
  const texts = [...new Set(alerts.map(({ alert }) => alert))].map((alert) => {
    const failing = alerts.filter((one) => one.alert === alert);
    const nodes = [...new Set(failing.map(({ node }) => node))];
    const { outcome, rc, detail } = failing.reduce((one, other) => (other.run > one.run ? other : one));
    const how = [rc === undefined ? outcome : `exit code ${String(rc)}`, ...(detail === undefined ? [] : [detail])].join(': ');
    return `${alert} on ${named(nodes, undefined, 'nodes')} (${how})`;
  });
  return `alerts that tell nobody: ${texts.length > NAMED ? `${String(texts.length)} of them, such as ` : ''}${texts.slice(0, NAMED).join('; ')}`;
}

function keptBusyText(node: string, count: number, reason: string): string {
  return `what ${node} reports has called off ${String(count)} transitions since one was last completed, the last time: ${reason}`;
}

function lapsedText({ node, forMs }: LapsedLease): string {
  return `the lease of ${node} ran out ${seconds(forMs)} ago and nobody has acted`;
}

function seconds(ms: number): string {
  return `${String(Math.floor(ms / 1_000))} s`;
}

function bad(code: string, text: string): TroubleDto {
  return { code, level: 'bad', text };
}

function warn(code: string, text: string): TroubleDto {
  return { code, level: 'warn', text };
}

function problemsText(problems: ClusterState['problems']): string {
  const newest = problems.at(-1);
  const count = problems.length === 1 ? '1 event' : `${String(problems.length)} events`;
  return `${count} could not be applied in full; the newest is version ${String(newest?.version)}: ${newest?.text ?? ''}`;
}

function waitingText({ node, kind, of }: WaitingReports): string {
  if (kind === 'configurations') return `${node} changes the configuration too often`;
  return kind === 'disturbances'
    ? `${node} calls off too often what the cluster is about to do`
    : `${node} is above its budget of ${of} of ${kind}`;
}

function noQuorumText({ votes, expectedVotes, policy }: NonNullable<StatusDto['quorum']>, planningHeld: string | undefined): string {
  const text = `no quorum: ${String(votes)} of ${String(expectedVotes)} votes`;
  return policy === undefined ? text : `${text}; ${policyText(policy, planningHeld)}`;
}

/** What is waited for, together where the reason is the same. */
function stoppingText({ waitsFor }: NonNullable<StatusDto['stopping']>): string {
  const reasons = new Map<string, string[]>();
  for (const { name, text } of waitsFor) reasons.set(text, [...(reasons.get(text) ?? []), name]);
  const waits = [...reasons].map(([text, names]) => `${named(names, undefined, 'resources or nodes')} (${text})`);
  const until = waits.length === 0 ? '' : `: waiting for ${waits.join(', ')}`;
  return `everything is being stopped, then the cluster is deleted, unless you cancel the deletion${until}`;
}

/** The nodes of a new cluster, of which none has ever joined: what they run is not known, and nothing is wrong with that. */
export function awaitedNodes(nodes: readonly NodeDto[]): readonly NodeDto[] {
  const members = nodes.filter(({ kind }) => kind === 'cluster');
  return members.every(({ membership }) => membership === 'unknown') ? members : [];
}

function nobodyJoinedText(nodes: readonly NodeDto[]): string {
  const names = named(nodes.map(nameOf), undefined, 'nodes');
  return `${names} never joined: nothing is done before the first agent is started`;
}

function nameOf({ name }: NodeDto): string {
  return name;
}

/** `a, b`, and from the fourth on only how many: `17 of 32 nodes`. */
function named(names: readonly string[], of: number | undefined, what: string): string {
  if (names.length <= NAMED) return names.join(', ');
  return of === undefined ? `${String(names.length)} ${what}` : `${String(names.length)} of ${String(of)} ${what}`;
}

/** Ids of the resources that have failed: the innermost that say so. */
function failedIn({ id, failed, children }: StatusDto['resources'][number]): readonly string[] {
  const inside = children.flatMap(failedIn);
  return failed && inside.length === 0 ? [id] : inside;
}
