import { Inject, Injectable } from '@nestjs/common';
import {
  configuredNodes,
  epochVersion,
  failingAlerts,
  leftRunning,
  mayRun,
  memberOf,
  nodeStateOf,
  planningHold,
  resourcesWithHistory,
  unheardNodes,
  type ClusterEvent,
  type ClusterState,
} from '@systole/cluster';
import type { AdvanceFailure, AdvanceFailures, NodeLease, NodeLeases } from '@systole/control-plane';
import { EventStore } from '@systole/event-store';
import { inSlices, slices } from '@systole/read-models';
import { unfencedText, type NodeSummary } from '@systole/scheduler';
import { NodeReportBudgets } from '../access/node-report-budgets.js';
import { ADVANCE_FAILURES, NODE_LEASES } from '../api-settings.js';
import type { XmlElement } from '@systole/cib';
import { ClusterHistory, type ClusterAtVersion } from '../reads/cluster-history.js';
import type { Caller } from '../computing/caller.js';
import type { Picture } from '../computing/task.js';
import { untilGone } from '../computing/until-gone.js';
import { jsonPieces } from '../http/json-pieces.js';
import { HttpProblem } from '../http/problem.js';
import { findingsIn, withFurtherFindings } from '../findings/shown-findings.js';
import { NodeAgents } from '../metadata/node-agents.js';
import { ErasedReferences } from '../reads/erased-references.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { ElapsedTimes } from './elapsed-times.js';
import { isSettled, leaseWaitText, unheardText, type Unrest } from './settled.js';
import { degradedIn } from './degraded.js';
import { pendingIn, withPending } from './pending-operations.js';
import { failCountsIn, failuresIn } from './failures.js';
import { fencingTroubles } from './fencing-troubles.js';
import { skewedClocks } from './node-clocks.js';
import { withHeldStarts } from './held-starts.js';
import { LostTail } from './lost-tail.js';
import { downTroubles } from './down-troubles.js';
import { isKeptStopped, reducedTroubles } from './reduced-troubles.js';
import { protectionOf } from './node-protection.js';
import { safetyNotes } from './safety-notes.js';
import { withStoppedOnPurpose } from './stopped-on-purpose.js';
import { isWhole, selectedOf, type StatusSelection } from './selection.js';
import { SharedAnswers, type SharedAnswer } from './shared-answers.js';
import { countsOf } from './status-counts.js';
import { UNKNOWN_OF_THE_PAST, type NodeDto, type NodeModeDto, type StatusDto } from './status.dto.js';
import { ticketsIn } from './tickets-in.js';
import { RunningTransition } from './running-transition.js';
import { stoppingOf } from './stopping-waits.js';
import { awaitedNodes, troublesOf } from './troubles.js';
import { unsettledBecause } from './unsettled.js';
import { withUnknownPlaces, type SilentNode } from './unknown-places.js';
import { policyInForce } from './without-quorum.js';
import { NodeModes, type ModesByNode } from './node-modes.js';
import { clockText, ClockWatch } from '../watches/clock-watch.js';
import { LogWatch } from '../watches/log-watch.js';
import type { PastMoment } from '../reads/past-versions.js';
import { withAllWrongs, wrongWithNode } from './wrong.js';
import { WorkerWatch } from '../watches/worker-watch.js';

/** Clusters whose newest picture is kept. */
const KEPT = 64;

interface KnownPicture {
  /** Of which it is. */
  readonly cib: WeakRef<XmlElement>;
  readonly now: number;
  readonly schedule: Promise<Picture>;
  /** As soon as it is known. */
  timeless: boolean;
}

/** Of the past nobody knows more than the log says. */
const CALM: Unrest = { workersSilentForMs: undefined, blindForMs: undefined, unwritable: undefined, lapsed: [], leaseWaits: [] };

const NO_MODES: ModesByNode = new Map();

/** Leases, and what else a status tells that is no event, may be as old as this, ms. */
const LONGEST_FRESH_MS = 1_000;
/** Of an answer shorter than this, in bytes, what is new is told nearly at once: it is soon made. */
const SHORT_BYTES = 16 * 1024;
const FRESH_BYTES_PER_MS = { short: 512, long: 64 };

function freshForMs(bytes: number): number {
  return Math.min(LONGEST_FRESH_MS, bytes / (bytes < SHORT_BYTES ? FRESH_BYTES_PER_MS.short : FRESH_BYTES_PER_MS.long));
}

/** Which moment is looked at, and for whom. */
interface Past {
  readonly at: PastMoment;
  readonly caller: Caller;
}

