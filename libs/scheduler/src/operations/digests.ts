import type { XmlElement } from '@systole/cib';
import type { DigestVerdict, OperationDigests } from '../model/operation-digests.js';
import { NO_PARAMETERS, parameters } from './parameters.js';
import { actionMeta, findOp } from './definitions.js';
import type { Cluster } from '../model/cluster.js';
import { sameText } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import { type HashedParameters, MOST_REMEMBERED } from '../model/operation-memory.js';
import type { Resource } from '../model/resource.js';
import type { HistoryEntry } from '../model/history-entry.js';
import { currentNode } from '../model/activity.js';
import { remembered } from '../model/remembered.js';

const OWN_FEATURE_SET = '3.20.5';
const unhashed = new Set(['id', 'crm_feature_set', 'op-digest', 'on_node', 'on_node_uuid', 'pcmk_external_ip']);
const fencingParameters = new Set([
  'provides',
  'stonith-timeout',
  'pcmk_action_limit',
  'pcmk_delay_base',
  'pcmk_delay_max',
  'pcmk_host_argument',
  'pcmk_host_check',
  'pcmk_host_list',
  'pcmk_host_map',
]);

/** Instance attributes of an `op` for a node (specification 02 §5.2). */
export function opParameters(cluster: Cluster, op: XmlElement, node: ClusterNode): ReadonlyMap<string, string> {
  if (op.children.length === 0) return NO_PARAMETERS;
  const values = new Map<string, string>();
  cluster.cib.fill(op, 'instance_attributes', { nodeAttributes: node.attributes }, values);
  return values;
}

/** The address of a bundle node, where its connection says `#uname` (specification 02 §8.8). */
export function bundleAddress(connection: Resource): string | undefined {
  const container = connection.replica?.container;
  return container && (container.assignedNode ?? currentNode(container))?.name;
}

/** Whether this is an implicit connection whose address is known only after placement. */
export function addressIsDeferred(cluster: Cluster, resource: Resource): boolean {
  return resource.remoteConnection && sameText(parameters(cluster, resource, undefined).get('addr'), '#uname');
}

/** Everything that is hashed for an operation, before the filter's exceptions (specification 01 §11.1). */
function hashedParameters(cluster: Cluster, resource: Resource, node: ClusterNode, operation: string, interval: number): HashedParameters {
  // The address of a bundle node comes from placement.
  const kept = resource.replica ? undefined : resource.remembered?.parameters;
  const known = kept?.find((one) => one.operation === operation && one.interval === interval);
  if (!known) {
    const gathered = gatherParameters(cluster, resource, node, operation, interval);
    if (kept && kept.length < MOST_REMEMBERED) kept.push({ ...gathered, operation, interval });
    return gathered;
  }
  // What is wrong with the operation is said by whoever looks at its table first.
  if (interval > 0) actionMeta(cluster, resource, node, operation, interval, findOp(cluster, resource, operation, interval, true));
  return known;
}

function gatherParameters(cluster: Cluster, resource: Resource, node: ClusterNode, operation: string, interval: number): HashedParameters {
  const values = new Map<string, string>();
  if (resource.replica && addressIsDeferred(cluster, resource)) {
    const address = bundleAddress(resource);
    if (address !== undefined) values.set('addr', address);
  }
  for (const [name, value] of parameters(cluster, resource, node)) if (!values.has(name)) values.set(name, value);
  const op = findOp(cluster, resource, operation, interval, true);
  const own = op ? opParameters(cluster, op, node) : NO_PARAMETERS;
  for (const [name, value] of own) if (!values.has(name)) values.set(name, value);
  for (const name of [...values.keys()]) if (name.startsWith('CRM_meta_') || unhashed.has(name)) values.delete(name);
  if (interval > 0) {
    const timeout = actionMeta(cluster, resource, node, operation, interval, op).get('timeout');
    if (timeout !== undefined) values.set('CRM_meta_timeout', timeout);
  }
  return { values, extra: interval === 0 && own.size > 0, digest: cluster.cib.digest(values), ofNames: new Map() };
}

/** Those of the parameters that are among the names of a blank-separated list. */
function namedIn(values: ReadonlyMap<string, string>, names: string): Map<string, string> {
  const kept = new Set(names.split(' '));
  return new Map([...values].filter(([name]) => kept.has(name)));
}

