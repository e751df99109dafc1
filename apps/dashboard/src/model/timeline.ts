import type { components } from '@systole/api-client';
import { describeEvent, type ClusterEvent, type EventDescription } from '@systole/cluster';

type Event = components['schemas']['EventDto'];

/** So many events are kept on the page. */
export const KEPT_EVENTS = 400;

/** An event with the words for it. */
export interface TimelineEntry extends EventDescription {
  readonly version: number;
  readonly type: string;
  readonly actor: string;
  readonly occurredAt: string;
}

export function timelineEntry({ version, type, data, actor, occurredAt }: Event): TimelineEntry {
  const event: { readonly type: string; readonly data: object } = { type, data };
  // The API serves the domain's events as they are; a type that this page does not know is possible, and told by its name.
  return { version, type, actor, occurredAt, ...describeEvent(event as ClusterEvent, actor) };
}

/** Adds events, newest first, none twice, and forgets the oldest. */
export function withEvents(entries: readonly TimelineEntry[], fresh: readonly Event[]): readonly TimelineEntry[] {
  const newest = entries[0]?.version ?? 0;
  const added = fresh.filter(({ version }) => version > newest).map(timelineEntry);
  return added.length === 0 ? entries : [...added.sort((a, b) => b.version - a.version), ...entries].slice(0, KEPT_EVENTS);
}
