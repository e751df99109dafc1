import { element, implicitId, type XmlElement } from '@systole/cib';
import { type Cluster, subtree } from '../model/cluster.js';
import { ProbeMode } from '../model/candidates.js';
import type { Replica, Resource } from '../model/resource.js';
import { defining } from '../model/resource/defining.js';
import type { ClusterNode } from '../model/node.js';
import { INFINITY } from '../model/score.js';
import { NODE_SCORE } from '../model/score-trail.js';
import { type BundleDescription, nextAddress, readBundle } from './bundle-settings.js';
import { connectionElement } from './implicit-connections.js';

/** A replica whose parts are made one after the other. */
type ReplicaInMaking = { -readonly [Part in keyof Replica]: Replica[Part] };

/** Unpacks one resource element below a parent. */
export type Unpack = (written: XmlElement, parent: Resource) => Resource | undefined;

/** Makes the implicit resources of a bundle (specification 02 §8). False when the bundle is rejected. */
export function unpackBundle(cluster: Cluster, bundle: Resource, unpack: Unpack): boolean {
  const read = readBundle(cluster, bundle.element);
  if (!read) {
    cluster.error(`Ignoring bundle ${bundle.id}: it has neither a docker nor a podman element`);
    return false;
  }
  if (read.replicasPerHost === 1) defining(bundle).unique = false;
  let { replicasPerHost } = read;
  if (read.primitive && read.ipRangeStart === undefined) {
    if (read.controlPort === undefined) {
      cluster.error(
        `Ignoring bundle ${bundle.id}: ${read.primitive.attributes['id'] ?? ''} needs ip-range-start or control-port in its network`,
      );
      return false;
    }
    if (replicasPerHost > 1) {
      cluster.error(`Bundle ${bundle.id}: "replicas-per-host" is 1, because replicas without addresses can't share a host`);
      replicasPerHost = 1;
    }
  }
  const settings = {
    technology: read.technology,
    image: read.image,
    replicaCount: read.replicas,
    replicasPerHost,
    replicas: [] as Replica[],
    inner: undefined as Resource | undefined,
  };
  defining(bundle).bundle = settings;
  cluster.expansion.expectReplicas(bundle.element, read.replicas);
  if (read.primitive) {
    const inner = unpack(cloneElement(bundle, read, replicasPerHost, read.primitive), bundle);
    if (!inner) return false;
    settings.inner = inner;
    if (inner.children.some((child) => child.notify)) defining(inner).notify = true;
    const target = inner.children.at(-1)?.meta.get('container-attribute-target');
    if (target !== undefined) for (const resource of [bundle, inner]) defining(resource).meta.set('container-attribute-target', target);
  }
  const addresses = replicaAddresses(read, settings.inner?.children.length ?? read.replicas);
  const hostOptions = addresses
    .map((address, offset) =>
      address === undefined
        ? ''
        : read.addHost
          ? ` --add-host=${bundle.id}-${offset}:${address}`
          : ` --hosts-entry=${address}=${bundle.id}-${offset}`,
    )
    .join('');
  for (const [offset, address] of addresses.entries()) {
    const replica = makeReplica(cluster, bundle, unpack, read, offset, address, hostOptions, settings.inner?.children[offset]);
    if (!replica) return false;
    settings.replicas.push(replica);
  }
  if (settings.inner) defining(bundle).children.push(settings.inner);
  return true;
}

function replicaAddresses(read: BundleDescription, count: number): (string | undefined)[] {
  const addresses: (string | undefined)[] = [];
  let last: string | undefined;
  for (let i = 0; i < count; i++) {
    last = read.ipRangeStart === undefined ? undefined : last === undefined ? read.ipRangeStart : nextAddress(last);
    addresses.push(last);
  }
  return addresses;
}

function nvpairs(setName: string, id: string, values: Readonly<Record<string, string | undefined>>): XmlElement {
  const pairs = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return element(
    setName,
    { id },
    pairs.map(([name, value]) => element('nvpair', { id: `${id}-${name}`, name, value })),
  );
}

/** The clone inside a bundle (specification 02 §8.5). */
function cloneElement(bundle: Resource, read: BundleDescription, replicasPerHost: number, primitive: XmlElement): XmlElement {
  const id = `${bundle.id}-${read.promotedMax > 0 ? 'master' : 'clone'}`;
  return element('clone', { id }, [
    nvpairs('meta_attributes', `${id}-meta_attributes`, {
      ordered: 'true',
      'clone-max': String(read.replicas),
      'clone-node-max': String(replicasPerHost),
      'globally-unique': replicasPerHost > 1 ? 'true' : 'false',
      ...(read.promotedMax > 0 ? { promotable: 'true', 'promoted-max': String(read.promotedMax) } : {}),
    }),
    primitive,
  ]);
}

function makeReplica(
  cluster: Cluster,
  bundle: Resource,
  unpack: Unpack,
  read: BundleDescription,
  offset: number,
  address: string | undefined,
  hostOptions: string,
  child: Resource | undefined,
): Replica | undefined {
  const add = (written: XmlElement): Resource | undefined => {
    const resource = unpack(written, bundle);
    if (resource) defining(bundle).children.push(resource);
    return resource;
  };
  const container = add(containerElement(bundle, read, offset, address, hostOptions));
  if (!container) return undefined;
  const replica: ReplicaInMaking = { offset, ipAddress: address, container, ip: undefined, connection: undefined, node: undefined, child };
  defining(container).replica = replica;
  if (read.ipRangeStart !== undefined) {
    replica.ip = add(ipElement(bundle, read, address ?? ''));
    if (!replica.ip) return undefined;
    defining(replica.ip).replica = replica;
  }
  if (child) {
    defining(child).replica = replica;
    if (!makeConnection(cluster, bundle, read, replica, child, add)) return undefined;
    [defining(child).utilization, defining(container).utilization] = [container.utilization, child.utilization];
  }
  return replica;
}

