import type { Cluster, ClusterNode } from '@systole/scheduler';
import type { Listing } from './listing.js';

/** The node list (specification 08 §6.1): what is special about a node has its own line, all others are collected. */
export function writeNodeList(cluster: Cluster, listing: Listing, isShown: (node: ClusterNode) => boolean = () => true): void {
  if (cluster.nodes.length === 0) return;
  listing.list('Node List', () => {
    const collected = new Map<string, string[]>(collectedLabels.map((label) => [label, []]));
    for (const node of cluster.nodes.filter(isShown)) {
      const health = nodeHealth(cluster, node);
      const marker = health === 'green' ? '' : ` (health is ${health.toUpperCase()})`;
      if (marker !== '' || isSpecial(node)) listing.item(`${kindOf(node)} ${node.name}: ${nodeStatus(node)}${marker}`);
      else collected.get(collectedLabel(node))?.push(node.name);
    }
    for (const [label, names] of collected) if (names.length > 0) listing.item(`${label}: [ ${names.join(' ')} ]`);
  });
}

const collectedLabels = ['Online', 'OFFLINE', 'RemoteOnline', 'RemoteOFFLINE', 'GuestOnline'];

/** Offline guests have no label: they are not listed. */
function collectedLabel({ isGuest, remoteType, online }: ClusterNode): string {
  if (isGuest) return online ? 'GuestOnline' : '';
  if (remoteType) return online ? 'RemoteOnline' : 'RemoteOFFLINE';
  return online ? 'Online' : 'OFFLINE';
}

function kindOf({ isGuest, remoteType }: ClusterNode): string {
  return isGuest ? 'GuestNode' : remoteType ? 'RemoteNode' : 'Node';
}

function isSpecial(node: ClusterNode): boolean {
  return node.unclean || node.pending || (node.standbyOnFail && node.online) || node.standby || node.maintenance;
}

/** A node's state in words, as lists show it. */
export function nodeStatus(node: ClusterNode): string {
  if (node.unclean) return `UNCLEAN (${node.online ? 'online' : node.pending ? 'pending' : 'offline'})`;
  if (node.pending) return 'pending';
  if (node.standbyOnFail && node.online) return 'standby (on-fail)';
  if (node.standby) {
    if (!node.online) return 'OFFLINE (standby)';
    return node.running.length > 0 ? 'standby (with active resources)' : 'standby';
  }
  if (node.maintenance) return node.online ? 'maintenance' : 'OFFLINE (maintenance)';
  return node.online ? 'online' : 'OFFLINE';
}

/** The worst of a node's health attributes, if health has any effect. */
export function nodeHealth(cluster: Cluster, node: ClusterNode): 'red' | 'yellow' | 'green' {
  const { healthStrategy, healthWords } = cluster.options;
  if (healthStrategy === 'none') return 'green';
  const values = [...node.attributes].filter(([name]) => name.startsWith('#health')).map(([, value]) => value.toLowerCase());
  const isAtMost = (value: string, limit: number): boolean => {
    const score = Object.hasOwn(healthWords, value) ? undefined : cluster.score(value);
    return score !== undefined && score <= limit;
  };
  if (values.some((value) => value === 'red' || isAtMost(value, healthWords.red))) return 'red';
  const yellowMatters = healthWords.yellow !== healthWords.green;
  return values.some((value) => value === 'yellow' || (yellowMatters && isAtMost(value, healthWords.yellow))) ? 'yellow' : 'green';
}
