import { type Cluster, type ClusterNode, compareBytes, isActive, leaves, type Resource } from '@systole/scheduler';

/** An attribute of a node, as status shows it. */
export interface ShownAttribute {
  readonly name: string;
  readonly value: string;
  /** The value that full connectivity would have, for attributes that a ping resource on this node maintains. */
  readonly expected?: number;
}

const HIDDEN = ['fail-count', 'last-failure', 'shutdown', 'terminate', 'standby', '#'];

/** The attributes of a node without those that the cluster keeps for itself, in byte order (specification 08 §6.8). */
export function shownAttributes(cluster: Cluster, node: ClusterNode): ShownAttribute[] {
  const pings = node.running.filter(isPing);
  return [...node.attributes]
    .filter(([name]) => !HIDDEN.some((prefix) => name.startsWith(prefix)))
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([name, value]) => {
      const expected = expectedConnectivity(cluster, pings, name);
      return expected === undefined ? { name, value } : { name, value, expected };
    });
}

/** A line of the attribute list. */
export function attributeLine({ name, value, expected }: ShownAttribute): string {
  const line = `${name.padEnd(32)}\t: ${value.padEnd(10)}`;
  if (expected === undefined) return line;
  const number = Number.parseInt(value, 10) || 0;
  if (number <= 0) return `${line}\t: Connectivity is lost`;
  return number < expected ? `${line}\t: Connectivity is degraded (Expected=${expected})` : line;
}

function isPing(resource: Resource): boolean {
  const { type } = resource.element.attributes;
  return (type === 'ping' || type === 'pingd') && [...leaves(resource)].some(isActive);
}

function expectedConnectivity(cluster: Cluster, pings: readonly Resource[], attribute: string): number | undefined {
  for (const { element } of pings) {
    const parameters = cluster.cib.parameters(element);
    if ((parameters.get('name') ?? 'pingd') !== attribute) continue;
    const hosts = (parameters.get('host_list') ?? '').split(/\s+/).filter((host) => host !== '');
    return hosts.length * (Number.parseInt(parameters.get('multiplier') ?? '1', 10) || 0);
  }
  return undefined;
}