/** The present is everybody's: it is computed to its end, whoever goes. */
interface Present {
  readonly at?: undefined;
  /** Undefined: somebody waits to the end. */
  readonly gone?: AbortSignal;
}

type Moment = Past | Present;

/** How a cluster is, and the document whose tags are meant in questions about it. */
export interface PresentStatus {
  readonly status: StatusDto;
  readonly cib: XmlElement;
}

/** What of a status was asked for; what concerns the cluster as a whole stays as it is. @throws {HttpProblem} 404 for what is selected and is not there */
export function selectedStatus(status: StatusDto, selection: StatusSelection, cib: XmlElement): StatusDto {
  return isWhole(selection) ? status : Object.assign({}, status, selectedOf(status, selection, cib));
}

/** Its JSON. */
function* wholeText(status: StatusDto): Generator<void, Uint8Array, undefined> {
  const pieces: Uint8Array[] = [];
  for (const piece of jsonPieces(status)) {
    pieces.push(piece);
    yield;
  }
  return Buffer.concat(pieces);
}

/** What status takes from a schedule. */
type Seen = Picture & { readonly broken?: string };

/** How a cluster is, or was: roles and places of resources as the scheduler itself sees them in the history. */
@Injectable()
export class StatusView {
  readonly #pictures = new Map<string, KnownPicture>();
  readonly #shared: SharedAnswers<PresentStatus>;
  readonly #sharedNodes: SharedAnswers<readonly NodeDto[]>;

  constructor(
    private readonly history: ClusterHistory,
    private readonly store: EventStore<ClusterEvent>,
    @Inject(NODE_LEASES) private readonly leases: NodeLeases,
    @Inject(ADVANCE_FAILURES) private readonly failures: AdvanceFailures,
    private readonly preview: SchedulePreview,
    private readonly budgets: NodeReportBudgets,
    private readonly elapsedTimes: ElapsedTimes,
    private readonly workers: WorkerWatch,
    private readonly clockWatch: ClockWatch,
    private readonly logWatch: LogWatch,
    private readonly modes: NodeModes,
    private readonly lostTail: LostTail,
    private readonly running: RunningTransition,
    private readonly agents: NodeAgents,
    private readonly erased: ErasedReferences,
  ) {
    const present = (clusterId: string): Promise<ClusterAtVersion> => history.at(clusterId, undefined);
    this.#shared = new SharedAnswers(present, freshForMs);
    this.#sharedNodes = new SharedAnswers(present, freshForMs);
  }

