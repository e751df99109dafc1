import { bundleCounts, childElements, childrenNamed, containerElement, firstChildNamed, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';

/** One storage mapping of a bundle (specification 02 §8.1). */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly options: string | undefined;
  /** The source is a root below which every replica has its own directory. */
  readonly perReplica: boolean;
}

/** What a `bundle` element configures (specification 02 §8.1). */
export interface BundleDescription {
  readonly technology: 'docker' | 'podman';
  readonly image: string;
  readonly promotedMax: number;
  readonly replicas: number;
  readonly replicasPerHost: number;
  readonly runCommand: string | undefined;
  readonly options: string | undefined;
  readonly network: string | undefined;
  readonly ipRangeStart: string | undefined;
  readonly hostNetmask: string | undefined;
  readonly hostInterface: string | undefined;
  readonly controlPort: string | undefined;
  readonly addHost: boolean;
  readonly mounts: readonly Mount[];
  readonly ports: readonly { readonly source: string; readonly target: string }[];
  readonly primitive: XmlElement | undefined;
}

/** Reads a bundle element; undefined when it has no container technology. */
export function readBundle(cluster: Cluster, element: XmlElement): BundleDescription | undefined {
  const container = containerElement(element);
  if (!container) return undefined;
  const { attributes } = container;
  const counts = bundleCounts(container);
  const networkElement = firstChildNamed(element, 'network');
  const network = networkElement?.attributes ?? {};
  const primitive = firstChildNamed(element, 'primitive');
  const mounts = readMounts(cluster, element);
  const ports = readPorts(cluster, networkElement);
  if (primitive) {
    mounts.push({ source: '/etc/pacemaker/authkey', target: '/etc/pacemaker/authkey', options: undefined, perReplica: false });
    if (!mounts.some(({ target }) => target === '/var/log')) {
      mounts.push({ source: '/var/log/pacemaker/bundles', target: '/var/log', options: undefined, perReplica: true });
    }
    const port = network['control-port'] ?? '3121';
    ports.push({ source: port, target: port });
  }
  return {
    technology: container.name === 'docker' ? 'docker' : 'podman',
    image: attributes['image'] ?? '',
    promotedMax: counts.promotedMax,
    replicas: counts.replicas,
    replicasPerHost: counts.perHost,
    runCommand: attributes['run-command'],
    options: attributes['options'],
    network: attributes['network'],
    ipRangeStart: network['ip-range-start'],
    hostNetmask: network['host-netmask'],
    hostInterface: network['host-interface'],
    controlPort: network['control-port'],
    addHost: cluster.cib.boolean(network['add-host']) !== false,
    mounts,
    ports,
    primitive,
  };
}

function readMounts(cluster: Cluster, element: XmlElement): Mount[] {
  const mounts: Mount[] = [];
  const storage = firstChildNamed(element, 'storage');
  for (const { attributes } of storage ? childrenNamed(storage, 'storage-mapping') : []) {
    const root = attributes['source-dir'] === undefined ? attributes['source-dir-root'] : undefined;
    const source = attributes['source-dir'] ?? root;
    const target = attributes['target-dir'];
    if (source === undefined || target === undefined) {
      cluster.error(`Bundle ${element.attributes['id'] ?? ''}: ignoring a storage mapping without source or target`);
      continue;
    }
    mounts.push({ source, target, options: attributes['options'], perReplica: root !== undefined });
  }
  return mounts;
}

function readPorts(cluster: Cluster, network: XmlElement | undefined): { source: string; target: string }[] {
  const ports: { source: string; target: string }[] = [];
  for (const { name, attributes } of network ? childElements(network) : []) {
    if (name !== 'port-mapping') continue;
    const source = attributes['port'] ?? attributes['range'];
    if (source === undefined) {
      cluster.error('Ignoring a port mapping that names neither port nor range');
      continue;
    }
    ports.push({ source, target: attributes['port'] === undefined ? source : (attributes['internal-port'] ?? source) });
  }
  return ports;
}

/** The address after this one (specification 02 §8.2): IPv4 only. */
export function nextAddress(address: string): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (!match) return undefined;
  const [, a = '', b = '', c = '', d = ''] = match;
  if (Number(c) > 253) return undefined;
  if (Number(d) > 253) return `${a}.${b}.${Number(c) + 1}.1`;
  return `${a}.${b}.${c}.${Number(d) + 1}`;
}
