import type { CandidateTable } from '../model/candidates.js';
import type { Cluster } from '../model/cluster.js';
import type { Colocation } from '../model/constraints.js';
import type { Resource } from '../model/resource.js';
import { addScores, INFINITY } from '../model/score.js';
import type { ScoreCause } from '../model/score-trail.js';
import { effectiveColocations, hasInfluence, inheritsColocations } from './colocations.js';
import { applyToTable } from './criteria.js';
import { anyUsable, nodeValue } from './node-value.js';

/** Stands in a work table for a node that a floored merge made unusable (specification 04 §9.3). */
const UNUSABLE = -100 * INFINITY;

/** How scores are merged (specification 04 §9.1). */
export interface MergeMode {
  /** The whole contribution is dropped when it leaves no usable node. */
  readonly revocable: boolean;
  /** Positive scores don't fall below 0: such a node ends with score 1. */
  readonly floored: boolean;
  /** Which colocations of a source carry on the chain. */
  readonly follow: 'dependents' | 'primaries';
}

/** How a merge came to its source: the colocation of the last step, and the resources that lie between target and source. */
interface Link {
  readonly colocation: Colocation | undefined;
  readonly through: readonly string[];
}

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

/** The factor of a colocation's score, in single precision. */
export function factorOf(score: number): number {
  return Math.fround(Math.fround(score) / INFINITY);
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
      const other = mode.follow === 'primaries' ? through.primary : through.dependent;
      // Who stands between is told only to those who ask.
      const between = table.traced ? [...frame.link.through, frame.source.id] : NOBODY;
      const link = { colocation: through, through: between };
      enter(other, link, Math.fround(Math.fround(frame.factor * through.score) / INFINITY), true);
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

/** Marks a source and the groups up to the one that it stands for. */
function markMerging(source: Resource, from: Resource, merging: boolean): void {
  for (let at: Resource | undefined = source; at; at = at === from ? undefined : at.parent) at.merging = merging;
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
  const best = bestByNode(cluster, source, target, colocation);
  const onlyOne = factor < 0 && colocation ? allowedCount(colocation.dependent) === 1 : true;
  const influence = factor >= 0 || !colocation || hasInfluence(colocation);
  const stickiness = colocation?.primary.stickiness ?? 0;
  for (let index = 0; index < table.capacity; index++) {
    if (!table.has(index)) continue;
    const b = best(index);
    if (factor < 0 && b < 0 && (stickiness >= -b || !influence || !onlyOne)) continue;
    const score = table.score(index);
    if (score === UNUSABLE) continue;
    const product = Math.fround(factor * b);
    let delta = Math.trunc(product + (product >= 0 ? 0.5 : -0.5));
    if (delta === 0 && b !== 0) delta = factor > 0 ? 1 : factor < 0 ? -1 : 0;
    const sum = addScores(score, delta);
    if (floored && sum < 0 && score > 0) table.mark(index, UNUSABLE);
    else if (!floored || sum >= 0 || score !== 0) table.addScore(index, delta, cause);
  }
}

function allowedCount(resource: Resource): number {
  let count = 0;
  for (const index of resource.candidates.indexes()) if (resource.candidates.score(index) >= 0) count++;
  return count;
}

/** A look-up of the source's best score by the table's node: over all usable nodes whose attribute value is the same. */
function bestByNode(cluster: Cluster, source: Resource, target: Resource, colocation: Colocation | undefined): (index: number) => number {
  const scores = withGroupLocations(cluster, source, colocation);
  const attribute = colocation?.nodeAttribute ?? '#uname';
  const usable = (index: number): boolean => cluster.nodesByIndex[index]?.usable === true;
  // Names are different, so by #uname a node is compared with itself, unless hosts stand for guests.
  if (attribute === '#uname' && !cluster.hasRemoteNodes) {
    return (index) => (scores.has(index) && usable(index) ? scores.score(index) : -INFINITY);
  }
  const best = new Map<string | undefined, number>();
  for (const index of scores.indexes()) {
    const node = cluster.nodesByIndex[index];
    if (!node?.usable) continue;
    const value = nodeValue(node, attribute, source);
    best.set(value, Math.max(best.get(value) ?? -INFINITY, scores.score(index)));
  }
  return (index) => {
    const node = cluster.nodesByIndex[index];
    return (node && best.get(nodeValue(node, attribute, target))) ?? -INFINITY;
  };
}

/** A later member of a group carries no location scores of the group; for an explicit colocation with it they count (specification 04 §9.3). */
function withGroupLocations(cluster: Cluster, source: Resource, colocation: Colocation | undefined): CandidateTable {
  const group = source.parent;
  if (!colocation?.explicit || colocation.dependent !== source || group?.kind !== 'group' || group.children[0] === source)
    return source.candidates;
  const table = source.candidates.copy();
  for (let i = cluster.locations.length - 1; i >= 0; i--) {
    const location = cluster.locations[i];
    if (location?.resource === group) applyToTable(source, location, 1, table);
  }
  return table;
}
