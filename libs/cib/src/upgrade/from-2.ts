import { parseBoolean } from '../scalars/boolean.js';
import { descendants } from '../document/cib-index.js';
import { childElements, childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { rewriteChildren, withAttributes, withoutChildren } from '../xml/rewrite.js';

/** Ids of what the upgrade makes begin with this. */
const PREFIX = '_2TO3_';

/**
 * From 2.x to 3.0: renamed and moved options, meta-attributes and operation attributes (specification 01 §2.4). References to sets stay
 * references: what they refer to is changed where it stands.
 */
export function upgradeFrom2(document: XmlElement): XmlElement {
  const keepsFailureStickiness = enablesFailureStickiness(document);
  const defaults: MovedDefaults = { rsc_defaults: [], op_defaults: [] };
  const upgraded = rewriteChildren(document, (current, ancestors) => {
    switch (current.name) {
      case 'cluster_property_set':
        return upgradeProperties(current, defaults, keepsFailureStickiness);
      case 'node':
        return current.attributes['type'] === 'normal' ? withAttributes(current, { type: 'member' }) : current;
      case 'op':
        return ancestors.at(-1) === 'operations' ? upgradeOperation(current) : current;
      case 'primitive':
      case 'template':
        return upgradePrimitive(current, keepsFailureStickiness);
      case 'rsc_colocation':
        return withAttributes(current, { 'score-attribute': undefined, 'score-attribute-mangle': undefined });
      default:
        return current;
    }
  });
  return withMovedDefaults(upgraded, defaults);
}

/** The switch of specification 09; with it the failure stickiness of old documents keeps its meaning, and so its name. */
function enablesFailureStickiness(document: XmlElement): boolean {
  for (const current of descendants(document)) {
    if (current.name !== 'cluster_property_set') continue;
    const pair = childrenNamed(current, 'nvpair').find(({ attributes }) => attributes['name'] === 'failure-stickiness-enabled');
    if (parseBoolean(pair?.attributes['value']) === true) return true;
  }
  return false;
}

type DefaultsSection = 'rsc_defaults' | 'op_defaults';
type MovedDefaults = Readonly<Record<DefaultsSection, XmlElement[]>>;

const RENAMED_OPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'cluster_recheck_interval',
      'dc_deadtime',
      'election_timeout',
      'no_quorum_policy',
      'remove_after_stop',
      'shutdown_escalation',
      'startup_fencing',
      'stonith_action',
      'stonith_enabled',
      'stop_orphan_actions',
      'stop_orphan_resources',
      'symmetric_cluster',
    ].map((name) => [name, name.replaceAll('_', '-')]),
  ),
  transition_idle_timeout: 'cluster-delay',
};

const DROPPED_OPTIONS = new Set([
  'default-migration-threshold',
  'default_migration_threshold',
  'expected-quorum-votes',
  'notification-agent',
  'notification-recipient',
]);

const DROPPED_INFRASTRUCTURES = new Set(['heartbeat', 'openais', 'classic openais', 'classic openais (with plugin)', 'cman']);

function upgradeProperties(set: XmlElement, moved: MovedDefaults, keepsFailureStickiness: boolean): XmlElement {
  return mapPairs(set, (pair) => {
    const { name = '', value = '' } = pair.attributes;
    const dashed = name.replaceAll('_', '-');
    const move = (section: DefaultsSection, to: string, text = value): XmlElement | undefined => {
      moved[section].push(withAttributes(pair, { name: to, value: text }));
      return undefined;
    };
    if (Object.hasOwn(RENAMED_OPTIONS, name)) return withAttributes(pair, { name: RENAMED_OPTIONS[name] });
    if (DROPPED_OPTIONS.has(name) || (name === 'cluster-infrastructure' && DROPPED_INFRASTRUCTURES.has(value))) return undefined;
    switch (dashed) {
      case 'default-action-timeout':
        return move('op_defaults', 'timeout');
      case 'default-resource-stickiness':
        return move('rsc_defaults', 'resource-stickiness');
      case 'is-managed-default':
        return move('rsc_defaults', 'is-managed');
      case 'default-resource-failure-stickiness':
        if (keepsFailureStickiness) return pair;
        return value === '-INFINITY' ? move('rsc_defaults', 'migration-threshold', '1') : undefined;
      default:
        return pair;
    }
  });
}

