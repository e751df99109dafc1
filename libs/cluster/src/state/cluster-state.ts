import { element, type XmlElement } from '@systole/cib';
import type { Tellings } from '../epoch/tellings.js';
import type {
  AlertFailed,
  DebugOperationRequested,
  FencingCompleted,
  FencingRequested,
  JoinAttempt,
  NodeTrouble,
  OperationStatus,
} from '../events/cluster-event.js';
import type { PlannedMigration } from '../events/transitions.js';
import type { DampenedAttribute } from './dampening.js';
import { emptyMap } from './persistent-map.js';
import type { RecentResults } from './recent-results.js';
import type { TransitionResults } from './transition-results.js';

/**
 * Schema number of `ClusterState` as JSON. A snapshot is usable only when it was saved under this number; otherwise fold from the start.
 * Raise it with every change of the shape or of what `evolve` computes.
 */
export const CLUSTER_STATE_SCHEMA = 43;

/**
 * The fold of one cluster's stream. Plain JSON-safe data (a snapshot is its JSON); never modified in place, and
 * successive states share everything that an event did not touch.
 */
export interface ClusterState {
  /** Stream version of the last event folded in; 0 before the first. */
  readonly version: number;
  readonly existence: 'none' | 'active' | 'deleted';
  readonly name: string;
  /** Everything is being stopped, for the cluster to be deleted then. */
  readonly stopping?: StoppingCluster;
  /** Absent in the first epoch, whose id is the cluster's. */
  readonly epoch?: BegunEpoch;
  /**
   * The CIB: element `cib` with `configuration` and `status`, the latter in Pacemaker's history format. What the scheduler reads
   * (`readCib(state.cib)`) and what `GET …/cib` serves.
   */
  readonly cib: XmlElement;
  /** Stream version of the newest event that changed the configuration; 0 before the first. A node's entry that its join made is none of those. */
  readonly configuredAt: number;
  /** Stream version of the newest event that changed anything of the configuration, the entry that a join makes included: what was read of it since then is the same. */
  readonly configurationVersion: number;
  /** By node name. Only nodes of which something was heard: joined once, or confirmed down by a person or a fence device. */
  readonly nodes: Readonly<Record<string, NodeMember>>;
  readonly recentResults: RecentResults;
  /** Absent until the first QuorumChanged; then as it said last. */
  readonly quorum?: QuorumState;
  /** The transition that is running or aborting; absent when none is. */
  readonly transition?: TransitionState;
  /** 0 before the first transition. The next one is this plus 1. */
  readonly lastTransitionNumber: number;
  /** Why and since which version a new computation is needed; absent when the newest plan has seen everything that matters. */
  readonly recompute?: Recompute;
  /** What nodes said of their own accord that called transitions off since one was last completed, by node name; absent when nothing did. */
  readonly disturbances?: Readonly<Record<string, Disturbance>>;
  /** Epoch seconds at which the newest plan asked to be computed again. */
  readonly recheckBy?: number;
  /** The last planned transition's number, version, digest: kept after its completion, for `replay` and for status. */
  readonly lastPlanned?: PlannedTransition;
  /** Attempts of fencing without an outcome yet, by fencing id. */
  readonly fencing: Readonly<Record<string, PendingFencing>>;
  /**
   * Targets whose fencing failed since it last succeeded, by node name; bounded by `stonith-max-attempts` (see `fencingStep`). Forgotten when the
   * node joins, or when fencing is configured anew or a fence device is cleaned up.
   */
  readonly fencingFailures: Readonly<Record<string, FencingFailures>>;
  /** ISO time of the newest request to fence a node that no person had asked for, by node name: what the limit on fencing counts. */
  readonly fencedAt: Readonly<Record<string, string>>;
  /** ISO times at which nodes were fenced that no person had asked for, by node name, oldest first: of each the newest ones, of ten minutes before its newest; absent when none was. */
  readonly fencings?: Readonly<Record<string, readonly string[]>>;
  /** Nodes that may be fenced whatever the limit on fencing says, because a person allowed it. */
  readonly fencingAllowed: readonly string[];
  /** ISO time of the NodeJoined that ended a period without any joined node; the start of `dc-deadtime` (see `startupHold`). */
  readonly firstJoinAt?: string;
  /** Stream version of that event: what came before what is told by versions, as clocks are set back. */
  readonly firstJoinVersion?: number;
  /** Transient attributes whose changes are held back, or would be, by name; absent: none. */
  readonly dampened?: Readonly<Record<string, DampenedAttribute>>;
  /** Names of the permanent attributes that an agent wrote last, by node name; absent: none. Some of them may be gone with the configuration. */
  readonly writtenByAgents?: Readonly<Record<string, readonly string[]>>;
  /** Alerts whose programs did not end well on a node when they were run last (`failingAlerts`); absent: none. */
  readonly failingAlerts?: readonly FailingAlert[];
  /** Events that could not be applied in full (an element change that names nothing, …), newest last, at most 20: for people. */
  readonly problems: readonly { readonly version: number; readonly text: string }[];
}

