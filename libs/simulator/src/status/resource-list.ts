import { type Cluster, currentNode, isDisabled, isEntirelyActive, type Replica, type Resource, RoleLevel } from '@systole/scheduler';
import { writeClone } from './clone-lines.js';
import { hasLine, inParentheses, managementWord, type StatusView } from './display.js';
import type { Listing } from './listing.js';
import { isImplicitConnection, primitiveLine, stateLine } from './primitive-line.js';

/** The full list of resources (specification 08 §6.2): what only history knows is listed while it is active. */
export function writeResourceList(view: StatusView, listing: Listing): void {
  listing.list('Full List of Resources', () => {
    const before = listing.length;
    for (const resource of view.cluster.resources) {
      if (isListed(resource)) writeResource(view, resource, listing);
    }
    if (listing.length === before) listing.item('No resources');
  });
}

/** What only history knows is listed while it is entirely active. */
export function isListed(resource: Resource): boolean {
  if (!resource.removed) return true;
  return resource.kind === 'bundle' ? resource.children.every(isEntirelyActive) : isEntirelyActive(resource);
}

/** What stands in a list of resources for one of them. */
export function writeResource(view: StatusView, resource: Resource, listing: Listing): void {
  if (!hasLine(view, resource)) return;
  switch (resource.kind) {
    case 'primitive':
      if (view.instances === true || !isImplicitConnection(resource)) listing.item(primitiveLine(view, resource));
      return;
    case 'group':
      writeGroup(view, resource, listing);
      return;
    case 'clone':
      writeClone(view, resource, listing, (instance) => {
        writeResource(view, instance, listing);
      });
      return;
    case 'bundle':
      writeBundle(view, resource, listing);
  }
}

/** A group's name, and what is special about all of it. */
export function groupTitle(group: Resource): string {
  const words = [
    isDisabled(group) ? 'disabled' : undefined,
    managementWord({ blocked: false, maintenance: group.maintenance, managed: group.managed }),
  ];
  return `Resource Group: ${group.id}${inParentheses(words)}`;
}

function writeGroup(view: StatusView, group: Resource, listing: Listing): void {
  listing.list(groupTitle(group), () => {
    for (const member of group.children) writeResource(view, member, listing);
  });
}

/** A bundle with a line per replica (specification 08 §6.6). */
function writeBundle(view: StatusView, bundle: Resource, listing: Listing): void {
  const settings = bundle.bundle;
  if (!settings) return;
  const words = [
    bundle.unique ? 'unique' : undefined,
    managementWord({ blocked: false, maintenance: bundle.maintenance, managed: bundle.managed }),
  ];
  const suffix = words.map((word) => (word === undefined ? '' : ` (${word})`)).join('');
  const title = settings.replicas.length > 1 ? 'Container bundle set' : 'Container bundle';
  listing.list(`${title}: ${bundle.id} [${settings.image}]${suffix}`, () => {
    for (const replica of settings.replicas) listing.item(replicaLine(view, replica));
  });
}

function replicaLine(view: StatusView, replica: Replica): string {
  const { child, container, connection, ipAddress } = replica;
  const name = (connection ?? container).id;
  return stateLine(view, child ?? container, ipAddress === undefined ? name : `${name} (${ipAddress})`, currentNode(container));
}

/** How many primitives are disabled or blocked, of how many (specification 08 §2.5). */
export function countInstances(cluster: Cluster): { readonly total: number; readonly disabled: number; readonly blocked: number } {
  let total = 0;
  let disabled = 0;
  let blocked = 0;
  for (const resource of cluster.primitives()) {
    if (resource.removed && resource.currentRole <= RoleLevel.Stopped) continue;
    total++;
    if (isDisabled(resource)) disabled++;
    if (resource.blocked) blocked++;
  }
  return { total, disabled, blocked };
}