/** Names that the secure digest leaves out are dropped; what else depends on the feature set (specification 01 §11.3). */
function securePart(
  cluster: Cluster,
  resource: Resource,
  node: ClusterNode,
  all: ReadonlyMap<string, string>,
  featureSet: string,
  dropped: readonly string[],
): Map<string, string> {
  const modern = cluster.cib.compareVersions(featureSet, '3.16.0') >= 0;
  const values = new Map(modern ? all : parameters(cluster, resource, node));
  for (const name of dropped) values.delete(name);
  if (!modern) {
    for (const name of [...values.keys()]) {
      const forFencing = resource.fenceDevice && (fencingParameters.has(name) || /^pcmk_.+_(action|timeout|retries)$/.test(name));
      if (forFencing || name.startsWith('CRM_meta_') || unhashed.has(name)) values.delete(name);
    }
  }
  return values;
}

/** Why the definition of an operation counts as changed though no digest says so (specification 03 §7.4). */
const EXPIRED_FAILURE = 'calculated-failure-timeout';

/** `op-restart-digest` of an entry, which an expired failure replaces. */
export function restartDigest({ cib }: Cluster, { element }: HistoryEntry): string | undefined {
  return cib.expiredFailures.has(element) ? EXPIRED_FAILURE : element.attributes['op-restart-digest'];
}

/** Digests of the operation that an entry records. */
export function operationDigests(cluster: Cluster, resource: Resource, entry: HistoryEntry, node: ClusterNode): OperationDigests {
  const operation = entry.operation ?? '';
  const { interval } = entry;
  const known = remembered(cluster.digests, resource.id, () => []);
  for (const one of known) if (one.node === node && one.interval === interval && one.operation === operation) return one;
  const { values, extra, digest, ofNames } = hashedParameters(cluster, resource, node, operation, interval);
  const { attributes } = entry.element;
  let restart: string | undefined;
  if (restartDigest(cluster, entry) !== undefined) {
    const names = attributes['op-force-restart'];
    restart = names === undefined ? digest : remembered(ofNames, names, () => cluster.cib.digest(namedIn(values, names)));
  }
  const secure = (): string => {
    const featureSet = attributes['crm_feature_set'] ?? cluster.cib.document.attributes['crm_feature_set'] ?? OWN_FEATURE_SET;
    const privateNames = (attributes['op-secure-params'] ?? '').split(' ').filter((name) => name !== '');
    return cluster.cib.digest(securePart(cluster, resource, node, values, featureSet, privateNames));
  };
  const digests: OperationDigests = { node, operation, interval, all: digest, restart, secure, verdict: extra ? 'restart' : 'match' };
  known.push(digests);
  return digests;
}

/** Compares an entry with the configuration (specification 01 §11.4). */
export function compareDigests(
  cluster: Cluster,
  resource: Resource,
  entry: HistoryEntry,
  node: ClusterNode,
): { verdict: DigestVerdict; privateOnly: boolean } {
  const digests = operationDigests(cluster, resource, entry, node);
  const { 'op-digest': stored, 'op-secure-digest': storedSecure } = entry.element.attributes;
  const storedRestart = restartDigest(cluster, entry);
  if (digests.restart !== undefined && storedRestart !== undefined && digests.restart !== storedRestart) digests.verdict = 'restart';
  else if (stored === undefined) digests.verdict = 'unknown';
  else if (stored !== digests.all) digests.verdict = entry.interval === 0 && digests.verdict === 'restart' ? 'restart' : 'mismatch';
  else digests.verdict = 'match';
  const { verdict } = digests;
  return { verdict, privateOnly: verdict !== 'match' && storedSecure !== undefined && storedSecure === digests.secure() };
}

/** Digests of a fence device for unfencing a node (specification 01 §11.6). */
export function unfencingDigests(cluster: Cluster, device: Resource, node: ClusterNode): { all: string; secure: string } {
  const { values, digest } = hashedParameters(cluster, device, node, 'stonith-on', 0);
  const featureSet = cluster.cib.document.attributes['crm_feature_set'] ?? OWN_FEATURE_SET;
  const secure = securePart(cluster, device, node, values, featureSet, ['passwd', 'password', 'user']);
  return { all: digest, secure: cluster.cib.digest(secure) };
}
