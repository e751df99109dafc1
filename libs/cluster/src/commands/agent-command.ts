import type { LogHead } from '../epoch/witness.js';
import type { JoinAttempt, NodeTrouble, OperationDigests, OperationStatus } from '../events/cluster-event.js';
import type { LeaseLossPolicy } from '../state/cluster-state.js';

/** The event in the answer carries the new incarnation. No events when this very try has joined already. */
export interface JoinNode {
  readonly type: 'join-node';
  readonly node: string;
  /** Wanted by the agent; the configuration's id for that name wins. Absent for a node that is new: the name. */
  readonly nodeId?: string;
  /** Another node has a token under that name, and may join as long as it has. */
  readonly nodeIdHasToken?: true;
  readonly agentVersion: string;
  readonly leaseMs: number;
  /** What its agent is told to do when it loses its lease (`leaseLossPolicy`); absent for one that follows no server: it stops its resources. */
  readonly onLeaseLoss?: LeaseLossPolicy;
  /** Changes with each boot of the machine. While the node's lease lives, only the boot that holds it may join again. */
  readonly bootId?: string;
  /** Stays with the machine, as far as it is told. */
  readonly machineId?: string;
  /** Which try of which process of the agent it is, as far as it is told. */
  readonly attempt?: JoinAttempt;
  /** How many actions the agent carries out at a time, as far as it tells; a positive integer. */
  readonly actionLimit?: number;
  /** The agent's own setting of what it does when it loses its lease, whatever it is told. */
  readonly localOnLeaseLoss?: LeaseLossPolicy;
  /** History ids of what may be running there from before. Refused as `declared-down` while it may have been started elsewhere. */
  readonly active?: readonly string[];
  /** History ids of what it takes for not managed: it leaves that alone when it stops everything. */
  readonly unmanaged?: readonly string[];
  /** The newest incarnation in whose life anything of that ran, as far as the agent knows. */
  readonly lastIncarnation?: number;
  /** What of that it has tried to stop in vain. */
  readonly stopFailed?: readonly string[];
  /** For how long its machine was up when it asked, ms. */
  readonly uptimeMs?: number;
  /** The newest incarnation that was given to this boot, as far as the agent knows. */
  readonly bootIncarnation?: number;
  /** How long ago whoever asks heard of the life that joined last, ms; absent: it never did. Others may have heard of it since. */
  readonly silentMs?: number;
  /** For how long it has seen that life lost, ms. */
  readonly lostMs?: number;
  /** All nodes may have been down, so that nobody is fenced for now (`comebackHold`). */
  readonly fencingHeld?: boolean;
  /** Its agent carries out debug operations. */
  readonly debugOperations?: true;
  /** Its agent is meant for a remote or guest node: not let in as that of a cluster node. */
  readonly remote?: true;
  /** Time-out of the watchdog that its agent arms as soon as it holds the lease, ms. */
  readonly watchdogMs?: number;
}

/** What `watchdogTelling` says of a node's watchdog. No events when that is recorded, a later poll said something else, or the node does not hold its lease. */
export interface NoteWatchdog {
  readonly type: 'note-watchdog';
  readonly node: string;
  readonly incarnation: number;
  /** Absent: nobody may count on it any more. */
  readonly timeoutMs?: number;
  /** That there is one is noted, and nobody counts on it yet. */
  readonly announced?: true;
  /** Number of the poll that said so, as far as the agent counts them. */
  readonly seq?: number;
}

/** A join was refused as `node-joined-elsewhere`. No events when all that it says is noted already. */
export interface NoteRefusedJoin extends Pick<JoinNode, 'uptimeMs' | 'silentMs'> {
  readonly type: 'note-refused-join';
  readonly node: string;
  readonly bootId: string;
  readonly machineId?: string;
}

/** A join was refused as the configuration makes no remote or guest node of that name. The agent has shown a head, under our seal, of an epoch that is over: it was let in in the lost tail, or before. No events but once after the log went back, of an agent that may run something. */
export interface NoteUnconfigured {
  readonly type: 'note-unconfigured';
  readonly node: string;
  readonly bootId: string;
  readonly machineId?: string;
  /** History ids of what may be running there; absent: it does not say. */
  readonly active?: readonly string[];
}

/** A node showed what was never told. No events when that is noted of its present life, or nothing is known of the node. */
export interface NoteFalseWitness {
  readonly type: 'note-false-witness';
  readonly node: string;
  readonly witness: LogHead;
}

/** The boot that holds the lease showed that it lived after this other one had asked to join. No events when that is known, or is not so any more. */
export interface NoteSecondMachine {
  readonly type: 'note-second-machine';
  readonly node: string;
  readonly incarnation: number;
  readonly bootId: string;
}

export interface LeaveNode {
  readonly type: 'leave-node';
  readonly node: string;
  readonly incarnation: number;
  /** History ids of what it leaves running; absent for an agent that does not say. */
  readonly active?: readonly string[];
}

export interface RequestShutdown {
  readonly type: 'request-shutdown';
  readonly node: string;
  readonly incarnation: number;
}

/** One result as an agent reports it (wire protocol), plus nothing. */
export interface ReportedResult {
  /** Unique for ever; a result sent again is recognised by it. */
  readonly resultId: string;
  readonly actionId: string;
  readonly transitionKey: string;
  readonly resource: {
    readonly id: string;
    readonly historyId: string;
    readonly class: string;
    readonly provider?: string;
    readonly type: string;
  };
  readonly operation: string;
  readonly intervalMs: number;
  readonly status: OperationStatus;
  readonly rc: number;
  readonly exitReason?: string;
  readonly callId: number;
  /** Epoch seconds, by the node's clock, which may be wrong. */
  readonly startedAt: number;
  /** How long ago it ended when it was told, ms, by the node's own differences; absent: an old agent does not say, or the node was booted since. */
  readonly endedAgoMs?: number;
  readonly execMs: number;
  readonly queueMs: number;
  readonly output?: string;
  readonly digests?: OperationDigests;
  readonly recurring: boolean;
  readonly migrateSource?: string;
  readonly migrateTarget?: string;
  readonly fence?: {
    readonly fencingId: string;
    readonly target: string;
    readonly action: 'off' | 'reboot' | 'on';
    readonly deviceId: string;
  };
}

/** When results were told, by the clock of the database, by which plans are made. */
export interface Received {
  /** Epoch ms. */
  readonly at: number;
  /** When actions went to the node, epoch ms, by id, as far as that is known: of those whose results do not say how old they are. */
  readonly handedOutAt: ReadonlyMap<string, number>;
}

/** Facts: never refused for their age, or for an incarnation that the log does not know any more. Only those of a node that never joined are refused. */
export interface RecordResults {
  readonly type: 'record-results';
  readonly node: string;
  readonly incarnation: number;
  readonly results: readonly ReportedResult[];
  /** Those of `doubtfulResults` that were handed out to the node all the same. */
  readonly handedOut?: ReadonlySet<string>;
  /** Absent: nobody knows, and what the node's clock says counts. */
  readonly received?: Received;
}

/** What `knownManaged` says that the agent knows. No events for what is noted already. */
export interface NoteManaged {
  readonly type: 'note-managed';
  readonly node: string;
  readonly incarnation: number;
  readonly resources: readonly string[];
}

/** What an agent says that keeps it from doing its work. No events when it is of the same kinds as before. */
export interface NoteTroubles {
  readonly type: 'note-troubles';
  readonly node: string;
  readonly incarnation: number;
  readonly troubles: readonly NodeTrouble[];
}