/** What its AlertFailed says. */
export type FailingAlert = AlertFailed['data'] & {
  /** ISO time. */
  readonly since: string;
};

/**
 * - `joined`: holds a lease.
 * - `lost`: its lease ran out; unclean until fencing succeeds or a person confirms that it is down.
 * - `left`: said goodbye after stopping its resources.
 * - `down`: fenced, or confirmed down by a person.
 * - `unheard`: the log went back in time, and nothing was heard of the node since; unclean like a lost one unless it had left or was down.
 */
export type NodeMembership = 'joined' | 'lost' | 'left' | 'down' | 'unheard';

/** How often, since a transition was last completed, what a node said of its own accord called one off, and what that was the last time, for people. */
export interface Disturbance {
  readonly count: number;
  readonly reason: string;
}

export interface StoppingCluster {
  /** ISO time. */
  readonly since: string;
  /** Of the request to stop. */
  readonly correlationId: string;
  readonly reason?: string;
  /** As its ClusterStopping says. */
  readonly restore?: { readonly value?: string };
  /** The log went back since: it may have been called off in the lost tail. What is stopped stays so, and nothing is deleted, until somebody asks for it again. */
  readonly ofBefore?: true;
}

/** A resource that was sent to a node. */
export type SentResource = Pick<PlannedMigration, 'resource' | 'target'>;

/** An attribute of a node. */
export interface NamedAttribute {
  /** Name of the node. */
  readonly node: string;
  readonly name: string;
}

/** An epoch of the log that began because the log had gone back in time. */
export interface BegunEpoch {
  readonly id: string;
  /** Of its EpochBegan. */
  readonly version: number;
  /** ISO time of its EpochBegan. */
  readonly since: string;
  /** For people. */
  readonly reason: string;
  /** All epochs that are over, as far as they are known: that began in this log, and that witnesses told of. */
  readonly earlier: readonly string[];
  /** By who showed a witness: what of this and all earlier epochs began by its word alone, with nothing that proves it. */
  readonly tellings: Readonly<Record<string, Tellings>>;
  /** Tickets that were granted by what is left of the log when it began, and of which nobody has said since whether they are. Absent: none. */
  readonly ticketsOfBefore?: readonly string[];
  /** Tickets whose loss fences nodes and that were not granted by what is left of the log when the newest epoch began that is certain (a loss that is proven, or that a person told of), of which nobody has said since whether they are. Absent: none. */
  readonly ticketsMissing?: readonly string[];
  /** Permanent attributes that agents had written when the newest epoch that is certain began, and that nobody has written since. Absent: none. */
  readonly attributesOfBefore?: readonly NamedAttribute[];
  /** Epochs of `earlier` that ended by the mere word of a node, since the newest that is certain: their losses may still be proven. Absent: none. */
  readonly byWord?: readonly string[];
}

/**
 * What the agent of a node does when it can't renew its lease: leaves everything running (it will be fenced), stops its resources, or lets a watchdog reset
 * the machine.
 */
export type LeaseLossPolicy = 'keep' | 'stop' | 'watchdog';

export interface RefusedJoin {
  readonly bootId: string;
  readonly machineId?: string;
  /** ISO time. */
  readonly at: string;
  /** Stream version of the NodeJoinRefused. */
  readonly version: number;
}

