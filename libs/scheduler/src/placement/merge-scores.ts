import type { CandidateTable } from '../model/candidates.js';
import type { Cluster } from '../model/cluster.js';
import type { Colocation } from '../model/constraints.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { addScores, INFINITY } from '../model/score.js';
import type { ScoreCause } from '../model/score-trail.js';
import { effectiveColocations, hasInfluence, inheritsColocations } from './colocations.js';
import { shiftsOf } from './followings.js';
import { type Follow, likesOf, nextFactor } from './likes.js';
import { anyUsable } from './node-value.js';

/** Stands in a work table for a node that a floored merge made unusable (specification 04 §9.3). */
const UNUSABLE = -100 * INFINITY;

/** How scores are merged (specification 04 §9.1). */
export interface MergeMode {
  /** The whole contribution is dropped when it leaves no usable node. */
  readonly revocable: boolean;
  /** Positive scores don't fall below 0: such a node ends with score 1. */
  readonly floored: boolean;
  readonly follow: Follow;
}

/** How a merge came to its source: the colocation of the last step, and the resources that lie between target and source. */
interface Link {
  readonly colocation: Colocation | undefined;
  readonly through: readonly string[];
}

/** From that many steps on it pays to know what the rest of a chain comes to; asked for at every doubling. */
const LONG_CHAIN = 8;

const NOBODY: readonly string[] = [];
const NO_CHAIN: readonly Colocation[] = [];

/** One running merge; they nest along the chain of colocations, so they are kept on a stack of their own. */
interface Frame {
  readonly source: Resource;
  readonly link: Link;
  /** A group that the source stands for, or the source; it is marked, and those between too, as long as this goes on. */
  readonly from: Resource;
  readonly factor: number;
  /** Its contribution left no usable node and was taken back. */
  readonly revoked: boolean;
  readonly chain: readonly Colocation[];
  next: number;
}

/**
 * Merges the scores of a source, and of what depends on it in turn, into a table (specification 04 §9.2). Returns the new table; the given
 * one stays as it is.
 */
export function mergeScores(
  cluster: Cluster,
  table: CandidateTable,
  source: Resource,
  target: Resource,
  colocation: Colocation | undefined,
  factor: number,
  mode: MergeMode,
): CandidateTable {
  const stack: Frame[] = [];
  const work = table.copy();
  // A contribution is judged as soon as it is made, so one table is enough to take any of them back.
  let spare: CandidateTable | undefined;
  const beforeStep = (): CandidateTable => {
    if (stack.length === 0) return table;
    spare ??= table.copy();
    spare.takeScores(work);
    return spare;
  };
  let allowance = cluster.merges.perChain;
  // A floored score depends on how it came about. A group that isn't colocated is marked as merging itself, and may follow itself.
  const mayShorten = !mode.floored && !(mode.follow === 'primaries' && target.kind === 'group' && !target.colocated);
  const side = mode.follow === 'primaries' ? 'thisWith' : 'withThis';
  // A chain may pass a resource in many ways, and what it inherits takes long to gather.
  const gathered = new Map<Resource, readonly Colocation[]>();
  const chainOf = (at: Resource): readonly Colocation[] => {
    if (!inheritsColocations(at, side)) return at[side];
    const known = gathered.get(at);
    if (known || cluster.merges.steps <= 0) return known ?? NO_CHAIN;
    const chain = effectiveColocations(at, side);
    cluster.merges.steps -= chain.length;
    gathered.set(at, chain);
    return chain;
  };
  const enter = (from: Resource, link: Link, f: number, revocable: boolean): void => {
    let at = from;
    // A group stands for its first member.
    while (at.kind === 'group') {
      if (at.merging) return;
      const [member] = at.children;
      if (!member) return;
      at = member;
    }
    if (at.merging || allowance-- <= 0 || cluster.merges.left-- <= 0) return;
    markMerging(at, from, true);
    const before = revocable ? beforeStep() : undefined;
    combine(cluster, work, at, target, link, f, mode.floored);
    const usable = anyUsable(cluster, work);
    const revoked = !usable && before !== undefined;
    if (revoked) work.takeScores(before);
    stack.push({ source: at, from, link, factor: f, revoked, chain: usable ? chainOf(at) : NO_CHAIN, next: 0 });
  };
  enter(source, { colocation, through: [] }, factor, mode.revocable);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const through = frame.chain[frame.next++];
    if (through && cluster.merges.steps > 0) {
      cluster.merges.steps--;
      if (mode.follow === 'dependents' && !hasInfluence(through)) continue;
      const f = nextFactor(frame.factor, through);
      if (mayShorten && isDoubling(stack.length) && followAtOnce(cluster, work, through, f, mode.follow)) continue;
      const other = mode.follow === 'primaries' ? through.primary : through.dependent;
      // Who stands between is told only to those who ask.
      const between = table.traced ? [...frame.link.through, frame.source.id] : NOBODY;
      const link = { colocation: through, through: between };
      enter(other, link, f, true);
      continue;
    }
    stack.pop();
    markMerging(frame.source, frame.from, false);
    if (!frame.revoked && mode.floored) liftUnusable(work, frame.source);
  }
  if ((allowance < 0 || cluster.merges.left < 0 || cluster.merges.steps <= 0) && !cluster.merges.warned) {
    cluster.merges.warned = true;
    cluster.warn(`Colocations of ${target.id} are so entangled that not every chain of them was followed; remove redundant ones`);
  }
  return work;
}

