import { childrenNamed, parseInteger, serializeXml, type XmlElement } from '@systole/cib';
import {
  type Cluster,
  type ClusterNode,
  isActive,
  isDisabled,
  leaves,
  type Resource,
  RoleLevel,
  roleName,
  subtree,
} from '@systole/scheduler';
import { renderResourceList, renderResourceLines } from '@systole/simulator';
import { ctime } from '../ctime.js';
import { recordedHistories } from './recorded-histories.js';

/** What `crm_resource` asks of a cluster's state. */
export type ResourceQuestion =
  | { readonly about: 'names' }
  | { readonly about: 'list' }
  | { readonly about: 'active'; readonly resource: string }
  | { readonly about: 'locate'; readonly resource: string; readonly isQuiet: boolean }
  | { readonly about: 'definition'; readonly resource: string }
  | { readonly about: 'operations'; readonly resource?: string; readonly node?: string; readonly isAll: boolean }
  | { readonly about: 'why'; readonly resource?: string; readonly node?: string };

/** The answer as text; undefined when there is no such resource. */
export function answerTo(cluster: Cluster, question: ResourceQuestion): string | undefined {
  const resource = 'resource' in question ? question.resource : undefined;
  const wanted = resource === undefined ? [] : named(cluster, resource);
  if (resource !== undefined && wanted.length === 0) return undefined;
  switch (question.about) {
    case 'names':
      return [...cluster.primitives()].map(({ id }) => `${id}\n`).join('');
    case 'list':
      return renderResourceList(cluster);
    case 'active':
      return active(wanted);
    case 'locate':
      return located(question.resource, placesOf(wanted), question.isQuiet);
    case 'definition':
      return `${renderResourceLines(cluster, wanted)}Resource XML:\n${wanted[0] === undefined ? '' : serializeXml(written(cluster, wanted[0]))}`;
    case 'operations':
      return operations(cluster, question);
    case 'why':
      return why(cluster, question);
  }
}

/** Those with an id, or all instances of what has it. */
export function named(cluster: Cluster, id: string): readonly Resource[] {
  const all = cluster.resources.flatMap((top) => [...subtree(top)]);
  const exact = all.filter((one) => one.id === id);
  return exact.length > 0 ? exact : all.filter((one) => one.xmlId === id);
}

/** As configured, without what a template adds. */
export function written(cluster: Cluster, { xmlId, element }: Resource): XmlElement {
  const find = (one: XmlElement): XmlElement | undefined =>
    one.attributes['id'] === xmlId
      ? one
      : one.children.reduce<XmlElement | undefined>(
          (found, child) => found ?? (child.kind === 'element' ? find(child) : undefined),
          undefined,
        );
  const section = cluster.cib.firstNamed('resources');
  return (section && find(section)) ?? element;
}

/** Each primitive by its own id, instances too, that runs somewhere. */
function active(wanted: readonly Resource[]): string {
  const ids = wanted.flatMap((one) => [...leaves(one)]).filter(isActive);
  return [...new Set(ids.map(({ id }) => id))].map((id) => `${id}\n`).join('');
}

export interface Place {
  readonly node: ClusterNode;
  readonly isPromoted: boolean;
}

/** Each node once. */
export function placesOf(resources: readonly Resource[]): readonly Place[] {
  const active = resources.flatMap((one) => [...leaves(one)]).filter(isActive);
  const places = active.flatMap((leaf) => leaf.activeOn.map((node) => ({ node, isPromoted: leaf.currentRole === RoleLevel.Promoted })));
  const nodes = [...new Set(places.map(({ node }) => node))];
  const merged = nodes.map((node) => ({ node, isPromoted: places.some((place) => place.node === node && place.isPromoted) }));
  return merged.sort((a, b) => Number(a.isPromoted) - Number(b.isPromoted));
}

function located(resource: string, places: readonly Place[], isQuiet: boolean): string {
  if (isQuiet) return places.map(({ node }) => `${node.name}\n`).join('');
  if (places.length === 0) return `resource ${resource} is NOT running\n`;
  return places
    .map(({ node, isPromoted }) => `resource ${resource} is running on: ${node.name}${isPromoted ? ' Promoted' : ''}\n`)
    .join('');
}