export interface NodeMember {
  /** `id` of its `node` and `node_state`. */
  readonly id: string;
  readonly name: string;
  /** Its agent joined as that of a remote or guest node; absent: of a cluster node. */
  readonly kind?: 'remote' | 'guest';
  /** Of the newest join; 0 when it never joined. That of the next: `nextIncarnation`. */
  readonly incarnation: number;
  readonly membership: NodeMembership;
  /** Length of the lease granted at the join, ms. */
  readonly leaseMs: number;
  readonly agentVersion: string;
  /** Its agent asked to stop its resources and leave. */
  readonly shutdownRequested: boolean;
  /** The most cautious of all that its agent may have been told (`leaseLossTelling`); absent for one that follows no server: it stops its resources. */
  readonly onLeaseLoss?: LeaseLossPolicy;
  /** How many actions its agent carries out at a time, as far as it told. */
  readonly actionLimit?: number;
  /** Its agent does this, by a setting of its own, whatever it is told. */
  readonly localOnLeaseLoss?: LeaseLossPolicy;
  /** The watchdog that its agent feeds, or is to; absent: none, or none on which anybody counts. */
  readonly watchdog?: NodeWatchdog;
  /** Its agent has told of a watchdog in this life, or in the newest that it had: whether it can be fed comes and goes (`haveWatchdog`). */
  readonly hasWatchdog?: true;
  /** Number of the newest poll that said anything new of the watchdog. */
  readonly watchdogSeq?: number;
  /** What keeps its agent from doing its work, as it said last. */
  readonly troubles?: readonly NodeTrouble[];
  /** Set with `lost`: stream version of its NodeLeaseLost. */
  readonly lostVersion?: number;
  /** Its newest loss, also when it is back since; forgotten when the log went back. */
  readonly lastLoss?: NodeLoss;
  /** Set with `lost`: fencing was enabled then, so no time was given to it to stop its resources (see `leaseVerdict`). */
  readonly lostWithFencing?: boolean;
  /** Set with `lost`: there was no fencing for a time, so that its resources may have been started elsewhere without it. */
  readonly givenUp?: true;
  /**
   * Set with `unheard`: by what is left of the log it had left, or was down. It may have joined in the lost tail, so what it may run is waited for (`activationHold`); but
   * it is not fenced for that, as most likely it is off.
   */
  readonly overBefore?: true;
  /** History ids of what live migrations have brought there, and of which the node has said nothing since. Not empty. */
  readonly arriving?: readonly string[];
  /** By history id, from which node each of `arriving` came, where that is known. Not empty. */
  readonly arrivingFrom?: Readonly<Record<string, string>>;
  /** Of what may have come there late: by history id, the newest plan whose probes may have looked for it too early. Not empty; until a later one has looked. */
  readonly unlookedFor?: Readonly<Record<string, number>>;
  /** Set with `lost`: live migrations from there of which nobody said how they ended, or whether what they sent has come. Not empty. */
  readonly migrating?: readonly SentResource[];
  /** What its boots may have left running, because it was not managed, or had just been brought there, as they left or were lost; with `joined` that of earlier ones, of which this one knows nothing. Not empty. */
  readonly leftRunning?: readonly LeftRunning[];
  /**
   * Set with `joined`: what its agent may take for not managed although it is: by history id, the stream version from which on it is. Until the agent shows that it knows.
   */
  readonly spared?: Readonly<Record<string, number>>;
  /** Of a remote or guest node: history ids of what its present boot may have run as its agent joined anew. Not empty; what was probed since is in its history (`strandedResources`). */
  readonly unprobed?: readonly string[];
  /** Of the newest join, as far as its agent told. */
  readonly bootId?: string;
  readonly machineId?: string;
  /** Stream version of the first join of that boot, of all that followed one another. */
  readonly bootVersion?: number;
  /** What an earlier boot of it, which was lost at that stream version, ran may run on: nobody could fence that when this one was let in, and nobody knows yet whether everything lost its power (`withDoubtsJudged`). */
  readonly doubtfulSince?: number;
  /**
   * What an earlier boot of it ran may run on, as another machine did. Nothing is started anywhere (`activationHold`), and the node is to be fenced, until it was, or a person confirmed that the
   * earlier boot is down.
   */
  readonly unproven?: true;
  readonly attempt?: JoinAttempt;
  /** The newest boot that was refused because this one holds the lease or may run on, since the newest join. */
  readonly refusedJoin?: RefusedJoin;
  /** Boots that asked to join while another one lived: second machines. The newest ones, oldest first. */
  readonly secondBoots?: readonly string[];
  /** Earlier boots of which nobody knows whether they are over, the newest ones. When one is heard of beside this one, this one is `unproven`. */
  readonly earlierBoots?: readonly string[];
  /** ISO time at which it was found to show a place in the log that nobody had told it, since the newest join. */
  readonly falseWitnessAt?: string;
  /** Its agent carries out debug operations. */
  readonly debugOperations?: true;
  /** Debug operations of this incarnation that have not ended, as far as the log knows, or of which it is not known what came of them; one of each resource. Not empty. */
  readonly debugging?: readonly PendingDebug[];
  /** Results of this incarnation were dropped (ResultsDropped). */
  readonly droppedResults?: true;
  /** ISO time of the event that brought the present membership. */
  readonly since: string;
}

