import { formatScore } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import type { MissingPartner, NodeStanding, Placement } from '../model/placement.js';
import type { Resource } from '../model/resource.js';
import { INFINITY } from '../model/score.js';
import { partsOf } from '../model/score-trail.js';
import { describeCause } from './score-parts.js';

/**
 * The placement of a primitive as it is in the end: a node can be taken away again for want of a partner (specification 07 §5.4), and what is
 * surplus is not placed at all.
 */
export function finalPlacement(cluster: Cluster, resource: Resource): Placement {
  const placement = cluster.placements.get(resource);
  if (!placement) return { node: undefined, rule: 'surplus', candidates: [] };
  const lost = placement.node !== undefined && resource.assignedNode === undefined && missingPartner(resource) !== undefined;
  return lost ? { ...placement, node: undefined, rule: 'no-partner' } : placement;
}

/** The choice of a primitive's node in a sentence. */
export function placementText(cluster: Cluster, resource: Resource): string {
  const { node, rule, candidates } = finalPlacement(cluster, resource);
  const chosen = candidates.find((candidate) => candidate.node === node);
  const score = formatScore(chosen?.score ?? 0);
  const name = node?.name ?? '';
  switch (rule) {
    case 'highest-score':
      return highestScore(candidates, chosen, name);
    case 'tie-stays':
      return `it stays on ${name}: no other node has a higher score than ${score}`;
    case 'tie-emptier':
      return `${name} has the highest score, ${score}, and fewer resources than the others that have it`;
    case 'tie-name':
      return `${name} is the first by name of the nodes with the highest score, ${score}`;
    case 'wanted':
      return `${name} is where ${resource.parent?.id ?? 'its collective'} wants it, and no node has a higher score than ${score}`;
    case 'unmanaged':
      return node ? `it is unmanaged, so it stays on ${name}` : 'it is unmanaged, so it is started nowhere';
    case 'stop-all':
      return 'the cluster option stop-all-resources is set';
    case 'to-be-stopped':
      return toBeStopped(resource);
    case 'surplus':
      return surplus(resource);
    case 'no-partner':
      return withoutPartner(resource) ?? 'what it is tied to is not there';
    case 'no-candidate':
      return candidates.length === 0 ? 'no node is allowed to run it' : `no node can run it: ${byReason(candidates)}`;
  }
}

/** `node1 and node2: standby; node3: score -INFINITY (location x)`. */
function byReason(candidates: readonly NodeStanding[]): string {
  const nodesOf = new Map<string, string[]>();
  for (const candidate of candidates) {
    const reason = whyNot(candidate);
    const nodes = nodesOf.get(reason);
    if (nodes) nodes.push(candidate.node.name);
    else nodesOf.set(reason, [candidate.node.name]);
  }
  return [...nodesOf].map(([reason, nodes]) => `${nodes.join(', ')}: ${reason}`).join('; ');
}

function whyNot({ score, trail, unusable }: NodeStanding): string {
  if (unusable !== undefined) return unusable;
  const ban = partsOf(trail).find(({ amount }) => amount <= -INFINITY)?.cause;
  return `score ${formatScore(score)}${ban === undefined ? '' : ` (${describeCause(ban)})`}`;
}

/** `node1 has the highest score of the usable nodes, 0 (node2 with 50 is standby; next is node3 with -10)`. */
function highestScore(candidates: readonly NodeStanding[], chosen: NodeStanding | undefined, name: string): string {
  const score = chosen?.score ?? 0;
  const better = candidates.filter((one) => one !== chosen && one.score >= score && one.unusable !== undefined);
  const next = candidates.find((one) => one !== chosen && one.unusable === undefined);
  const others = [
    ...better.map(({ node, score: theirs, unusable: why }) => `${node.name} with ${formatScore(theirs)} is ${why ?? ''}`),
    ...(next ? [`next is ${next.node.name} with ${formatScore(next.score)}`] : []),
  ];
  const among = better.length > 0 ? ' of the usable nodes' : '';
  return `${name} has the highest score${among}, ${formatScore(score)}${others.length === 0 ? '' : ` (${others.join('; ')})`}`;
}

function toBeStopped(resource: Resource): string {
  for (let at: Resource | undefined = resource; at; at = at.parent) {
    const role = at.meta.get('target-role');
    if (role?.toLowerCase() === 'stopped') return `target-role of ${at.id} is ${role}`;
  }
  const partner = withoutPartner(resource);
  if (partner !== undefined) return partner;
  return resource.failed ? 'it failed, and its on-fail says that it stays stopped' : 'it is to be stopped';
}

function surplus({ id, top }: Resource): string {
  if (top.kind !== 'clone') return `${id} is not placed`;
  return `clone-max of ${top.id} is ${String(top.clone?.max ?? 0)}, and this instance is surplus`;
}

function missingPartner(resource: Resource): MissingPartner | undefined {
  return resource.missingPartner ?? (resource.parent && missingPartner(resource.parent));
}

function withoutPartner(resource: Resource): string | undefined {
  const missing = missingPartner(resource);
  if (!missing) return undefined;
  const { primary, colocation } = missing;
  const tie = colocation === undefined ? `ordered after ${primary}, interleaved` : `colocation ${colocation} with ${primary}`;
  return `there is no instance of ${primary} for it (${tie})`;
}
