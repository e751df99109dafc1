import { findOperation, isDisabledOperation, operationMeta, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import { sameText } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import { hasRoom, type OperationMeta } from '../model/operation-memory.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { parseRole, RoleLevel } from '../model/role.js';
import { agentInput } from './agent-input.js';
import { parameters } from './parameters.js';

/** Interval of an `op` in ms. */
export function opInterval(cluster: Cluster, op: XmlElement): number {
  return cluster.cib.interval(op.attributes['interval']);
}

/** The first `op` of that name and interval (specification 02 §11.2). */
export function findOp(
  cluster: Cluster,
  resource: Resource,
  name: string,
  interval: number,
  includeDisabled: boolean,
): XmlElement | undefined {
  return findOperation(cluster.cib.evaluation, resource.operations, name, interval, includeDisabled);
}

/** The meta table of an action, normalised (specification 02 §11.4, 01 §4.7). */
export function actionMeta(
  cluster: Cluster,
  resource: Resource,
  node: ClusterNode | undefined,
  name: string,
  interval: number,
  op: XmlElement | undefined,
): ReadonlyMap<string, string> {
  const fencing = resource.fenceDevice;
  const isProbe = name === 'monitor' && interval === 0;
  const perNode = fencing && (name === 'start' || isProbe);
  if (perNode) {
    const timeout = parameters(cluster, resource, node).get('pcmk_monitor_timeout');
    return readMeta(cluster, resource, name, interval, op, timeout);
  }
  const lasting = resource.remembered?.metas;
  const known = (lasting && knownMeta(lasting, name, interval, op)) ?? knownMeta(resource.metaCache, name, interval, op);
  if (known) return known.meta;
  const said = cluster.messages.length;
  const meta = readMeta(cluster, resource, name, interval, op, undefined);
  // A table with which something is wrong does not last, so that each run says so; nor one that depends on the time.
  const lasts = cluster.messages.length === said && !meta.has('interval-origin') && hasRoom(resource.remembered, name);
  keepMeta(lasting && lasts ? lasting : planning(resource).metaCache, name, { interval, op, meta });
  return meta;
}

function knownMeta(
  metas: ReadonlyMap<string, readonly OperationMeta[]>,
  name: string,
  interval: number,
  op: XmlElement | undefined,
): OperationMeta | undefined {
  return metas.get(name)?.find((entry) => entry.interval === interval && entry.op === op);
}

function keepMeta(metas: Map<string, OperationMeta[]>, name: string, entry: OperationMeta): void {
  const entries = metas.get(name);
  if (entries) entries.push(entry);
  else metas.set(name, [entry]);
}

/** @param timeoutOnNode takes the place of the configured one */
function readMeta(
  cluster: Cluster,
  resource: Resource,
  name: string,
  interval: number,
  op: XmlElement | undefined,
  timeoutOnNode: string | undefined,
): ReadonlyMap<string, string> {
  const { cib } = cluster;
  const meta = operationMeta(cib.evaluation, { name, interval, op, operations: resource.operations }, agentInput(resource).resource);
  if (interval > 0) meta.set('interval', String(interval));
  else meta.delete('interval');
  meta.set('timeout', String(cib.timeout(timeoutOnNode ?? meta.get('timeout'))));
  validateOnFail(cluster, resource, name, op, meta);
  const delay = meta.get('start-delay');
  if (delay !== undefined) meta.set('start-delay', String(cib.startDelay(delay)));
  else if (interval > 0) {
    const origin = meta.get('interval-origin');
    const seconds = origin === undefined ? undefined : originDelay(cluster, origin, interval);
    if (seconds !== undefined) meta.set('start-delay', String(seconds * 1000));
  }
  return meta;
}

/** Seconds until the next multiple of the interval since its origin (specification 02 §11.4). */
function originDelay(cluster: Cluster, origin: string, interval: number): number | undefined {
  const start = cluster.cib.date(origin);
  if (start === undefined) return undefined;
  const seconds = Math.max(1, Math.floor((interval + 500) / 1000));
  const rest = (cluster.now - start) % seconds;
  return rest > 0 ? seconds - rest : rest === 0 ? 0 : -rest;
}

/** Removes an `on-fail` where it isn't allowed, and adds the ones that two actions have of their own (specification 02 §12.1). */
function validateOnFail(cluster: Cluster, resource: Resource, name: string, op: XmlElement | undefined, meta: Map<string, string>): void {
  if (name === 'lrm_delete') {
    meta.set('on-fail', 'ignore');
    return;
  }
  const value = meta.get('on-fail');
  if (value === undefined) {
    if (name === 'demote') {
      const inherited = promotedMonitorOnFail(cluster, resource);
      if (inherited !== undefined) meta.set('on-fail', inherited);
    }
    return;
  }
  const demoteAllowed =
    op !== undefined &&
    (op.attributes['name'] === 'promote' ||
      (op.attributes['name'] === 'monitor' && opInterval(cluster, op) > 0 && parseRole(op.attributes['role']) === RoleLevel.Promoted));
  const wrong =
    name === 'stop'
      ? sameText(value, 'standby') || sameText(value, 'stop') || sameText(value, 'demote')
      : sameText(value, 'demote') && !demoteAllowed;
  if (wrong) {
    cluster.error(`Resource ${resource.id}: on-fail="${value}" is not possible for ${name}; using the default`);
    meta.delete('on-fail');
  }
}

/** The last applicable `on-fail` of a monitor of the promoted role. */
function promotedMonitorOnFail(cluster: Cluster, resource: Resource): string | undefined {
  let value: string | undefined;
  for (const op of resource.operations) {
    const { name, role, 'on-fail': onFail } = op.attributes;
    if (name !== 'monitor' || parseRole(role) !== RoleLevel.Promoted || onFail === undefined || sameText(onFail, 'demote')) continue;
    if (opInterval(cluster, op) > 0 && !isDisabledOperation(op)) value = onFail;
  }
  return value;
}

/** Handling of a failure (specification 03 §0.1), in ascending severity. */
export enum Handling {
  Ignore = 0,
  Demote,
  Restart,
  RemoteRecovery,
  RestartContainer,
  Ban,
  Block,
  Stop,
  Standby,
  Fence,
}

/** From the value in the meta table to the response (specification 02 §12.2). */
export function onFailHandling(
  cluster: Cluster,
  resource: Resource,
  name: string,
  interval: number,
  meta: ReadonlyMap<string, string>,
): Handling {
  const node = cluster.nodeByName(resource.id);
  const remoteDrop =
    resource.remoteConnection &&
    node !== undefined &&
    node.remoteType &&
    !resource.launcher &&
    !(name === 'monitor' && interval === 0) &&
    name !== 'start';
  const value = remoteDrop && !resource.managed ? undefined : meta.get('on-fail')?.toLowerCase();
  switch (value) {
    case 'ignore':
    case 'nothing':
      return Handling.Ignore;
    case 'block':
      return Handling.Block;
    case 'stop':
      return Handling.Stop;
    case 'restart':
      return Handling.Restart;
    case 'demote':
      return Handling.Demote;
    case 'standby':
      return Handling.Standby;
    case 'migrate':
      return Handling.Ban;
    case 'fence':
      if (cluster.options.fencingEnabled) return Handling.Fence;
      cluster.error(`Resource ${resource.id}: on-fail="fence" of ${name} means "stop", because fencing is disabled`);
      return Handling.Stop;
    case 'restart-container':
      if (resource.launcher) return Handling.RestartContainer;
      break;
    case undefined:
      break;
    default:
      cluster.error(`Resource ${resource.id}: on-fail="${value}" of ${name} is unknown; using the default`);
  }
  if (resource.launcher) return Handling.RestartContainer;
  if (remoteDrop) return resource.managed ? Handling.RemoteRecovery : Handling.Stop;
  if (name === 'stop') return cluster.options.fencingEnabled ? Handling.Fence : Handling.Block;
  return Handling.Restart;
}

/** Role after a failure (specification 02 §12.3). */
export function roleAfterFailure(resource: Resource, name: string, handling: Handling): RoleLevel {
  if (handling === Handling.Stop) return RoleLevel.Stopped;
  if (handling === Handling.RemoteRecovery && (resource.reconnectInterval ?? 0) > 0) return RoleLevel.Stopped;
  return name === 'promote' ? RoleLevel.Unpromoted : RoleLevel.Started;
}
