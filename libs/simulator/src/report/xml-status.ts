import { element, type XmlElement } from '@systole/cib';
import { type Cluster, type ClusterNode, isActive, isDisabled, type Resource } from '@systole/scheduler';
import { displayedRole } from '../status/display.js';
import { shownFailCounts, type ShownFailure, shownFailures } from '../status/failures.js';
import { dateText, utcText } from '../status/date-text.js';
import { shownAttributes } from '../status/node-attributes.js';
import { nodeHealth } from '../status/node-list.js';
import { pendingState } from '../status/primitive-line.js';
import { isListed } from '../status/resource-list.js';
import type { StatusOptions } from '../status/status-options.js';

/** The status of a cluster as the reference's XML output shows it. */
export function statusElement(name: string, cluster: Cluster, showPending: boolean, options: StatusOptions): XmlElement {
  const sections = [
    element(
      'nodes',
      {},
      cluster.nodes.map((node) => nodeElement(cluster, node)),
    ),
    ...unlessEmpty(
      element(
        'resources',
        {},
        cluster.resources.filter(isListed).map((resource) => resourceElement(resource, showPending)),
      ),
    ),
  ];
  if (options.attributes === true) sections.push(...unlessEmpty(attributesElement(cluster)));
  if (options.failCounts === true) {
    sections.push(...failCountsElements(cluster, options.localOffsetSeconds), ...unlessEmpty(failuresElement(cluster)));
  }
  return element(name, {}, sections);
}

const unlessEmpty = (section: XmlElement): XmlElement[] => (section.children.length === 0 ? [] : [section]);

/** A node as the reference shows it. */
export function nodeElement(cluster: Cluster, node: ClusterNode): XmlElement {
  const launcher = node.connection?.launcher;
  const featureSet =
    node.online && !node.shutdown ? (node.attributes.get('#feature-set') ?? (node.remoteType ? undefined : '<3.15.1')) : undefined;
  return element('node', {
    name: node.name,
    id: node.id,
    online: String(node.online),
    standby: String(node.standby),
    standby_onfail: String(node.standbyOnFail),
    maintenance: String(node.maintenance),
    pending: String(node.pending),
    unclean: String(node.unclean),
    health: nodeHealth(cluster, node),
    ...(featureSet === undefined ? {} : { feature_set: featureSet }),
    shutdown: String(node.shutdown),
    expected_up: String(node.shouldBeUp),
    is_dc: String(node.isDc),
    resources_running: String(node.running.length),
    type: node.remoteType ? 'remote' : 'member',
    ...(launcher ? { id_as_resource: launcher.id } : {}),
  });
}

/** A resource with what is below it. @param isShown of what is below it, each */
export function resourceElement(
  resource: Resource,
  showPending: boolean,
  isShown: (resource: Resource) => boolean = () => true,
): XmlElement {
  const children = resource.children.filter(isShown).map((child) => resourceElement(child, showPending, isShown));
  const { id, maintenance, managed, failed } = resource;
  const handling = { maintenance: String(maintenance), managed: String(managed) };
  switch (resource.kind) {
    case 'primitive':
      return primitiveElement(resource, showPending);
    case 'group': {
      const number = String(resource.children.length);
      return element('group', { id, number_resources: number, ...handling, disabled: String(isDisabled(resource)) }, children);
    }
    case 'clone': {
      const kind = { multi_state: String(resource.promotable), unique: String(resource.unique) };
      const state = { disabled: String(isDisabled(resource)), failed: String(failed), failure_ignored: String(resource.failureIgnored) };
      return element('clone', { id, ...kind, ...handling, ...state, ...targetRole(resource, resource.children[0]) }, children);
    }
    case 'bundle':
      return bundleElement(resource, showPending, isShown);
  }
}

function primitiveElement(resource: Resource, showPending: boolean): XmlElement {
  const { class: standard = '', provider, type = '' } = resource.element.attributes;
  return element(
    'resource',
    {
      id: resource.unique ? resource.id : resource.xmlId,
      resource_agent: provider === undefined ? `${standard}:${type}` : `${standard}:${provider}:${type}`,
      role: (showPending ? pendingState(resource) : undefined) ?? displayedRole(resource),
      ...targetRole(resource),
      active: String(isActive(resource)),
      orphaned: String(resource.removed),
      removed: String(resource.removed),
      blocked: String(resource.blocked),
      maintenance: String(resource.maintenance),
      managed: String(resource.managed),
      failed: String(resource.failed),
      failure_ignored: String(resource.failureIgnored),
      nodes_running_on: String(resource.activeOn.length),
      ...(showPending && isMonitoring(resource) ? { pending: 'Monitoring' } : {}),
      ...(resource.shutdownLock ? { locked_to: resource.shutdownLock.node.name } : {}),
    },
    resource.activeOn.map((node) => element('node', { name: node.name, id: node.id, cached: String(node.online) })),
  );
}

