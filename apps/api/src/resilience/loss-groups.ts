import { readingOf } from '@systole/cib';
import { configuredNodes, countQuorum, isFenceable, nodeAttributesOf, type ClusterState } from '@systole/cluster';
import type { Loss } from '@systole/simulator';

/** What is lost at once: each node, each two of them, or all that have one value of an attribute, such as a rack or a power supply. */
export type LossesBy = { readonly by: 'node' } | { readonly by: 'pair' } | { readonly by: 'attribute'; readonly attribute: string };

/** The losses to be tried on a cluster. */
export interface LossGroups {
  readonly losses: readonly Loss[];
  /** With `attribute`: nodes that have no value of it. */
  readonly without: readonly string[];
}

/**
 * The losses of nodes that are there now: of others nothing can be lost. Costs pairs of nodes, and a count of votes for each.
 *
 * @param only these nodes, where given
 * @param now epoch ms, for rules
 */
export function lossGroups(state: ClusterState, by: LossesBy, only: ReadonlySet<string> | undefined, now: number): LossGroups {
  const there = configuredNodes(state.cib).flatMap(({ name }) => (state.nodes[name]?.membership === 'joined' ? [name] : []));
  const asked = there.filter((name) => only?.has(name) ?? true).toSorted();
  const { groups, without } = groupsOf(state, by, asked, now);
  const losses = groups.map((nodes): Loss => {
    const left = there.filter((name) => !nodes.includes(name));
    return { nodes, quorum: countQuorum(state, left, now).quorate, ...unfenceableOf(state, nodes, now) };
  });
  return { losses, without };
}

/** Those of some nodes that have to be fenced when they are lost, and that no fence device covers. @param now epoch ms, for rules */
export function unfenceableOf(state: ClusterState, nodes: readonly string[], now: number): { readonly unfenceable?: readonly string[] } {
  if (!readingOf(state.cib, now).options.flag('fencing-enabled')) return {};
  const unfenceable = nodes.filter((name) => !isFenceable(state, name));
  return unfenceable.length === 0 ? {} : { unfenceable };
}

function groupsOf(
  state: ClusterState,
  by: LossesBy,
  nodes: readonly string[],
  now: number,
): { readonly groups: readonly (readonly string[])[]; readonly without: readonly string[] } {
  switch (by.by) {
    case 'node':
      return { groups: nodes.map((node) => [node]), without: [] };
    case 'pair':
      return { groups: nodes.flatMap((one, index) => nodes.slice(index + 1).map((other) => [one, other])), without: [] };
    case 'attribute': {
      const byValue = new Map<string, string[]>();
      const without: string[] = [];
      for (const node of nodes) {
        const value = nodeAttributesOf(state, node, now).get(by.attribute);
        if (value === undefined) without.push(node);
        else byValue.set(value, [...(byValue.get(value) ?? []), node]);
      }
      return { groups: [...byValue].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, of]) => of), without };
    }
  }
}