/**
 * Adds what a source and all that follow it come to, where no step on the way leaves no usable node: a node that stays usable throughout is enough.
 */
function followAtOnce(cluster: Cluster, work: CandidateTable, colocation: Colocation, factor: number, follow: Follow): boolean {
  // So small a factor, by single precision, adds nothing to any score; nor do those that follow.
  if (factor === 0) return true;
  const shifts = shiftsOf(cluster, colocation, factor, follow);
  if (!shifts) return false;
  const stays = ({ index, usable }: ClusterNode): boolean => usable && work.has(index) && shifts.keeps(index, work.score(index));
  if (!cluster.nodes.some(stays)) return false;
  shifts.applyTo(work);
  return true;
}

const isDoubling = (length: number): boolean => length >= LONG_CHAIN && (length & (length - 1)) === 0;

/** Marks a source and the groups up to the one that it stands for. */
function markMerging(source: Resource, from: Resource, merging: boolean): void {
  for (let at: Resource | undefined = source; at; at = at === from ? undefined : at.parent) placing(at).merging = merging;
}

function liftUnusable(table: CandidateTable, source: Resource): void {
  const cause = { kind: 'dependent-floor', dependent: source.id } as const;
  for (let index = 0; index < table.capacity; index++)
    if (table.has(index) && table.score(index) === UNUSABLE) table.setScore(index, 1, cause);
}

/** Adds the source's best scores to every node of the table (specification 04 §9.3). */
function combine(
  cluster: Cluster,
  table: CandidateTable,
  source: Resource,
  target: Resource,
  { colocation, through }: Link,
  factor: number,
  floored: boolean,
): void {
  const cause: ScoreCause = { kind: 'dependent', constraint: colocation?.id ?? '', dependent: source.id, apart: factor < 0, through };
  const likes = likesOf(cluster, source, target, colocation, factor);
  for (let index = 0; index < table.capacity; index++) {
    if (!table.has(index)) continue;
    const delta = likes(index);
    const score = table.score(index);
    if (delta === undefined || score === UNUSABLE) continue;
    const sum = addScores(score, delta);
    if (floored && sum < 0 && score > 0) table.mark(index, UNUSABLE);
    else if (!floored || sum >= 0 || score !== 0) table.addScore(index, delta, cause);
  }
}
