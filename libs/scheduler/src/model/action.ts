import type { XmlElement } from '@systole/cib';
import type { ClusterNode } from './node.js';
import type { Kinds, Relation } from './relation.js';
import type { Resource } from './resource.js';

/** State of an action in the eyes of its relations (specification 07 §5.1). */
export interface ActionState {
  readonly required: boolean;
  readonly runnable: boolean;
  readonly migratable: boolean;
}

/** Remembered summary states; valid while the resource's `actionChanges` is the same. */
export interface FoldCache {
  readonly changes: number;
  readonly overall: ActionState | undefined;
  readonly onNode: Map<ClusterNode, ActionState>;
}

/** What a start or promote needs from the cluster (specification 06 §1.7). */
export type Need = 'nothing' | 'quorum' | 'fencing';

/**
 * An action's meta table: a base that all actions of one operation share, and what the scheduler added to this one. Sharing
 * matters, because a cold start has a probe per node and resource; for the same reason the additions are a flat list of names and
 * values.
 */
export class ActionMeta {
  private own: string[] | undefined;

  constructor(private readonly base: ReadonlyMap<string, string>) {}

  get(name: string): string | undefined {
    const place = this.place(name);
    return place < 0 ? this.base.get(name) : this.own?.[place + 1];
  }

  has(name: string): boolean {
    return this.place(name) >= 0 || this.base.has(name);
  }

  set(name: string, value: string): void {
    const place = this.place(name);
    if (!this.own) this.own = [name, value];
    else if (place < 0) this.own.push(name, value);
    else this.own[place + 1] = value;
  }

  /** Every pair, each name once. */
  *entries(): Generator<[string, string]> {
    for (const entry of this.base) if (this.place(entry[0]) < 0) yield entry;
    const own = this.own ?? [];
    for (let i = 0; i < own.length; i += 2) yield [own[i] ?? '', own[i + 1] ?? ''];
  }

  private place(name: string): number {
    if (this.own) for (let i = 0; i < this.own.length; i += 2) if (this.own[i] === name) return i;
    return -1;
  }
}

const emptyMeta: ReadonlyMap<string, string> = new Map();

/** Stands for the lists of all actions without relations; `relate` never writes to it. */
const noRelations: Relation[] = [];

/** An action record (specification 06 §1.1). Lists of actions are kept in the order of creation; "newest first" walks them backwards. */
export class Action {
  private isOptional = false;
  private isRunnable = true;
  pseudo = false;
  graphForced = false;
  /** May be carried out as a part of a live migration. */
  migratable = false;
  danglingStop = false;
  reschedule = false;
  /** Run by the controller itself, so that the node's state doesn't matter. */
  dcRun = false;
  needs: Need = 'nothing';
  reason: string | undefined;
  /** The first action that made this one required, or took its runnability; undefined where it didn't come from another action. */
  requiredBy: Action | undefined;
  blockedBy: Action | undefined;
  priority = 0;
  /** Original task of a cancellation. */
  cancelledTask: string | undefined;
  /** Needed and present numbers of runnable firsts (specification 07 §4.4). */
  neededCount = 0;
  runnableCount = 0;
  /** The matching `op` element. */
  operation: XmlElement | undefined;
  /** Instance attributes of that `op`, once evaluated for the node. */
  parameters: ReadonlyMap<string, string> | undefined;
  meta: ActionMeta = new ActionMeta(emptyMeta);
  /** Relations in which this is the later action, oldest first. */
  inputs: Relation[] = noRelations;
  /** Relations in which this is the earlier action, oldest first. */
  followers: Relation[] = noRelations;
  /** The kinds of `followers` by the later action, once there are many. */
  followingKinds: Map<Action, Kinds> | undefined;
  /** A synapse was written for it. */
  written = false;
  /** The inputs were merged and filtered for output. */
  inputsMerged = false;
  /** Summary states of a collective's action, as long as nothing below it changes (specification 07 §5.1). */
  folds: FoldCache | undefined;

  constructor(
    readonly id: number,
    readonly key: string,
    public task: string,
    readonly resource: Resource | undefined,
    /** Where it is carried out; an action without node may be given one later. */
    public node: ClusterNode | undefined,
  ) {}

  /** Nothing needs it; the opposite is called required. */
  get optional(): boolean {
    return this.isOptional;
  }

  set optional(value: boolean) {
    if (value === this.isOptional) return;
    this.isOptional = value;
    this.resource?.noteActionChange();
  }

  get runnable(): boolean {
    return this.isRunnable;
  }

  set runnable(value: boolean) {
    if (value === this.isRunnable) return;
    this.isRunnable = value;
    this.resource?.noteActionChange();
  }

  /** Interval in ms as its meta table says; 0 when none. */
  get interval(): number {
    return Number(this.meta.get('interval') ?? 0);
  }

  get isProbe(): boolean {
    return this.task === 'monitor' && !this.meta.has('interval');
  }
}
