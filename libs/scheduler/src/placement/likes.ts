import type { CandidateTable } from '../model/candidates.js';
import type { Cluster } from '../model/cluster.js';
import type { Colocation } from '../model/constraints.js';
import type { Resource } from '../model/resource.js';
import { INFINITY } from '../model/score.js';
import { hasInfluence } from './colocations.js';
import { applyToTable } from './criteria.js';
import { nodeValue } from './node-value.js';

/** Which colocations of a source carry on the chain. */
export type Follow = 'dependents' | 'primaries';

/** The factor of a colocation's score, in single precision. */
export function factorOf(score: number): number {
  return Math.fround(Math.fround(score) / INFINITY);
}

/** The factor with which a colocation of a source counts, whose own is given. */
export function nextFactor(factor: number, { score }: Colocation): number {
  return Math.fround(Math.fround(factor * score) / INFINITY);
}

/** Whose scores count at the other end of a colocation; a group stands for its first member. Undefined for a group without members. */
export function sourceOf(colocation: Colocation, follow: Follow): Resource | undefined {
  let at: Resource | undefined = follow === 'primaries' ? colocation.primary : colocation.dependent;
  while (at?.kind === 'group') [at] = at.children;
  return at;
}

/**
 * What a source adds to a score on a node, by the node's index (specification 04 §9.3); undefined where it has no say. `target` is whose scores are
 * added to; `colocation` is that of the step that led to the source.
 */
export function likesOf(
  cluster: Cluster,
  source: Resource,
  target: Resource,
  colocation: Colocation | undefined,
  factor: number,
): (index: number) => number | undefined {
  const best = bestByNode(cluster, source, target, colocation);
  const onlyOne = factor < 0 && colocation ? allowedCount(colocation.dependent) === 1 : true;
  const influence = factor >= 0 || !colocation || hasInfluence(colocation);
  const stickiness = colocation?.primary.stickiness ?? 0;
  return (index) => {
    const b = best(index);
    if (factor < 0 && b < 0 && (stickiness >= -b || !influence || !onlyOne)) return undefined;
    const product = Math.fround(factor * b);
    const delta = Math.trunc(product + (product >= 0 ? 0.5 : -0.5));
    if (delta === 0 && b !== 0) return factor > 0 ? 1 : factor < 0 ? -1 : 0;
    return delta;
  };
}

function allowedCount(resource: Resource): number {
  let count = 0;
  for (const index of resource.candidates.indexes()) if (resource.candidates.score(index) >= 0) count++;
  return count;
}

/** A look-up of the source's best score by the table's node: over all usable nodes whose attribute value is the same. */
function bestByNode(cluster: Cluster, source: Resource, target: Resource, colocation: Colocation | undefined): (index: number) => number {
  const scores = withGroupLocations(source, colocation);
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
export function hasGroupLocations(source: Resource, colocation: Colocation | undefined): boolean {
  const { parent } = source;
  return colocation?.explicit === true && colocation.dependent === source && parent?.kind === 'group' && parent.children[0] !== source;
}

function withGroupLocations(source: Resource, colocation: Colocation | undefined): CandidateTable {
  if (!hasGroupLocations(source, colocation)) return source.candidates;
  const table = source.candidates.copy();
  for (const location of source.parent?.locations.toReversed() ?? []) applyToTable(source, location, 1, table);
  return table;
}
