import type { Explanation } from './explain/explanation.js';
import type { ScorePart } from './explain/score-parts.js';
import type { TransitionGraph } from './graph/transition-graph.js';

/** One line of the score listing (specification 08 §5), in the order in which placement produced it. */
export interface ScoreEntry {
  /** Label of the phase, e.g. `pcmk__primitive_assign`. */
  readonly phase: string;
  readonly resource: string;
  readonly node: string;
  /** Score in -1,000,000 … 1,000,000 (±INFINITY). */
  readonly score: number;
  /** With `explain`: what the score is made of. */
  readonly parts?: readonly ScorePart[];
}

/** State of one node as the scheduler sees it (specification 03 §2). */
export interface NodeSummary {
  readonly id: string;
  readonly name: string;
  readonly kind: 'cluster' | 'remote' | 'guest' | 'bundle';
  /** Now; not what it becomes with a connection that is to be made. */
  readonly online: boolean;
  readonly unclean: boolean;
  readonly standby: boolean;
  readonly maintenance: boolean;
  readonly pending: boolean;
  readonly shutdown: boolean;
}

export type Role = 'Stopped' | 'Started' | 'Unpromoted' | 'Promoted' | 'Unknown';

/** A resource of the tree with its state now and after the transition. */
export interface ResourceSummary {
  readonly id: string;
  readonly kind: 'primitive' | 'group' | 'clone' | 'bundle';
  /** Agent, for primitives only. */
  readonly agent?: { readonly class: string; readonly provider?: string; readonly type: string };
  readonly managed: boolean;
  readonly failed: boolean;
  readonly blocked: boolean;
  /** Known only from history. */
  readonly removed: boolean;
  /** Its `target-role` keeps it from running as it could. */
  readonly disabled?: true;
  readonly role: Role;
  readonly nextRole: Role;
  /** Names of the nodes on which it is active now. */
  readonly activeOn: readonly string[];
  /** Name of the node to which it is assigned. */
  readonly assignedTo?: string;
  readonly children: readonly ResourceSummary[];
  /** Of a bundle. */
  readonly replicas?: readonly ReplicaSummary[];
}

/** One replica of a bundle: what stands for it in lists is what runs in the container, or the container where nothing does (specification 08 §6.6). */
export interface ReplicaSummary {
  readonly number: number;
  readonly role: Role;
  /** Names of the nodes on which its container is active. */
  readonly activeOn: readonly string[];
  readonly failed: boolean;
  readonly ipAddress?: string;
  /** Ids of the resources that it consists of. */
  readonly parts: { readonly container: string; readonly ip?: string; readonly connection?: string; readonly resource?: string };
}

/** One action in the vocabulary of operators: what would happen, and why (specification 06 §16, 08 §7). */
export interface PlannedAction {
  readonly resource: string;
  readonly operation: string;
  readonly node: string;
  /** The first reason that made it required. */
  readonly reason?: string;
}

/** The result of `schedule()`. Plain data: it can cross a worker-thread boundary and be stored as JSON. */
export interface Schedule {
  readonly now: number;
  readonly quorate: boolean;
  readonly nodes: readonly NodeSummary[];
  readonly resources: readonly ResourceSummary[];
  readonly scores: readonly ScoreEntry[];
  readonly actions: readonly PlannedAction[];
  readonly graph: TransitionGraph;
  /** Configuration errors and warnings met on the way, in order; they never stop the scheduler. */
  readonly messages: readonly { readonly level: 'error' | 'warning' | 'info'; readonly text: string }[];
  /** With `explain`: why resources go where they go, and why each action is planned or can't be. */
  readonly explanation?: Explanation;
}