/** A watchdog that resets the machine of a node. */
export interface NodeWatchdog {
  /** After how long without being fed, ms. */
  readonly timeoutMs: number;
  /**
   * ISO time since when it is armed, and its agent would stop feeding it when it can't renew its lease, whatever the answers that it may have got: only then may time alone prove that the node is down. Absent:
   * it was told of when the agent joined, and may be armed since.
   */
  readonly armedSince?: string;
}

/** A debug operation that was asked for. */
export type PendingDebug = DebugOperationRequested['data'] & {
  /** ISO time of the request. */
  readonly requestedAt: string;
  /** Of the request. */
  readonly correlationId: string;
  /** It has ended, and may have made the resource active: what the node says of the resource next, when it is probed, is not known yet. */
  readonly ended?: true;
};

/** One NodeLeaseLost. */
export interface NodeLoss {
  /** ISO time. */
  readonly at: string;
  /** Stream version. */
  readonly version: number;
  /** The first of a series: of losses that no plan has seen, and between which the node was back for less than `dc-deadtime`. Mostly itself. */
  readonly first: { readonly at: string; readonly version: number };
  /** Another node was lost within the length of a lease of it, as a worker measured or by the dates of the log. */
  readonly withOthers?: true;
}

/** What one boot of a node left running, or several did. */
export interface LeftRunning {
  /** Absent where its agent did not tell, and with `several`. */
  readonly boot?: string;
  /** All boots but the newest: that one of them is back does not end it. */
  readonly several?: true;
  /** History ids; at least one. */
  readonly resources: readonly string[];
}

export interface QuorumState {
  readonly quorate: boolean;
  readonly votes: number;
  readonly expectedVotes: number;
  /** Whether the cluster has been quorate since its creation: with `wait_for_all` quorum is first granted only to a full house. */
  readonly everQuorate: boolean;
  /** ISO time at which quorum was regained; absent while there is none, and for quorum that was never lost. */
  readonly regainedAt?: string;
  /** Stream version of that QuorumChanged. */
  readonly regainedVersion?: number;
  /** Stream versions of the newest times that it was regained, oldest first: whoever comes and goes must not have others waited for again and again. */
  readonly regains?: readonly number[];
}

export interface PlannedTransition {
  readonly number: number;
  readonly inputVersion: number;
  /** Stream version of TransitionPlanned itself. */
  readonly plannedVersion: number;
  /** Epoch seconds. */
  readonly now: number;
  readonly digest: string;
  readonly schedulerVersion: string;
}

