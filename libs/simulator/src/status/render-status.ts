import type { Cluster, Resource } from '@systole/scheduler';
import { statusView } from './display.js';
import { failCountLine, failureLine, shownFailCounts, shownFailures } from './failures.js';
import { Listing } from './listing.js';
import { attributeLine, shownAttributes } from './node-attributes.js';
import { writeNodeList } from './node-list.js';
import { countInstances, writeResource, writeResourceList } from './resource-list.js';
import type { StatusOptions } from './status-options.js';

/** Which of the two status sections (specification 08 §6.7). */
export type StatusKind = 'current' | 'revised';

/** The status of a cluster as text: nodes and resources below a title, and what else is asked for (specification 08 §6). */
export function renderStatus(cluster: Cluster, kind: StatusKind, options: StatusOptions = {}): string {
  const listing = new Listing();
  const current = kind === 'current';
  listing.list(current ? 'Current cluster status' : 'Revised Cluster Status', () => {
    writeNodeList(cluster, listing);
    if (cluster.nodes.length > 0) listing.spacer();
    writeResourceList(statusView(cluster, current), listing);
    if (options.attributes === true) writeAttributes(cluster, listing);
    if (options.failCounts === true) {
      writeFailCounts(cluster, listing, options.localOffsetSeconds);
      writeFailures(cluster, listing, options.localOffsetSeconds);
    }
  });
  return listing.text();
}

/** All resources, where they are and how they are. */
export function renderResourceList(cluster: Cluster): string {
  const listing = new Listing();
  writeResourceList(statusView(cluster, true), listing);
  return listing.text();
}

/** The same of some of them, without a title. */
export function renderResourceLines(cluster: Cluster, resources: readonly Resource[]): string {
  const listing = new Listing();
  const view = statusView(cluster, true);
  for (const resource of resources) writeResource(view, resource, listing);
  return listing.text();
}

function writeAttributes(cluster: Cluster, listing: Listing): void {
  const nodes = cluster.nodes.filter(({ online }) => online).map((node) => ({ node, attributes: shownAttributes(cluster, node) }));
  const shown = nodes.filter(({ attributes }) => attributes.length > 0);
  if (shown.length === 0) return;
  listing.spacer();
  listing.list('Node Attributes', () => {
    for (const { node, attributes } of shown) {
      listing.list(`Node: ${node.name}`, () => {
        for (const attribute of attributes) listing.item(attributeLine(attribute));
      });
    }
  });
}

function writeFailCounts(cluster: Cluster, listing: Listing, localOffsetSeconds: number | undefined): void {
  const nodes = shownFailCounts(cluster);
  if (nodes.length === 0) return;
  listing.spacer();
  listing.list('Migration Summary', () => {
    for (const { node, counts } of nodes) {
      if (counts.length === 0) continue;
      listing.list(`Node: ${node.name}`, () => {
        for (const count of counts) listing.item(failCountLine(count, localOffsetSeconds));
      });
    }
  });
}

function writeFailures(cluster: Cluster, listing: Listing, localOffsetSeconds: number | undefined): void {
  const failures = shownFailures(cluster);
  if (failures.length === 0) return;
  listing.spacer();
  listing.list('Failed Resource Actions', () => {
    for (const failure of failures) listing.item(failureLine(failure, localOffsetSeconds));
  });
}

const MAINTENANCE = `
              *** Resource management is DISABLED ***
  The cluster will not attempt to start, stop or recover services
`;

/** What stands above the current status: a warning in maintenance mode, and how many instances are disabled or blocked (08 §2.4, §2.5). */
export function renderPreamble(cluster: Cluster): string {
  const { total, disabled, blocked } = countInstances(cluster);
  let text = cluster.options.maintenanceMode ? MAINTENANCE : '';
  if (disabled > 0 || blocked > 0) {
    if (text !== '') text += '\n';
    text += `${disabled} of ${total} resource instances DISABLED and ${blocked} BLOCKED from further action due to failure\n`;
  }
  return text;
}