  /**
   * @param at as it was then; as it is at present when undefined
   * @param selection what of it is asked for; everything when left out
   * @throws {HttpProblem} 404 for a version, or what is selected, that is not there
   */
  async status(clusterId: string, caller: Caller, at?: PastMoment, selection: StatusSelection = {}): Promise<StatusDto> {
    const looked = await this.history.at(clusterId, at);
    const moment = at === undefined ? { gone: caller.gone } : { at, caller };
    return selectedStatus(await this.#whole(clusterId, looked, moment), selection, looked.state.cib);
  }

  /** The status at present, made once for all who ask for it at about the same time. */
  present(clusterId: string): Promise<SharedAnswer<PresentStatus>> {
    return this.#shared.of(clusterId, 'status', async (looked) => {
      const status = await this.#whole(clusterId, looked, {});
      return { value: { status, cib: looked.state.cib }, text: await inSlices(wholeText(status)) };
    });
  }

  /** Whether a worker looks after the clusters. */
  get isLookedAfter(): boolean {
    return this.workers.silentForMs() === undefined;
  }

  async #whole(clusterId: string, { state, now }: ClusterAtVersion, moment: Moment): Promise<StatusDto> {
    const { at } = moment;
    const [schedule, leases, failure, elapsed, aheadMs, transition, agents, erased] = await Promise.all([
      this.#scheduleOrNone(clusterId, state, now, moment),
      this.#leases(clusterId, at),
      at === undefined ? this.failures.of(clusterId) : undefined,
      at === undefined ? this.elapsedTimes.of(clusterId) : (_cause: string, moment: number) => now * 1_000 - moment,
      at === undefined ? this.store.datedAheadMs(clusterId) : 0,
      this.running.of(clusterId, state, at === undefined),
      // What nodes had at another time nobody knows.
      at === undefined ? this.agents.known(clusterId) : undefined,
      this.erased.findings(clusterId, state.cib),
    ]);
    const modes = at === undefined ? await this.modes.of(clusterId, state, schedule.nodes) : NO_MODES;
    const lost = at === undefined ? await this.lostTail.notes(clusterId, state, now * 1_000) : [];
    const { name, cib, recompute } = state;
    const planning = recompute === undefined ? undefined : planningHold(state, elapsed, now * 1_000);
    const unrest = at === undefined ? this.#unrest(state, leases, now * 1_000) : CALM;
    const unclean = schedule.nodes.filter((node) => node.unclean).map((node) => node.name);
    // Of thousands of resources each of these takes a while.
    const turn = slices();
    const places = await inSlices(withUnknownPlaces(schedule.resources, schedule.probes, silentNodes(state, unclean)));
    const held = withHeldStarts(places, state, now * 1_000);
    await turn();
    const hold = planning?.reason ?? held.reason ?? (at === undefined ? this.#held(state, leases, now * 1_000) : undefined);
    const safety = [...lost, ...safetyNotes(state, unclean, elapsed, now * 1_000, planning?.reason)];
    await turn();
    const planningFailed = planningFailureOf(failure, schedule);
    const keptStopped = state.stopping !== undefined || isKeptStopped(state, now * 1_000);
    const degraded = degradedIn(cib);
    const shown = withPending(withStoppedOnPurpose(held.resources, cib), pendingIn(transition?.open, state, now * 1_000));
    const facts = {
      ...(planningFailed === undefined ? {} : { planningFailed }),
      nodes: nodesOf(state, schedule, leases, modes),
      resources: await inSlices(withAllWrongs(shown, keptStopped, degraded)),
      failures: failuresIn(cib),
      degraded,
      ...quorumOf(state, now * 1_000),
      ...(state.stopping === undefined ? {} : { stopping: stoppingOf(state, state.stopping, schedule, now * 1_000) }),
    };
    await turn();
    const troubles = troublesOf({
      ...facts,
      workersSilentForMs: unrest.workersSilentForMs,
      unwritable: unrest.unwritable,
      blindForMs: unrest.blindForMs,
      blindBecause: this.workers.blindBecause,
      lapsed: unrest.lapsed,
      planningHeld: planning?.reason,
      clock: at === undefined ? clockText(this.clockWatch.newest, aheadMs, this.clockWatch.ownAheadMs) : undefined,
      skewedClocks: skewedClocks(state),
      alerts: failingAlerts(state, now * 1_000),
      fencing: fencingTroubles(state, now * 1_000),
      // Before anybody has counted votes nothing is planned, and nothing down yet.
      down: state.quorum === undefined ? [] : downTroubles(facts.resources),
      reduced: reducedTroubles(state, now * 1_000),
      safety,
      problems: state.problems,
      disturbances: state.disturbances ?? {},
      waitingReports: at === undefined ? this.budgets.waiting(clusterId) : [],
    });
    return {
      clusterId,
      name,
      ...epochVersion(state),
      settled: isSettled(state, unrest, now * 1_000),
      health: troubles[0]?.level ?? 'good',
      ...(at === undefined ? {} : { past: { at: new Date(now * 1_000).toISOString(), unknown: UNKNOWN_OF_THE_PAST } }),
      counts: countsOf(facts.nodes, facts.resources),
      troubles,
      ...facts,
      ...(recompute === undefined ? {} : { recompute: recompute.reason }),
      ...(hold === undefined ? {} : { hold }),
      ...(transition === undefined ? {} : { transition: transition.shown }),
      failCounts: failCountsIn(state, now * 1_000),
      fencing: pendingFencing(state),
      tickets: ticketsIn(state.cib),
      safety,
      messages: messagesOf(schedule, facts.nodes),
      findings: withFurtherFindings(schedule.findings, cib, agents, erased),
    };
  }

  /** Whether a cluster is at rest at present, as its status says. @param now epoch ms, for rules */
  async isSettled(clusterId: string, state: ClusterState, now: number): Promise<boolean> {
    // Most looks of who waits for a cluster that is busy need no more than its state.
    if (!isSettled(state, CALM, now)) return false;
    return isSettled(state, this.#unrest(state, await this.leases.ofCluster(clusterId), now), now);
  }

  /** What keeps a cluster from being at rest at present, as far as it is known without a computation; for people. */
  async knownReasons(clusterId: string): Promise<readonly string[]> {
    const { state, now } = await this.history.at(clusterId, undefined);
    const [leases, elapsed, transition] = await Promise.all([
      this.leases.ofCluster(clusterId),
      this.elapsedTimes.of(clusterId),
      this.running.of(clusterId, state, true),
    ]);
    const { recompute } = state;
    const planning = recompute === undefined ? undefined : planningHold(state, elapsed, now * 1_000);
    const hold = planning?.reason ?? this.#held(state, leases, now * 1_000);
    return unsettledBecause({
      troubles: [],
      ...(recompute === undefined ? {} : { recompute: recompute.reason }),
      ...(hold === undefined ? {} : { hold }),
      ...(transition === undefined ? {} : { transition: transition.shown }),
    });
  }

  /** What is waited for before anything is done, where it is not the plan. @param now epoch ms */
  #held(state: ClusterState, leases: readonly NodeLease[], now: number): string | undefined {
    const [leaseWait] = this.workers.waits(state, leases, now);
    if (leaseWait !== undefined) return leaseWaitText(leaseWait);
    return state.transition === undefined && state.recompute === undefined ? undefined : unheardText(this.workers.unheard(state, leases));
  }

  #unrest(state: ClusterState, leases: readonly NodeLease[], now: number): Unrest {
    return {
      workersSilentForMs: this.workers.silentForMs(),
      unwritable: this.logWatch.trouble,
      blindForMs: this.workers.blindForMs(),
      lapsed: this.workers.lapsed(state, leases, now),
      leaseWaits: this.workers.waits(state, leases, now),
    };
  }

  /** All nodes at present, made once for all who ask for them at about the same time. */
  presentNodes(clusterId: string): Promise<SharedAnswer<readonly NodeDto[]>> {
    return this.#sharedNodes.of(clusterId, 'nodes', async (looked) => {
      const items = await this.#nodes(clusterId, looked, {});
      return { value: items, text: Buffer.from(JSON.stringify({ items })) };
    });
  }

  async pastNodes(clusterId: string, caller: Caller, at: PastMoment): Promise<readonly NodeDto[]> {
    return this.#nodes(clusterId, await this.history.at(clusterId, at), { at, caller });
  }

  async #nodes(clusterId: string, { state, now }: ClusterAtVersion, moment: Moment): Promise<readonly NodeDto[]> {
    const [schedule, leases] = await Promise.all([this.#scheduleOrNone(clusterId, state, now, moment), this.#leases(clusterId, moment.at)]);
    const modes = moment.at === undefined ? await this.modes.of(clusterId, state, schedule.nodes) : NO_MODES;
    return nodesOf(state, schedule, leases, modes);
  }

  /** Leases are of the present only: they leave no events. */
  async #leases(clusterId: string, at: PastMoment | undefined): Promise<readonly NodeLease[]> {
    return at === undefined ? this.leases.ofCluster(clusterId) : [];
  }

  /** Status has to answer also when the scheduler does not: then with what the log itself says, and why it is no more. */
  async #scheduleOrNone(clusterId: string, state: ClusterState, now: number, moment: Moment): Promise<Seen> {
    try {
      return await this.#schedule(clusterId, state, now, moment);
    } catch (error) {
      if (error instanceof HttpProblem) throw error;
      const text = `the scheduler breaks on this cluster: ${error instanceof Error ? error.message : String(error)}`;
      return {
        nodes: [],
        resources: [],
        probes: [],
        messages: [{ level: 'error', text }],
        findings: findingsIn(state.cib),
        timeless: false,
        broken: text,
      };
    }
  }

  /** The past is computed for whoever asks, the present once for everybody. */
  #schedule(clusterId: string, { cib }: ClusterState, now: number, moment: Moment): Promise<Picture> {
    const known = this.#pictures.get(clusterId);
    const isKnown = known?.cib.deref() === cib && (known.now === now || known.timeless);
    if (moment.at !== undefined) return isKnown ? known.schedule : this.preview.past({ clusterId, cib, now }, moment.caller);
    const { schedule } = isKnown ? known : this.#present(clusterId, cib, now);
    return untilGone(schedule, moment.gone);
  }

  #present(clusterId: string, cib: XmlElement, now: number): KnownPicture {
    const picture: KnownPicture = {
      cib: new WeakRef(cib),
      now,
      schedule: this.preview.present(clusterId, cib, now),
      timeless: false,
    };
    this.#pictures.delete(clusterId);
    this.#pictures.set(clusterId, picture);
    picture.schedule.then(
      ({ timeless }) => {
        picture.timeless = timeless;
      },
      () => {
        if (this.#pictures.get(clusterId) === picture) this.#pictures.delete(clusterId);
      },
    );
    for (const oldest of this.#pictures.keys()) {
      if (this.#pictures.size <= KEPT) break;
      this.#pictures.delete(oldest);
    }
    return picture;
  }
}