export interface TransitionState extends PlannedTransition {
  /** Of what made the plan necessary: what follows from the transition has the same. */
  readonly correlationId: string;
  readonly status: 'running' | 'aborting';
  /** Set with `aborting`. */
  readonly abortReason?: string;
  /**
   * ISO time since when it has been aborting for nothing but what its own probes discovered (`isDiscovery`): its other probes go on, which change nothing and which the next plan
   * needs in any case. Absent once anything else speaks against it.
   */
  readonly probingSince?: string;
  /**
   * What was said of the outcome of actions, and who said it (a node, or `SERVER`); derived from OperationRecorded, FailuresCleared … Which of it
   * counts says `resultOf`.
   */
  readonly results: TransitionResults;
  /** Outcomes of this transition's fencing attempts, oldest first. */
  readonly fencing: readonly FencingOutcome[];
  /** As planned. Not empty. */
  readonly migrations?: readonly PlannedMigration[];
}

/** An attempt without an outcome yet. */
export type PendingFencing = FencingRequested['data'] & {
  /** The target's incarnation when the attempt was requested: success says nothing about a later life. 0 when it had none. */
  readonly targetIncarnation: number;
  /** The target's `bootVersion` at that moment, which tells its boots apart; absent when it had never joined. */
  readonly targetBootVersion?: number;
  /** The executor's incarnation when the attempt was requested: only that one can say how it ended. 0 when it never joined. */
  readonly executorIncarnation: number;
};

/** One attempt of fencing that ended, and the graph action that it was made for. */
export interface FencingOutcome {
  readonly graphActionId: number;
  readonly attempt: number;
  readonly result: FencingCompleted['data'];
}

export interface ActionResult {
  readonly status: OperationStatus;
  readonly rc: number;
  /** Whether it was what the transition expected. */
  readonly ok: boolean;
}

export interface Recompute {
  /** For people and for `TransitionPlanned.trigger`: the first reason since the last plan. */
  readonly reason: string;
  /** Version of the newest event that asked for it. */
  readonly version: number;
  /** ISO time of that event: `transition-delay` is counted from there. */
  readonly at: string;
  /** What the plan, and what follows from it, will be said to follow from. */
  readonly cause: PlanCause;
  /** Correlation ids of what asked for it besides, in order: at most {@link MOST_ALSO_ANSWERED}. */
  readonly alsoAnswers?: readonly string[];
}

/** What asked for a plan. */
export interface PlanCause {
  readonly correlationId: string;
  /** Somebody's request, rather than what the cluster found. */
  readonly asked: boolean;
}

/** Requests and reports that one plan names as those that it answers, besides the one that it follows from. */
export const MOST_ALSO_ANSWERED = 100;

export interface FencingFailures {
  /** How many fencing actions of transitions failed for good, one after another. */
  readonly count: number;
  /** ISO time of the newest of them. */
  readonly at: string;
  /** Seconds that have passed since then, as far as plans say, up to the plan that was made at `countedToS` (epoch seconds). */
  readonly waitedS?: number;
  readonly countedToS?: number;
  readonly last: FencingCompleted['data'];
}

/** The member of that name; names such as `constructor` are nothing special. */
export function memberOf(state: ClusterState, name: string): NodeMember | undefined {
  return Object.hasOwn(state.nodes, name) ? state.nodes[name] : undefined;
}

/** The attempt of that id, if its outcome is still open. */
export function pendingFencing(state: ClusterState, fencingId: string): PendingFencing | undefined {
  return Object.hasOwn(state.fencing, fencingId) ? state.fencing[fencingId] : undefined;
}

/** The CIB of a cluster that was created without one: valid, empty. */
export function emptyCib(): XmlElement {
  return element('cib', { crm_feature_set: '3.20.5', 'validate-with': 'pacemaker-4.0', epoch: '1', num_updates: '0', admin_epoch: '0' }, [
    element('configuration', {}, [element('crm_config'), element('nodes'), element('resources'), element('constraints')]),
    element('status'),
  ]);
}

/** The state before the first event. */
export function initialState(): ClusterState {
  return {
    version: 0,
    existence: 'none',
    name: '',
    cib: emptyCib(),
    configuredAt: 0,
    configurationVersion: 0,
    nodes: {},
    recentResults: emptyMap(),
    lastTransitionNumber: 0,
    fencing: {},
    fencingFailures: {},
    fencedAt: {},
    fencingAllowed: [],
    problems: [],
  };
}
