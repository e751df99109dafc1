import {
  childrenNamed,
  firstChildNamed,
  isManaged,
  parseRole,
  placementConstraints,
  readingOf,
  type ConfigurationReading,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { planTime } from '../state/plan-time.js';
import type { ClusterCommand, RequestDebugOperation } from './cluster-command.js';
import type { BanResource, MoveResource, RenameNode, SetResourceMode } from './operator-command.js';
import { targetOf, type TargetKind } from './resource-target.js';

const WARNING: ReadonlySet<ClusterCommand['type']> = new Set<ClusterCommand['type']>([
  ...(['request-debug-operation', 'set-resource-mode', 'move-resource', 'ban-resource', 'rename-node'] as const),
]);

/** Whether there may be warnings of a command: the state it led to is needed to know. */
export function mayWarn({ type }: ClusterCommand): boolean {
  return WARNING.has(type);
}

/**
 * What whoever gave a command may not have meant by it, for people; empty when there is nothing to say. Nothing of it is a reason to refuse.
 *
 * @param after the state that it was accepted in, or a later one
 */
export function commandWarnings(command: ClusterCommand, after: ClusterState): readonly string[] {
  if (after.existence !== 'active') return [];
  const reading = readingOf(after.cib, planTime(after));
  switch (command.type) {
    case 'set-resource-mode':
      return [
        ...[command.resource, ...(command.also ?? [])].flatMap((resource) => [
          ...elsewhere(resource, 'own', reading),
          ...contrary({ ...command, resource }, reading),
        ]),
        ...maintained(reading),
      ];
    case 'move-resource':
    case 'ban-resource':
      return [...elsewhere(command.resource, 'placed', reading), ...bannedEverywhere(command, after, reading), ...maintained(reading)];
    case 'request-debug-operation':
      return tried(command, reading);
    case 'rename-node':
      return renamed(command);
    default:
      return [];
  }
}

/** Its agent goes by its token, and knows nothing of the new name. */
function renamed({ node, to }: RenameNode): readonly string[] {
  return [
    `${to} needs a token of its own: systole token create ${to} --role agent --node ${to}; an agent that is started with one for ${node} joins as one more node, ${node}`,
  ];
}

function tried({ resource: id, operation }: RequestDebugOperation, reading: ConfigurationReading): readonly string[] {
  const resource = reading.resource(id);
  if (resource === undefined || !isManaged(resource.meta) || reading.options.flag('maintenance-mode')) return [];
  if (operation !== 'stop' && operation !== 'demote') return [];
  const again = operation === 'stop' ? 'start' : 'promote';
  return [`${id} is managed: the cluster looks for it after that, and may ${again} it again (unmanage ${id} to keep it so)`];
}

function elsewhere(id: string, kind: TargetKind, reading: ConfigurationReading): readonly string[] {
  const named = reading.resource(id);
  const target = named === undefined ? undefined : targetOf(named, kind);
  return target === undefined || target.id === id
    ? []
    : [`${id} stands in ${target.kind} ${target.id}: the command was applied to ${target.id}`];
}

/** Parts that say for themselves what the whole does not say any more, or does not say yet. */
function contrary({ resource: id, mode }: SetResourceMode, reading: ConfigurationReading): readonly string[] {
  const whole = reading.resource(id);
  if (whole === undefined) return [];
  const target = targetOf(whole, 'own');
  return reading.resources.flatMap((part) => {
    if (part.parent === undefined || !standsIn(part.parent, target.id)) return [];
    const role = parseRole(part.meta.get('target-role'));
    if (mode === 'enable' && role === 'Stopped') return [`${part.id} stays stopped: its own target-role is Stopped (enable ${part.id})`];
    if (mode === 'disable' && role !== 'Stopped')
      return [`${part.id} is not stopped: its own target-role is ${role ?? 'not Stopped'} (disable ${part.id})`];
    if (mode === 'unmanage' && isManaged(part.meta)) return [`${part.id} stays managed: its own is-managed says so (unmanage ${part.id})`];
    return [];
  });
}

function standsIn(part: NonNullable<ReturnType<ConfigurationReading['resource']>>, id: string): boolean {
  return part.id === id || (part.parent !== undefined && standsIn(part.parent, id));
}

function maintained({ options }: ConfigurationReading): readonly string[] {
  return options.flag('maintenance-mode') ? ['the cluster is in maintenance: nothing is started, stopped or moved before that ends'] : [];
}

/** Also a ban by which nothing else than one other constraint of the kind is left is fine; one that leaves no node is most likely a mistake. */
function bannedEverywhere(
  { resource: id }: MoveResource | BanResource,
  after: ClusterState,
  reading: ConfigurationReading,
): readonly string[] {
  const named = reading.resource(id);
  if (named === undefined) return [];
  const target = targetOf(named, 'placed');
  const bans = placementConstraints(after.cib, target.id).filter(({ kind }) => kind === 'ban');
  if (bans.length === 0) return [];
  const section = firstChildNamed(configurationOf(after.cib), 'constraints');
  const never =
    section === undefined
      ? []
      : childrenNamed(section, 'rsc_location').filter(
          ({ attributes: { rsc, score, role } }) => rsc === target.id && score === '-INFINITY' && role !== 'Promoted',
        );
  const banned = new Set([...bans.map(({ node }) => node), ...never.map(({ attributes }) => attributes['node'])]);
  const left = reading.nodes.filter(({ name }) => !banned.has(name));
  if (left.length > 0) return [];
  return [`no node is left where ${target.id} may run: it stops, and starts again when a ban ends or is cleared (clear ${target.id})`];
}
