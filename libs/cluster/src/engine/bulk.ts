import type { GraphAction } from '@systole/scheduler';

/** What an action may carry without being counted, characters: more than nearly all do. */
const FREE = 4_096;

/** How much more an action carries to its agent than nearly all do, in characters: large values of parameters. 0 for most. */
export function bulkOf({ attributes, params = [] }: GraphAction): number {
  let carried = 0;
  for (const name in attributes) carried += name.length + (attributes[name]?.length ?? 0);
  for (const { name, value } of params) carried += name.length + value.length;
  return Math.max(0, carried - FREE);
}