/** The connection of a bundle node and the node itself (specification 02 §8.7). */
function makeConnection(
  cluster: Cluster,
  bundle: Resource,
  read: BundleDescription,
  replica: ReplicaInMaking,
  child: Resource,
  add: (written: XmlElement) => Resource | undefined,
): boolean {
  const wanted = `${bundle.id}-${replica.offset}`;
  const id = cluster.resourceNames.first(wanted) ? `pcmk-internal-${child.id}-remote-${replica.offset}` : wanted;
  const known = cluster.nodeByName(id);
  const node = known ?? cluster.addNode(id, id, true, -INFINITY);
  node.baseScore = -INFINITY;
  node.probeMode = ProbeMode.Never;
  cluster.forgetDefaults();
  node.attributes.set('#kind', 'container');
  for (const resource of known ? formerCandidates(cluster, known) : []) {
    if (resource.candidates.has(node.index)) resource.candidates.put(node.index, -INFINITY, ProbeMode.Never, NODE_SCORE);
  }
  const connection = add(
    connectionElement({ id, container: replica.container.id, address: replica.ipAddress ?? '#uname', port: read.controlPort ?? '3121' }),
  );
  if (!connection) return false;
  defining(connection).replica = replica;
  defining(connection).connectionNode = node;
  node.connection = connection;
  replica.connection = connection;
  replica.node = node;
  for (const other of cluster.nodes) {
    if (other.remoteType && connection.candidates.has(other.index))
      connection.candidates.setScore(other.index, -INFINITY, { kind: 'remote-node' });
  }
  for (const other of child.candidates.indexes()) child.candidates.remove(other);
  child.candidates.put(node.index, 500, ProbeMode.Exclusive, { kind: 'bundle-node' });
  defining(child).exclusiveProbing = true;
  child.parent?.candidates.put(node.index, -INFINITY, ProbeMode.Never, NODE_SCORE);
  if (replica.ipAddress !== undefined) defining(child).meta.set('external-ip', replica.ipAddress);
  return true;
}

/** Resources that may want a node that becomes a bundle node (again, where an id is repeated). One that is new is nobody's candidate yet. */
function* formerCandidates(cluster: Cluster, node: ClusterNode): Generator<Resource> {
  const { replica } = node.connection ?? {};
  if (!replica) for (const top of cluster.resources) yield* subtree(top);
  else if (replica.child) yield replica.child;
}

function monitored(id: string, values: Readonly<Record<string, string | undefined>>, type: string): XmlElement {
  const safe = implicitId(id);
  return element('primitive', { id: safe, class: 'ocf', provider: 'heartbeat', type }, [
    nvpairs('instance_attributes', `${safe}-attributes-${type}`, values),
    element('operations', {}, [element('op', { id: `${safe}-monitor-interval-60s`, name: 'monitor', interval: '60s' })]),
  ]);
}

/** The container of a replica (specification 02 §8.3). */
function containerElement(
  bundle: Resource,
  read: BundleDescription,
  offset: number,
  address: string | undefined,
  hostOptions: string,
): XmlElement {
  const name = `${bundle.id}-${offset}`;
  const directory = (root: string): string => `${root}/${name}`;
  const parts: string[] = [];
  if (read.technology === 'docker') parts.push('--restart=no');
  if (read.ipRangeStart !== undefined) parts.push(`-h ${name}`);
  parts.push('-e PCMK_stderr=1');
  if (read.network !== undefined) parts.push(`--net=${read.network}`);
  parts.push(`-e PCMK_remote_port=${read.controlPort ?? '3121'}`);
  for (const mount of read.mounts) {
    const source = mount.perReplica ? directory(mount.source) : mount.source;
    parts.push(`-v ${source}:${mount.target}${mount.options === undefined ? '' : `:${mount.options}`}`);
  }
  for (const port of read.ports) {
    if (address !== undefined) parts.push(`-p ${address}:${port.source}:${port.target}`);
    else if (read.network !== 'host') parts.push(`-p ${port.source}:${port.target}`);
  }
  if (read.options !== undefined) parts.push(read.options);
  parts.push(hostOptions);
  return monitored(
    `${bundle.id}-${read.technology}-${offset}`,
    {
      image: read.image,
      allow_pull: 'true',
      force_kill: 'false',
      reuse: 'false',
      run_opts: parts.map((part) => ` ${part}`).join(''),
      mount_points: read.mounts
        .filter(({ perReplica }) => perReplica)
        .map(({ source }) => directory(source))
        .join(','),
      run_cmd: read.runCommand ?? (read.primitive ? '/usr/sbin/pacemaker-remoted' : undefined),
      monitor_cmd: '/bin/true',
    },
    read.technology,
  );
}

/** The address of a replica (specification 02 §8.4). */
function ipElement(bundle: Resource, read: BundleDescription, address: string): XmlElement {
  return monitored(
    `${bundle.id}-ip-${address}`,
    { ip: address, nic: read.hostInterface, cidr_netmask: read.hostNetmask ?? '32' },
    'IPaddr2',
  );
}
