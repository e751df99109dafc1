import type { components } from '@systole/api-client';

type Status = components['schemas']['StatusDto'];
type Resource = components['schemas']['ResourceSummaryDto'];
type Node = components['schemas']['NodeDto'];

/** What a resource is on a node. */
export interface PlacementCell {
  readonly node: string;
  /** Its role there; absent where it is not active. */
  readonly role?: string;
  readonly failed: boolean;
  /** The node is unclean: nobody knows whether this still holds. */
  readonly uncertain: boolean;
  /** The role that the scheduler wants there, when it is not what is. */
  readonly planned?: string;
  /** Nobody knows whether it is active there: it is still to be probed, or the node can't be asked. */
  readonly unknown?: true;
  /** Failures that are counted there: a number, or INFINITY. */
  readonly failCount?: string;
}

/** A resource as a row; groups, clones and bundles have rows without cells above those of their members. */
export interface PlacementRow {
  readonly id: string;
  /** Unique in the table; ids of clone instances are not. */
  readonly key: string;
  readonly depth: number;
  readonly kind: Resource['kind'];
  /** `ocf:heartbeat:IPaddr2`. */
  readonly agent?: string;
  readonly notes: readonly string[];
  readonly cells: readonly PlacementCell[];
}

/** Resources against nodes. */
export function placementRows({ resources, nodes, failCounts }: Status): readonly PlacementRow[] {
  const counts = new Map(failCounts.map(({ resource, node, count }) => [`${resource}\n${node}`, count]));
  const rowsOf = (resource: Resource, depth: number, path: string): readonly PlacementRow[] => {
    const key = `${path}/${resource.id}`;
    const { agent } = resource;
    const row: PlacementRow = {
      id: resource.id,
      key,
      depth,
      kind: resource.kind,
      ...(agent === undefined
        ? {}
        : { agent: [agent.class, ...(agent.provider === undefined ? [] : [agent.provider]), agent.type].join(':') }),
      notes: notesOf(resource),
      cells: resource.kind === 'primitive' ? nodes.map((node) => cellOf(resource, node, counts)) : [],
    };
    return [row, ...resource.children.flatMap((child, index) => rowsOf(child, depth + 1, `${key}[${index}]`))];
  };
  return resources.flatMap((resource, index) => rowsOf(resource, 0, `[${index}]`));
}

function cellOf(resource: Resource, { name: node, unclean }: Node, counts: ReadonlyMap<string, string>): PlacementCell {
  const { role, nextRole, activeOn, assignedTo, failed, unknownOn, held } = resource;
  const here = activeOn.includes(node);
  const wanted = assignedTo === node && nextRole !== 'Stopped' && nextRole !== 'Unknown' ? nextRole : undefined;
  const isHeld = held !== undefined && wanted !== undefined;
  const planned = isHeld ? undefined : here ? leaving(role, wanted) : wanted;
  const failCount = counts.get(`${resource.id}\n${node}`);
  return {
    node,
    ...(here ? { role } : {}),
    failed: here && failed,
    uncertain: here && unclean,
    ...(planned === undefined ? {} : { planned }),
    ...(unknownOn?.includes(node) === true ? { unknown: true as const } : {}),
    ...(failCount === undefined ? {} : { failCount }),
  };
}

/** What becomes of a resource where it is active. */
function leaving(role: string, wanted: string | undefined): string | undefined {
  if (wanted === undefined) return 'Stopped';
  return wanted === role ? undefined : wanted;
}

function notesOf({ managed, blocked, removed, held, nextRole, assignedTo }: Resource): readonly string[] {
  return [
    ...(managed ? [] : ['unmanaged']),
    ...(blocked ? ['blocked'] : []),
    ...(removed ? ['no longer configured'] : []),
    ...(held === undefined ? [] : [`waits to be ${nextRole}${assignedTo === undefined ? '' : ` on ${assignedTo}`}, because ${held}`]),
  ];
}
