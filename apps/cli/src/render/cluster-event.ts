import type { ClusterEvent } from '@systole/cluster';

/** What the API says of an event, as the domain's event. The API serves them as they are; a type that this program does not know is possible. */
export function clusterEvent({ type, data }: { readonly type: unknown; readonly data: object }): ClusterEvent {
  const event: { readonly type: unknown; readonly data: object } = { type, data };
  return event as ClusterEvent;
}