/** The first `target-role` among resources; that of a clone without one is its first instance's. */
function targetRole(...resources: readonly (Resource | undefined)[]): Record<string, string> {
  const value = resources.map((resource) => resource?.meta.get('target-role')).find((role) => role !== undefined);
  return value === undefined ? {} : { target_role: value };
}

const isMonitoring = ({ pendingAction, pendingInterval }: Resource): boolean => pendingAction === 'monitor' && pendingInterval > 0;

function bundleElement(
  { id, bundle, unique, maintenance, managed, failed }: Resource,
  showPending: boolean,
  isShown: (resource: Resource) => boolean,
): XmlElement {
  const replicas = (bundle?.replicas ?? []).flatMap(({ offset, ip, child, container, connection }) => {
    const parts = [ip, child, container, connection].filter((part) => part !== undefined).filter(isShown);
    if (parts.length === 0) return [];
    return element(
      'replica',
      { id: String(offset) },
      parts.map((part) => primitiveElement(part, showPending)),
    );
  });
  const attributes = {
    id,
    type: bundle?.technology ?? '',
    image: bundle?.image ?? '',
    unique: String(unique),
    maintenance: String(maintenance),
    managed: String(managed),
    failed: String(failed),
  };
  return element('bundle', attributes, replicas);
}

/** Attributes of those of these nodes that are online. */
export function attributesElement(cluster: Cluster, among: readonly ClusterNode[] = cluster.nodes): XmlElement {
  const nodes = among.filter(({ online }) => online).map((node) => ({ node, attributes: shownAttributes(cluster, node) }));
  return element(
    'node_attributes',
    {},
    nodes
      .filter(({ attributes }) => attributes.length > 0)
      .map(({ node, attributes }) =>
        element(
          'node',
          { name: node.name },
          attributes.map(({ name, value, expected }) =>
            element('attribute', { name, value, ...(expected === undefined ? {} : { expected: String(expected) }) }),
          ),
        ),
      ),
  );
}

/** The section is there as soon as some online node has a status, though it may be empty. */
function failCountsElements(cluster: Cluster, localOffsetSeconds: number | undefined): XmlElement[] {
  const nodes = shownFailCounts(cluster);
  if (nodes.length === 0) return [];
  const failing = nodes.filter(({ counts }) => counts.length > 0);
  const history = element(
    'node_history',
    {},
    failing.map(({ node, counts }) =>
      element(
        'node',
        { name: node.name },
        counts.map(({ resource, name, failCount, lastFailure }) =>
          element('resource_history', {
            id: name,
            orphan: String(resource.removed),
            'migration-threshold': String(resource.migrationThreshold),
            'fail-count': String(failCount),
            ...(lastFailure > 0 ? { 'last-failure': dateText(lastFailure, localOffsetSeconds) } : {}),
          }),
        ),
      ),
    ),
  );
  return [history];
}

/** A failed operation as the reference shows it. */
export function failureElement(failure: ShownFailure): XmlElement {
  return element('failure', {
    [failure.hasKey ? 'op_key' : 'id']: failure.key,
    node: failure.node,
    exitstatus: failure.exitText,
    exitreason: failure.exitReason ?? 'none',
    exitcode: String(failure.rc),
    call: failure.callId,
    status: failure.statusText,
    ...timing(failure),
  });
}

function failuresElement(cluster: Cluster): XmlElement {
  return element('failures', {}, shownFailures(cluster).map(failureElement));
}

/** What the reference tells of an operation only when it knows when it ended. */
function timing({ lastChange, queued, executed, interval, task }: ShownFailure): Record<string, string> {
  if (lastChange === undefined) return {};
  return {
    'last-rc-change': utcText(lastChange),
    ...(queued === undefined ? {} : { queued }),
    ...(executed === undefined ? {} : { exec: executed }),
    interval,
    task,
  };
}
