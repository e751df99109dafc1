import {
  type ClusterNode,
  compareBytes,
  compareNatural,
  currentRole,
  isActive,
  isDisabled,
  isEntirelyActive,
  leaves,
  parseRole,
  type Resource,
  RoleLevel,
  subtree,
} from '@systole/scheduler';
import { inParentheses, managementWord, type StatusView } from './display.js';
import type { Listing } from './listing.js';

/** How one instance enters the clone's list (specification 08 §6.5). */
type Treatment =
  { readonly kind: 'individually' } | { readonly kind: 'promoted' | 'started'; readonly node: ClusterNode } | { readonly kind: 'stopped' };

/** A clone: header, instances that need their own line, then the names of nodes by state. */
export function writeClone(view: StatusView, clone: Resource, listing: Listing, writeInstance: (instance: Resource) => void): void {
  listing.list(header(clone), () => {
    const promoted: string[] = [];
    const started: string[] = [];
    const isShown = ({ node }: { readonly node: ClusterNode }): boolean => view.isNodeShown?.(node) !== false;
    for (const instance of clone.children) {
      if (view.isShown?.(instance) === false) continue;
      const treatment = treat(view, clone, instance);
      if (treatment.kind === 'individually') writeInstance(instance);
      else if (treatment.kind === 'promoted' && isShown(treatment)) promoted.push(treatment.node.name);
      else if (treatment.kind === 'started' && isShown(treatment)) started.push(treatment.node.name);
    }
    writeNames(listing, 'Promoted', promoted);
    writeNames(listing, startedLabel(clone), started);
    if (view.activeOnly === true) return;
    if (!clone.unique && (clone.clone?.max ?? 0) > promoted.length + started.length) writeStopped(view, clone, listing);
  });
}

function header(clone: Resource): string {
  const child = clone.clone?.childElement.attributes['id'] ?? '';
  const words = [
    clone.promotable ? 'promotable' : undefined,
    clone.unique ? 'unique' : undefined,
    isDisabled(clone) ? 'disabled' : undefined,
    managementWord({ blocked: false, maintenance: clone.maintenance, managed: clone.managed }),
  ];
  return `Clone Set: ${clone.id} [${child}]${inParentheses(words)}`;
}

/** The first rule that fits decides. */
function treat(view: StatusView, clone: Resource, instance: Resource): Treatment {
  const active = isActive(instance);
  if (clone.unique) return active || !clone.removed ? { kind: 'individually' } : { kind: 'stopped' };
  if (view.showPending && isPending(instance)) return { kind: 'individually' };
  if (!active) return { kind: 'stopped' };
  if (view.instances === true) return { kind: 'individually' };
  const all = [...subtree(instance)];
  if (all.some(({ removed, managed, failed }) => removed || !managed || failed)) return { kind: 'individually' };
  const nodes = new Set([...leaves(instance)].flatMap(({ activeOn }) => activeOn));
  const [node] = nodes;
  if (!node || nodes.size > 1 || !isEntirelyActive(instance)) return { kind: 'individually' };
  if (!node.online && node.unclean) return { kind: 'individually' };
  return { kind: currentRole(instance) > RoleLevel.Unpromoted ? 'promoted' : 'started', node };
}

function isPending({ pendingAction, pendingInterval }: Resource): boolean {
  return pendingAction !== undefined && !(pendingAction === 'monitor' && pendingInterval === 0);
}

function startedLabel(clone: Resource): string {
  if (!clone.promotable) return 'Started';
  return targetOf(clone) === RoleLevel.Unpromoted ? 'Unpromoted (target-role)' : 'Unpromoted';
}

/** The configured `target-role` of the clone, or else of its first instance. */
function targetOf(clone: Resource): RoleLevel | undefined {
  return parseRole(clone.meta.get('target-role') ?? clone.children[0]?.meta.get('target-role'));
}

/** Every candidate node without an active instance, by the reason why. */
function writeStopped(view: StatusView, clone: Resource, listing: Listing): void {
  const { failedProbes } = view;
  const active = new Set([...leaves(clone)].flatMap(({ activeOn }) => activeOn));
  const disabled = targetOf(clone) === RoleLevel.Stopped;
  const byState = new Map<string, string[]>();
  for (const node of possibleNodes(view, clone)) {
    if (active.has(node)) continue;
    const probe = failedProbes.of(clone, node);
    const state = probe !== undefined ? `Stopped (${probe})` : disabled ? 'Stopped (disabled)' : 'Stopped';
    const names = byState.get(state);
    if (names) names.push(node.name);
    else byState.set(state, [node.name]);
  }
  for (const state of [...byState.keys()].sort(compareBytes)) writeNames(listing, state, byState.get(state) ?? []);
}

/** The nodes that may run it, or else those where it was probed. */
function possibleNodes({ cluster }: StatusView, clone: Resource): ClusterNode[] {
  const { candidates } = clone;
  return candidates.size > 0
    ? cluster.nodes.filter((node) => candidates.has(node.index))
    : cluster.nodes.filter((node) => clone.knownOn.has(node));
}

function writeNames(listing: Listing, label: string, names: readonly string[]): void {
  if (names.length > 0) listing.item(`${label}: [ ${[...names].sort(compareNatural).join(' ')} ]`);
}
