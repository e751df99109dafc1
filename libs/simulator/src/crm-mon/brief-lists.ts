import { compareBytes, isActive, type Resource } from '@systole/scheduler';
import type { StatusView } from '../status/display.js';
import type { Listing } from '../status/listing.js';

/** How many primitives of each agent are active, of how many where those that are not are shown, too. @param below the node that they are on, if they are listed by node */
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
    const names = new Set(active.flatMap(({ activeOn }) => activeOn.map(({ name }) => name)));
    const count = isTotalShown ? `${active.length}/${all.length}` : String(active.length);
    const nodes = isBelowNode ? ' ' : names.size === 0 ? '' : ` ${[...names].join(' ')}`;
    listing.item(`${count}\t(${agent}):\tActive${nodes}`);
  }
}

function agentName({ element }: Resource): string {
  const { class: standard = '', provider, type = '' } = element.attributes;
  return provider === undefined ? `${standard}:${type}` : `${standard}:${provider}:${type}`;
}