/** @param question `isAll`: those that failed, too; else what counts of each kind */
function operations(cluster: Cluster, { resource, node, isAll }: Extract<ResourceQuestion, { about: 'operations' }>): string {
  let text = '';
  for (const { node: name, history } of recordedHistories(cluster.cib.firstNamed('status'))) {
    if (node !== undefined && node !== name) continue;
    const id = history.attributes['id'] ?? '';
    const known = cluster.resourceNames.first(id);
    if (resource !== undefined && id !== resource && known?.xmlId !== resource && known?.id !== resource) continue;
    for (const operation of sorted(childrenNamed(history, 'lrm_rsc_op'))) {
      if (isAll || !(operation.attributes['id'] ?? '').includes('_last_failure_'))
        text += operationLine(id, known, name, operation.attributes, history);
    }
  }
  return text;
}

function sorted(operations: readonly XmlElement[]): readonly XmlElement[] {
  const call = ({ attributes }: XmlElement): number => parseInteger(attributes['call-id']) ?? -1;
  return [...operations].sort((a, b) => call(a) - call(b));
}

const STATUSES: Readonly<Record<string, string>> = {
  '-1': 'pending',
  0: 'complete',
  1: 'Cancelled',
  2: 'Timed Out',
  4: 'Error',
  7: 'Not installed',
};

function operationLine(
  id: string,
  known: Resource | undefined,
  node: string,
  { operation = '', interval = '0', operation_key: key = `${id}_${operation}_${interval}`, ...more }: XmlElement['attributes'],
  { attributes: { class: standard = '', provider, type = '' } }: XmlElement,
): string {
  const agent = [standard, provider, type].filter((part) => part !== undefined).join(':');
  const changed = parseInteger(more['last-rc-change']) ?? 0;
  const when = changed > 0 ? `, last-rc-change='${ctime(changed)}', exec=${more['exec-time'] ?? '0'}ms` : '';
  const status = STATUSES[more['op-status'] ?? '0'] ?? 'unknown';
  const role = known === undefined ? 'ORPHANED' : roleName(known.currentRole);
  return `${id}\t(${agent}):\t ${role}: ${key} (node=${node}, call=${more['call-id'] ?? ''}, rc=${more['rc-code'] ?? ''}${when}): ${status}\n`;
}

/** Why a resource does not run, as far as its configuration and its failures tell. */
export interface Reasons {
  readonly name: string;
  readonly isRunning: boolean;
  readonly remainsStopped: boolean;
  readonly isUnmanaged: boolean;
  readonly isBlocked: boolean;
}

/** Of the resources that are meant: one, those on a node, or all. */
export function reasonsFor(cluster: Cluster, { resource, node }: Extract<ResourceQuestion, { about: 'why' }>): readonly Reasons[] {
  const isHere = (one: Resource): boolean => placesOf([one]).some((place) => node === undefined || place.node.name === node);
  if (resource === undefined) {
    const shown = node === undefined ? cluster.resources : [...cluster.primitives()].filter(isHere);
    return shown.map((one) => reasonsOf(one, one.id, isHere(one)));
  }
  const wanted = named(cluster, resource);
  const [first] = wanted;
  return first === undefined ? [] : [reasonsOf(first, resource, wanted.some(isHere))];
}

function reasonsOf(resource: Resource, name: string, isRunning: boolean): Reasons {
  return {
    ...{ name, isRunning },
    remainsStopped: !isRunning && isDisabled(resource),
    isUnmanaged: !isRunning && !resource.managed,
    isBlocked: !isRunning && resource.blocked,
  };
}

function why(cluster: Cluster, question: Extract<ResourceQuestion, { about: 'why' }>): string {
  const where = question.node === undefined ? '' : ` on host ${question.node}`;
  return reasonsFor(cluster, question)
    .flatMap(({ name, isRunning, remainsStopped, isUnmanaged, isBlocked }) => [
      `Resource ${name} is ${isRunning ? '' : 'not '}running${where}\n`,
      ...(remainsStopped ? [`Configuration specifies '${name}' should remain stopped\n`] : []),
      ...(isUnmanaged ? [`Configuration specifies '${name}' is not managed\n`] : []),
      ...(isBlocked ? [`'${name}' is blocked by a failure\n`] : []),
    ])
    .join('');
}