/** The same set with each of its pairs replaced, or dropped. The set itself when nothing changes. */
function mapPairs(set: XmlElement, map: (pair: XmlElement) => XmlElement | undefined): XmlElement {
  const children = set.children.flatMap((child): readonly XmlNode[] => {
    if (child.kind === 'comment' || child.name !== 'nvpair') return [child];
    const mapped = map(child);
    return mapped === undefined ? [] : [mapped];
  });
  const same = children.length === set.children.length && children.every((child, index) => child === set.children[index]);
  return same ? set : { ...set, children };
}

function withMovedDefaults(document: XmlElement, moved: MovedDefaults): XmlElement {
  if (moved.rsc_defaults.length === 0 && moved.op_defaults.length === 0) return document;
  const children = document.children.map((child) => {
    if (child.kind === 'comment' || child.name !== 'configuration') return child;
    return withDefaults(withDefaults(child, 'rsc_defaults', moved.rsc_defaults), 'op_defaults', moved.op_defaults);
  });
  return { ...document, children };
}

/** Appends pairs to the first set without a rule, unless it defines their names already. */
function withDefaults(configuration: XmlElement, name: DefaultsSection, pairs: readonly XmlElement[]): XmlElement {
  if (pairs.length === 0) return configuration;
  const section = firstChildNamed(configuration, name);
  const sets = section === undefined ? [] : childrenNamed(section, 'meta_attributes');
  const target = sets.find((set) => firstChildNamed(set, 'rule') === undefined && set.attributes['id-ref'] === undefined);
  const defined = new Set((target === undefined ? [] : childrenNamed(target, 'nvpair')).map((pair) => pair.attributes['name']));
  const added = pairs.filter((pair, index) => {
    const pairName = pair.attributes['name'];
    return !defined.has(pairName) && pairs.findIndex((other) => other.attributes['name'] === pairName) === index;
  });
  const set = target ?? element('meta_attributes', { id: `${PREFIX}-${name.replace('_', '-')}` });
  const filled = { ...set, children: [...set.children, ...added] };
  const home = section ?? element(name);
  const newHome = {
    ...home,
    children: target === undefined ? [...home.children, filled] : home.children.map((child) => (child === target ? filled : child)),
  };
  const children =
    section === undefined
      ? [...configuration.children, newHome]
      : configuration.children.map((child) => (child === section ? newHome : child));
  return { ...configuration, children };
}

const FENCE_COMMANDS = /^pcmk_(list|monitor|off|on|reboot|status)_cmd$/;
const ISOLATION = new Set(['isolation', 'isolation-host', 'isolation-instance', 'isolation-wrapper']);

/** Where `upgradeOperation` leaves a `requires` for the resource; taken away again here. */
const MOVED_REQUIRES = `${PREFIX}requires`;

function upgradePrimitive(resource: XmlElement, keepsFailureStickiness: boolean): XmlElement {
  const children = resource.children.map((child) => {
    if (child.kind === 'comment') return child;
    if (child.name === 'instance_attributes') return upgradeParameters(child);
    return child.name === 'meta_attributes' ? upgradeMeta(child, keepsFailureStickiness) : child;
  });
  const changed = children.some((child, index) => child !== resource.children[index]);
  return withOperationRequires(changed ? { ...resource, children } : resource);
}

