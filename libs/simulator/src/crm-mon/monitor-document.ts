import { element, exitWords, parseInterval, serializeXml, type XmlElement } from '@systole/cib';
import { type Cluster, type Resource } from '@systole/scheduler';
import { xmlResult } from '../report/xml-result.js';
import { attributesElement, failureElement, nodeElement, resourceElement } from '../report/xml-status.js';
import { dateText, utcText } from '../status/date-text.js';
import { shownFailures } from '../status/failures.js';
import { countInstances, isListed } from '../status/resource-list.js';
import { banElements } from './bans.js';
import { chosenResources } from './chosen-resources.js';
import type { FencingRecord, LastChange, MonitorFacts, MonitorSelection, TicketRecord } from './monitor-facts.js';
import { historyElement } from './operation-history.js';

/** Version of the output's form, as Pacemaker 2.1.5 counts it: what exporters and check scripts know. */
const API_VERSION = '2.25';

/**
 * The status of a cluster as `crm_mon --output-as=xml` of Pacemaker 2.1 prints it, for programs that read that. Dates of history are in UTC.
 *
 * @param cluster that was read and is not planned for; its location constraints are read here
 */
export function monitorDocument(cluster: Cluster, facts: MonitorFacts, selection: MonitorSelection = {}): string {
  const { nodes: names } = selection;
  const isNodeShown = (name: string): boolean => names?.has(name) !== false;
  const chosen = chosenResources(cluster, selection);
  const isShown = (resource: Resource): boolean => chosen.isShown(resource);
  const nodes = cluster.nodes.filter(({ name }) => isNodeShown(name));
  const resources = cluster.resources.filter((resource) => isListed(resource) && isShown(resource));
  const failures = shownFailures(cluster, (failed) => isNodeShown(failed.node.name) && chosen.hasFailure(failed)).map(failureOf);
  const sections = [
    summaryElement(cluster, facts),
    section(
      'nodes',
      nodes.map((node) => nodeElement(cluster, node)),
    ),
    ...(cluster.resources.length === 0
      ? []
      : [
          section(
            'resources',
            resources.map((resource) => asBefore(resourceElement(resource, true, isShown))),
          ),
        ]),
    ...unlessEmpty(attributesElement(cluster, nodes)),
    historyElement(cluster, isNodeShown, (resource) => chosen.hasHistory(resource)),
    ...unlessEmpty(section('failures', failures)),
    ...unlessEmpty(section('fence_history', facts.fencing.filter(({ target }) => isNodeShown(target)).map(fencingElement))),
    ...unlessEmpty(section('tickets', facts.tickets.map(ticketElement))),
    ...unlessEmpty(section('bans', banElements(cluster, isNodeShown, isShown))),
  ];
  const end = { exitCode: 0, message: 'OK', errors: [] };
  return xmlResult(
    facts.request,
    sections.map((one) => serializeXml(one, '  ')),
    end,
    API_VERSION,
  ).join('');
}

/** All resources as that output lists them; of a cluster that was read. */
export function monitorResources(cluster: Cluster): XmlElement {
  return section('resources', cluster.resources.filter(isListed).map(monitorResource));
}

/** One resource as that output shows it, with what is below it. */
export function monitorResource(resource: Resource): XmlElement {
  return asBefore(resourceElement(resource, true));
}

/** The operations of nodes and resources that are shown, as that output lists them. */
export function monitorHistory(
  cluster: Cluster,
  isNodeShown: (name: string) => boolean,
  isShown: (historyId: string) => boolean,
): XmlElement {
  return historyElement(cluster, isNodeShown, (_, name) => isShown(name));
}

function section(name: string, children: readonly XmlElement[]): XmlElement {
  return element(name, {}, [...children]);
}

const unlessEmpty = (one: XmlElement): readonly XmlElement[] => (one.children.length === 0 ? [] : [one]);

/** Attributes that came with Pacemaker 3.0: those who hold the output against the schema of 2.1 would refuse them. */
const LATER: readonly string[] = ['maintenance', 'removed'];

function asBefore(resource: XmlElement): XmlElement {
  const attributes = Object.fromEntries(Object.entries(resource.attributes).filter(([name]) => !LATER.includes(name)));
  return { ...resource, attributes, children: resource.children.map((child) => (child.kind === 'element' ? asBefore(child) : child)) };
}

function summaryElement(cluster: Cluster, { coordinator, lastChange }: MonitorFacts): XmlElement {
  const { total, disabled, blocked } = countInstances(cluster);
  const { options } = cluster;
  const dc =
    coordinator === undefined
      ? { present: 'false' }
      : {
          present: 'true',
          version: coordinator.version,
          name: coordinator.name,
          id: coordinator.name,
          with_quorum: String(cluster.quorate),
          mixed_version: 'false',
        };
  return element('summary', {}, [
    element('stack', { type: 'systole' }),
    element('current_dc', dc),
    element('last_update', { time: dateText(cluster.now) }),
    lastChangeElement(lastChange),
    element('nodes_configured', { number: String(cluster.nodes.length) }),
    element('resources_configured', { number: String(total), disabled: String(disabled), blocked: String(blocked) }),
    element('cluster_options', {
      'stonith-enabled': String(options.fencingEnabled),
      'symmetric-cluster': String(options.symmetric),
      'no-quorum-policy': options.quorumPolicy === 'fence' ? 'suicide' : options.quorumPolicy,
      'maintenance-mode': String(options.maintenanceMode),
      'stop-all-resources': String(options.stopAllResources),
      'stonith-timeout-ms': String(parseInterval(options.fencingTimeout) ?? 0),
      'priority-fencing-delay-ms': String(options.priorityFencingDelay),
    }),
  ]);
}

function lastChangeElement(change: LastChange | undefined): XmlElement {
  const { user = '', client = '', origin = '' } = change ?? {};
  return element('last_change', { time: change === undefined ? '' : dateText(change.at), user, client, origin });
}

/** The schema of 2.1 wants all that is told of time, or nothing. */
function failureOf(failure: ReturnType<typeof shownFailures>[number]): XmlElement {
  const timed =
    failure.lastChange === undefined ? failure : { ...failure, queued: failure.queued ?? '0', executed: failure.executed ?? '0' };
  return failureElement({ ...timed, exitText: exitWords(failure.rc) });
}

/** `fence_event`, as the schemas of Pacemaker's tools have it. Its moment is in UTC. */
export function fencingElement({ action, target, client, delegate, status, reason, completedAt }: FencingRecord): XmlElement {
  return element('fence_event', {
    action,
    target,
    client,
    origin: client,
    status,
    delegate,
    ...(reason === undefined ? {} : { 'exit-reason': reason }),
    ...(completedAt === undefined ? {} : { completed: utcText(completedAt) }),
  });
}

function ticketElement({ id, granted, standby, lastGrantedAt }: TicketRecord): XmlElement {
  return element('ticket', {
    id,
    status: granted ? 'granted' : 'revoked',
    standby: String(standby),
    ...(lastGrantedAt === undefined ? {} : { 'last-granted': dateText(lastGrantedAt) }),
  });
}
