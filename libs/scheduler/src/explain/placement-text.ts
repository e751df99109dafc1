import { formatScore } from '@systole/cib';
import type { MissingPartner, NodeStanding, Placement } from '../model/placement.js';
import { INFINITY } from '../model/score.js';
import { partsOf } from '../model/score-trail.js';
import { describeCause } from './score-parts.js';
import type { Cluster, Resource } from '../outcome.js';

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
  const among = betterButUnusable(candidates, chosen).length > 0 ? ' of the usable nodes' : '';
  const others = aside(resource, candidates, chosen, false);
  switch (rule) {
    case 'highest-score':
      return `${name} has the highest score${among}, ${score}${aside(resource, candidates, chosen, true)}`;
    case 'tie-stays':
      return `it stays on ${name}: no other usable node has a higher score than ${score}${others}`;
    case 'tie-emptier':
      return `${name} shares the highest score${among}, ${score}, with ${equals(candidates, chosen)}, and is the emptiest of them${others}`;
    case 'tie-name':
      return `${name} shares the highest score${among}, ${score}, with ${equals(candidates, chosen)}, and ${byName(candidates, chosen)}${others}`;
    case 'wanted':
      return `${name} is where ${resource.parent?.id ?? 'its collective'} wants it, and no usable node has a higher score than ${score}${others}`;
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
  return [...nodesOf].map(([reason, nodes]) => `${listed(nodes, ', ')}: ${reason}`).join('; ');
}

function whyNot({ score, trail, unusable }: NodeStanding): string {
  if (unusable !== undefined) return unusable;
  const ban = partsOf(trail).find(({ amount }) => amount <= -INFINITY);
  return `score ${formatScore(score)}${ban === undefined ? '' : ` (${describeCause(ban.cause, ban.amount)})`}`;
}

/** `node2, node3 and node4`: the other usable nodes with the score of the chosen one. */
function equals(candidates: readonly NodeStanding[], chosen: NodeStanding | undefined): string {
  return namesOf(equalTo(candidates, chosen));
}

function equalTo(candidates: readonly NodeStanding[], chosen: NodeStanding | undefined): readonly NodeStanding[] {
  return candidates.filter((one) => one !== chosen && one.unusable === undefined && one.score === chosen?.score);
}

function namesOf(candidates: readonly NodeStanding[]): string {
  return listed(
    candidates.map(({ node }) => node.name),
    ', ',
  );
}

/** The name decides among those of the same score only where these hold as little. */
function byName(candidates: readonly NodeStanding[], chosen: NodeStanding | undefined): string {
  const equal = equalTo(candidates, chosen);
  const fuller = equal.filter(({ assignedCount }) => assignedCount > (chosen?.assignedCount ?? 0));
  if (fuller.length === 0) return 'comes first by name';
  return `holds less than ${namesOf(fuller)} and comes before ${namesOf(equal.filter((one) => !fuller.includes(one)))} by name`;
}

function betterButUnusable(candidates: readonly NodeStanding[], chosen: NodeStanding | undefined): readonly NodeStanding[] {
  return candidates.filter((one) => one !== chosen && one.unusable !== undefined && one.score >= (chosen?.score ?? 0));
}

/** ` (node2 with 50 is standby; node4, where it is active, has -INFINITY (location x); next is node3 with -10)`. */
function aside({ activeOn }: Resource, candidates: readonly NodeStanding[], chosen: NodeStanding | undefined, withNext: boolean): string {
  const better = betterButUnusable(candidates, chosen);
  const next = withNext ? candidates.find((one) => one !== chosen && one.unusable === undefined) : undefined;
  const told = (one: NodeStanding): boolean =>
    one === next || better.includes(one) || (one.unusable === undefined && one.score === chosen?.score);
  const left = candidates.filter((one) => one !== chosen && activeOn.includes(one.node) && !told(one));
  const items = [
    ...(better.length === 0
      ? []
      : [
          listed(
            better.map(({ node, score, unusable }) => `${node.name} with ${formatScore(score)} is ${unusable ?? ''}`),
            '; ',
          ),
        ]),
    ...left.map((one) => `${one.node.name}, where it is active, ${one.unusable === undefined ? 'has' : 'is'} ${whyNot(one)}`),
    ...(next ? [`next is ${next.node.name} with ${formatScore(next.score)}`] : []),
  ];
  return items.length === 0 ? '' : ` (${items.join('; ')})`;
}

/** So many are named one by one. */
const NAMED = 5;

function listed(texts: readonly string[], separator: ', ' | '; '): string {
  const more = texts.length - NAMED;
  if (more > 0) return `${texts.slice(0, NAMED).join(separator)} and ${String(more)} more`;
  if (separator === '; ' || texts.length < 2) return texts.join(separator);
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
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
