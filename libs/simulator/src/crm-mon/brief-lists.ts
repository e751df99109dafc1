import { compareBytes, isActive, type Resource } from '@systole/scheduler';
import type { StatusView } from '../status/display.js';
import type { Listing } from '../status/listing.js';

/** How many primitives of each agent are active on each node, of how many where those that are not are shown, too. @param isBelowNode they are listed below the node that they are on */
export function writeBrief(
  view: StatusView,
  primitives: readonly Resource[],
  listing: Listing,
  isTotalShown: boolean,
  isBelowNode = false,
): void {
  const agents = new Map<string, Resource[]>();
  for (const one of primitives) agents.set(agentName(one), [...(agents.get(agentName(one)) ?? []), one]);
  for (const [agent, all] of [...agents].sort(([a], [b]) => compareBytes(a, b))) {
    const active = all.filter(isActive);
    if (active.length === 0 && view.activeOnly === true) continue;
    const line = (count: number, nodes: string): void => {
      listing.item(`${count}${isTotalShown ? `/${all.length}` : ''}\t(${agent}):\tActive${nodes}`);
    };
    if (isBelowNode || active.length === 0) line(active.length, isBelowNode ? ' ' : '');
    else for (const [name, count] of byNode(active)) line(count, ` ${name}`);
  }
}

/** How many are active on each node, by its name. */
function byNode(active: readonly Resource[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { activeOn } of active) for (const { name } of activeOn) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => compareBytes(a, b));
}

function agentName({ element }: Resource): string {
  const { class: standard = '', provider, type = '' } = element.attributes;
  return provider === undefined ? `${standard}:${type}` : `${standard}:${provider}:${type}`;
}
