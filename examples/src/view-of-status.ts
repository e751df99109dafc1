import { activityOf, type components } from '@systole/api-client';
import type { ClusterView, ResourceView } from './live-table.js';

type Status = components['schemas']['StatusDto'];
type Resource = components['schemas']['ResourceSummaryDto'];

/** What the table shows, from what the API says. */
export function viewOf(status: Status): ClusterView {
  return {
    cluster: status.name,
    version: status.version,
    quorate: status.quorum?.quorate ?? false,
    settled: status.settled,
    activity: activityOf(status).text,
    nodes: status.nodes.map(({ name, online, unclean, standby }) => ({ name, online, unclean, standby })),
    resources: status.resources.flatMap((resource) => primitives(resource, status)),
  };
}

function primitives(resource: Resource, status: Status, group?: string): ResourceView[] {
  if (resource.kind !== 'primitive') return resource.children.flatMap((child) => primitives(child, status, resource.id));
  const counts = status.failCounts.filter((failure) => failure.resource === resource.id);
  return [
    {
      id: resource.id,
      ...(group === undefined ? {} : { group }),
      role: resource.role,
      failed: resource.failed,
      managed: resource.managed,
      activeOn: resource.activeOn,
      failCounts: Object.fromEntries(counts.map(({ node, count }) => [node, count])),
    },
  ];
}