/** As the worker says; before it has tried, as it was just seen here. */
function planningFailureOf(failure: AdvanceFailure | undefined, { broken }: Seen): StatusDto['planningFailed'] {
  if (failure !== undefined) return { since: failure.since, tries: failure.tries, reason: failure.reason };
  return broken === undefined ? undefined : { since: new Date().toISOString(), tries: 0, reason: broken };
}

/** That nothing is fenced before anybody joined is no news. */
function messagesOf({ messages }: Seen, nodes: readonly NodeDto[]): StatusDto['messages'] {
  const expected = new Set(awaitedNodes(nodes).map(({ name }) => unfencedText(name)));
  return expected.size === 0 ? messages : messages.filter(({ text }) => !expected.has(text));
}

function quorumOf(state: ClusterState, now: number): Pick<StatusDto, 'quorum'> {
  const { quorum } = state;
  if (quorum === undefined) return {};
  const { quorate, votes, expectedVotes } = quorum;
  const policy = policyInForce(state, now);
  return { quorum: { quorate, votes, expectedVotes, ...(policy === undefined ? {} : { policy }) } };
}

/** Nodes that can't be asked: those that may run something, or were left running something, and all before anybody joined. */
function silentNodes(state: ClusterState, unclean: readonly string[]): readonly SilentNode[] {
  const nobodyJoined = Object.keys(state.nodes).length === 0;
  const names = new Set([...unclean, ...unheardNodes(state), ...(nobodyJoined ? configuredNodes(state.cib).map(({ name }) => name) : [])]);
  const silent = [...names].map((name): SilentNode => {
    const member = memberOf(state, name);
    const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
    return { name, asked: new Set(nodeState === undefined ? [] : resourcesWithHistory(nodeState)) };
  });
  return [...silent, ...leftRunning(state).map(({ node, resources }) => ({ name: node, leftRunning: new Set(resources) }))];
}