function upgradeParameters(set: XmlElement): XmlElement {
  return mapPairs(set, (pair) => {
    const { name = '', value = '' } = pair.attributes;
    const command = FENCE_COMMANDS.exec(name)?.[1];
    if (command !== undefined) return withAttributes(pair, { name: `pcmk_${command}_action` });
    if (name !== 'pcmk_arg_map') return pair;
    return value.startsWith('port:') ? withAttributes(pair, { name: 'pcmk_host_argument', value: value.slice('port:'.length) }) : undefined;
  });
}

function upgradeMeta(set: XmlElement, keepsFailureStickiness: boolean): XmlElement {
  return mapPairs(set, (pair) => {
    const { name = '', value } = pair.attributes;
    if (ISOLATION.has(name)) return withAttributes(pair, { name: 'target-role', value: 'Stopped' });
    if (name.replaceAll('_', '-') !== 'resource-failure-stickiness' || keepsFailureStickiness) return pair;
    return value === '-INFINITY' ? withAttributes(pair, { name: 'migration-threshold', value: '1' }) : undefined;
  });
}

/** `requires` of a start or promote becomes the resource's, in a set of its own at the end. */
function withOperationRequires(resource: XmlElement): XmlElement {
  const operations = childrenNamed(resource, 'operations').flatMap((child) => childrenNamed(child, 'op'));
  const found = operations.find((operation) => operation.attributes[MOVED_REQUIRES] !== undefined);
  if (found === undefined) return resource;
  const id = `${PREFIX}${resource.attributes['id'] ?? ''}-meta`;
  const pair = element('nvpair', { id: `${id}-requires`, name: 'requires', value: found.attributes[MOVED_REQUIRES] ?? '' });
  const children = resource.children.map((child) => {
    if (child.kind === 'comment' || child.name !== 'operations') return child;
    return rewriteChildren(child, (operation) => withAttributes(operation, { [MOVED_REQUIRES]: undefined }));
  });
  return { ...resource, children: [...children, element('meta_attributes', { id }, [pair])] };
}

const OPERATION_META = new Set(['interval-origin', 'start-delay', 'enabled', 'on-fail', 'record-pending', 'role', 'timeout']);

/** Takes `requires` out of an operation, and options of the cluster out of its parameters. */
function upgradeOperation(operation: XmlElement): XmlElement {
  let requires = operation.attributes['requires'];
  const moved: XmlElement[] = [];
  let upgraded = withAttributes(operation, { requires: undefined });
  const children = upgraded.children.map((child) => {
    if (child.kind === 'comment' || (child.name !== 'instance_attributes' && child.name !== 'meta_attributes')) return child;
    const parameters = child.name === 'instance_attributes';
    return mapPairs(child, (pair) => {
      const name = pair.attributes['name'] ?? '';
      if (name === 'requires') {
        requires ??= pair.attributes['value'];
        return undefined;
      }
      if (!parameters || !OPERATION_META.has(name)) return pair;
      moved.push(pair);
      return undefined;
    });
  });
  if (children.some((child, index) => child !== upgraded.children[index])) upgraded = { ...upgraded, children };
  if (moved.length > 0) {
    const meta = element('meta_attributes', { id: `${PREFIX}${operation.attributes['id'] ?? ''}-meta` }, moved);
    upgraded = { ...upgraded, children: [...upgraded.children, meta] };
  }
  upgraded = withoutChildren(upgraded, (child) => child.name === 'instance_attributes' && isHollow(child, operation));
  const starts = operation.attributes['name'] === 'start' || operation.attributes['name'] === 'promote';
  return requires !== undefined && starts ? withAttributes(upgraded, { [MOVED_REQUIRES]: requires }) : upgraded;
}

/** A set that had pairs and lost them all. */
function isHollow(set: XmlElement, original: XmlElement): boolean {
  if (childElements(set).length > 0 || set.attributes['id-ref'] !== undefined) return false;
  return original.children.some(
    (child) => child.kind === 'element' && child.attributes['id'] === set.attributes['id'] && child.children.length > 0,
  );
}
