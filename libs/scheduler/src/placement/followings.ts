import type { Cluster } from '../model/cluster.js';
import type { Colocation } from '../model/constraints.js';
import { Following } from '../model/following.js';
import type { Resource } from '../model/resource.js';
import { ScoreShifts } from '../model/score-shifts.js';
import { effectiveColocations, hasInfluence } from './colocations.js';
import { type Follow, hasGroupLocations, likesOf, nextFactor, sourceOf } from './likes.js';

/** So many sources with other factors, of which nothing can be remembered, are gone through at most: there may be many ways to each. */
const MOST_UNREMEMBERED = 1_000;

/** One source on the way from the first one to the last that follows it. */
interface Frame {
  readonly source: Resource;
  readonly factor: number;
  /** What is remembered of it; of sources with another factor than 1 and -1 nothing is, because that depends on the whole way. */
  readonly following: Following | undefined;
  /** The nearest that is remembered, which is made of this one. */
  readonly owner: Following;
  readonly shifts: ScoreShifts;
  /** It leaves no usable node, whatever the scores are, so that it is always taken back. */
  readonly revoked: boolean;
  readonly chain: readonly Colocation[];
  next: number;
}

/**
 * What the source of a colocation and all that follow it add to any table (specification 04 §9.2), as far as none of them has to be taken back for
 * want of a usable node; undefined where it can't be told once and for all. With this a chain costs its length instead of its square: each of its members is the target
 * of a merge, and all of them go to the end of the chain. Worth it only where that is far.
 */
export function shiftsOf(cluster: Cluster, first: Colocation, factor: number, follow: Follow): ScoreShifts | undefined {
  if (Math.abs(factor) !== 1 || cluster.hasRemoteNodes || cluster.explains) return undefined;
  const known = recall(cluster, first, factor, follow);
  if (known) return known.shifts;
  const side = follow === 'primaries' ? 'thisWith' : 'withThis';
  const stack: Frame[] = [];
  const passed = new Set<Resource>();
  let unremembered = 0;
  /** False when nothing can be told because of this one. */
  const enter = (colocation: Colocation, f: number): boolean => {
    const source = sourceOf(colocation, follow);
    if (!source || passed.has(source) || !isPlain(source, follow) || hasGroupLocations(source, colocation)) return false;
    const following = Math.abs(f) === 1 ? new Following() : undefined;
    if (!following && ++unremembered > MOST_UNREMEMBERED) return false;
    const owner = following ?? stack.at(-1)?.owner;
    if (!owner) return false;
    if (following) mapOf(cluster, f, follow).set(colocation, following);
    source.candidates.addFollowing(owner);
    if (f < 0) colocation.dependent.candidates.addFollowing(owner);
    const shifts = shiftsOfOne(cluster, source, colocation, f);
    const revoked = cluster.nodes.every(({ usable, index }) => !usable || shifts.losesAll(index));
    passed.add(source);
    stack.push({ source, factor: f, following, owner, shifts, revoked, chain: effectiveColocations(source, side), next: 0 });
    return true;
  };
  let possible = enter(first, factor);
  for (let frame = stack.at(-1); frame && possible; frame = stack.at(-1)) {
    const colocation = frame.chain[frame.next++];
    if (colocation) {
      if (follow === 'dependents' && !hasInfluence(colocation)) continue;
      const f = nextFactor(frame.factor, colocation);
      const found = recall(cluster, colocation, f, follow);
      if (found?.shifts) {
        frame.shifts.append(found.shifts);
        found.addUser(frame.owner);
      } else {
        possible = !found && f !== 0 && enter(colocation, f);
      }
      continue;
    }
    stack.pop();
    passed.delete(frame.source);
    const shifts = frame.revoked ? new ScoreShifts(cluster.nodesByIndex.length) : frame.shifts;
    if (frame.following) frame.following.shifts = shifts;
    const above = stack.at(-1);
    if (!above) return shifts;
    above.shifts.append(shifts);
    if (frame.following) frame.following.addUser(above.owner);
  }
  return undefined;
}

function mapOf(cluster: Cluster, factor: number, follow: Follow): Map<Colocation, Following> {
  return cluster.followings[follow][factor < 0 ? 'apart' : 'together'];
}

function recall(cluster: Cluster, colocation: Colocation, factor: number, follow: Follow): Following | undefined {
  if (Math.abs(factor) !== 1) return undefined;
  const found = mapOf(cluster, factor, follow).get(colocation);
  return found?.valid ? found : undefined;
}

/** Its colocations stay the same throughout placement. */
function isPlain(source: Resource, follow: Follow): boolean {
  const { kind, parent, replica } = source;
  if (kind !== 'primitive' || replica) return false;
  // A later member's primaries depend on whether those before it are managed, which may change.
  return !parent || (parent.kind === 'group' && !parent.parent && (follow === 'dependents' || parent.children[0] === source));
}

function shiftsOfOne(cluster: Cluster, source: Resource, colocation: Colocation, factor: number): ScoreShifts {
  const shifts = new ScoreShifts(cluster.nodesByIndex.length);
  const likes = likesOf(cluster, source, source, colocation, factor);
  for (let index = 0; index < cluster.nodesByIndex.length; index++) shifts.add(index, likes(index) ?? 0);
  return shifts;
}