/** Every node that is configured, that an agent joined for, or that the scheduler knows; configured ones first. */
function nodesOf(state: ClusterState, schedule: Seen, leases: readonly NodeLease[], modes: ModesByNode): readonly NodeDto[] {
  const names = new Set([
    ...configuredNodes(state.cib).map(({ name }) => name),
    // One that was removed, or has another name since, is a node of the past.
    ...Object.values(state.nodes).flatMap((member) => (mayRun(member) ? [member.name] : [])),
    ...schedule.nodes.map(({ name }) => name),
  ]);
  const seen = new Map(schedule.nodes.map((node) => [node.name, node]));
  const leased = new Map(leases.map((lease) => [lease.node, lease]));
  return [...names].map((name) => nodeOf(name, state, seen.get(name), leased.get(name), modes.get(name)));
}

function nodeOf(
  name: string,
  state: ClusterState,
  seen: NodeSummary | undefined,
  lease: NodeLease | undefined,
  modes: readonly NodeModeDto[] | undefined,
): NodeDto {
  const member = memberOf(state, name);
  const protection = (seen?.kind ?? 'cluster') === 'cluster' ? protectionOf(state, name) : undefined;
  const node: Omit<NodeDto, 'wrong'> = {
    name,
    id: seen?.id ?? member?.id ?? name,
    kind: seen?.kind ?? member?.kind ?? 'cluster',
    membership: member?.membership ?? 'unknown',
    ...(member === undefined ? {} : { incarnation: member.incarnation, agentVersion: member.agentVersion, since: member.since }),
    ...(member?.actionLimit === undefined ? {} : { actionLimit: member.actionLimit }),
    ...(lease === undefined ? {} : { lease: { leaseMs: lease.leaseMs, expiresAt: lease.expiresAt, renewedAt: lease.renewedAt } }),
    ...(protection === undefined ? {} : { protection }),
    online: seen?.online ?? false,
    unclean: seen?.unclean ?? false,
    standby: seen?.standby ?? false,
    maintenance: seen?.maintenance ?? false,
    ...(modes === undefined ? {} : { modes }),
    pending: seen?.pending ?? false,
    shutdown: seen?.shutdown ?? member?.shutdownRequested ?? false,
  };
  const wrong = wrongWithNode(node);
  return wrong.length === 0 ? node : { ...node, wrong };
}

function pendingFencing({ fencing }: ClusterState): StatusDto['fencing'] {
  return Object.values(fencing).map(({ target, action, device, executor, attempt }) => ({ target, action, device, executor, attempt }));
}
