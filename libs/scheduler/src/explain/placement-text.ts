import { formatScore } from '@systole/cib';
import type { NodeStanding, Placement } from '../model/placement.js';
import type { Resource } from '../model/resource.js';
import { describeCause } from './score-parts.js';

/** The choice of a primitive's node in a sentence. */
export function placementText(resource: Resource, { node, rule, candidates }: Placement): string {
  const chosen = candidates.find((candidate) => candidate.node === node);
  const score = formatScore(chosen?.score ?? 0);
  const name = node?.name ?? '';
  switch (rule) {
    case 'highest-score':
      return `${name} has the highest score, ${score}${runnerUp(candidates, chosen)}`;
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

function whyNot({ score, ban, unusable }: NodeStanding): string {
  if (unusable !== undefined) return unusable;
  return `score ${formatScore(score)}${ban === undefined ? '' : ` (${describeCause(ban)})`}`;
}

function runnerUp(candidates: readonly NodeStanding[], chosen: NodeStanding | undefined): string {
  const better = candidates.filter((one) => one !== chosen && one.score >= (chosen?.score ?? 0) && one.unusable !== undefined);
  const next = candidates.find((one) => one !== chosen && one.unusable === undefined);
  const unusable = better.map(({ node, score, unusable: why }) => `${node.name} with ${formatScore(score)} is ${why ?? ''}`);
  const rest = next ? [`next is ${next.node.name} with ${formatScore(next.score)}`] : [];
  const all = [...unusable, ...rest];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

function toBeStopped(resource: Resource): string {
  for (let at: Resource | undefined = resource; at; at = at.parent) {
    const role = at.meta.get('target-role');
    if (role?.toLowerCase() === 'stopped') return `target-role of ${at.id} is ${role}`;
  }
  return resource.failed ? 'it failed, and its on-fail says that it stays stopped' : 'it is to be stopped';
}
