import { parseBoolean } from '../scalars/boolean.js';
import { descendants } from '../document/cib-index.js';
import { childElements, childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { rewriteChildren, withAttributes, withoutChildren } from '../xml/rewrite.js';
import type { UpgradeLog } from './upgrade-log.js';

/** Ids of what the upgrade makes begin with this. */
const PREFIX = '_2TO3_';

/**
 * From 2.x to 3.0: renamed and moved options, meta-attributes and operation attributes (specification 01 §2.4). References to sets stay
 * references: what they refer to is changed where it stands.
 */
export function upgradeFrom2(document: XmlElement, log: UpgradeLog): XmlElement {
  const keepsFailureStickiness = enablesFailureStickiness(document);
  const defaults: MovedDefaults = { rsc_defaults: [], op_defaults: [] };
  const upgraded = rewriteChildren(document, (current, ancestors) => {
    switch (current.name) {
      case 'cluster_property_set':
        return upgradeProperties(current, { moved: defaults, keepsFailureStickiness, log });
      case 'node':
        return current.attributes['type'] === 'normal' ? asMember(current, log) : current;
      case 'op':
        return ancestors.at(-1) === 'operations' ? upgradeOperation(current, log) : current;
      case 'primitive':
      case 'template':
        return upgradePrimitive(current, keepsFailureStickiness, log);
      case 'rsc_colocation':
        return withoutAttributes(current, ['score-attribute', 'score-attribute-mangle'], log);
      default:
        return current;
    }
  });
  return withMovedDefaults(upgraded, defaults, log);
}

function asMember(node: XmlElement, log: UpgradeLog): XmlElement {
  log.rewritten(node, 'type "normal" is "member" now');
  return withAttributes(node, { type: 'member' });
}

function withoutAttributes(element: XmlElement, names: readonly string[], log: UpgradeLog): XmlElement {
  const given = names.filter((name) => element.attributes[name] !== undefined);
  for (const name of given) log.dropped(element, `${name}="${element.attributes[name] ?? ''}": it is known no more`);
  return withAttributes(element, Object.fromEntries(given.map((name) => [name, undefined])));
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

/** Options that have another name since 3.0, by the older one. */
export const RENAMED_OPTIONS: Readonly<Record<string, string>> = {
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

/** Options that are gone since 3.0. */
export const DROPPED_OPTIONS: ReadonlySet<string> = new Set([
  'default-migration-threshold',
  'default_migration_threshold',
  'expected-quorum-votes',
  'notification-agent',
  'notification-recipient',
]);

/** Values of `cluster-infrastructure` that are gone since 3.0. */
export const DROPPED_INFRASTRUCTURES: ReadonlySet<string> = new Set([
  'heartbeat',
  'openais',
  'classic openais',
  'classic openais (with plugin)',
  'cman',
]);

interface PropertiesUpgrade {
  readonly moved: MovedDefaults;
  readonly keepsFailureStickiness: boolean;
  readonly log: UpgradeLog;
}

function upgradeProperties(set: XmlElement, { moved, keepsFailureStickiness, log }: PropertiesUpgrade): XmlElement {
  return mapPairs(set, (pair) => {
    const { name = '', value = '' } = pair.attributes;
    const dashed = name.replaceAll('_', '-');
    const move = (section: DefaultsSection, to: string, text = value): XmlElement | undefined => {
      moved[section].push(withAttributes(pair, { name: to, value: text }));
      log.rewritten(pair, `the option ${name}="${value}" is ${to}="${text}" in ${section} now`);
      return undefined;
    };
    if (Object.hasOwn(RENAMED_OPTIONS, name)) return renamedPair(pair, RENAMED_OPTIONS[name] ?? name, log);
    if (DROPPED_OPTIONS.has(name) || (name === 'cluster-infrastructure' && DROPPED_INFRASTRUCTURES.has(value))) {
      log.dropped(pair, `the option ${name}="${value}": nothing of the kind is there any more`);
      return undefined;
    }
    switch (dashed) {
      case 'default-action-timeout':
        return move('op_defaults', 'timeout');
      case 'default-resource-stickiness':
        return move('rsc_defaults', 'resource-stickiness');
      case 'is-managed-default':
        return move('rsc_defaults', 'is-managed');
      case 'default-resource-failure-stickiness':
        if (keepsFailureStickiness) return pair;
        if (value === '-INFINITY') return move('rsc_defaults', 'migration-threshold', '1');
        log.check(pair, `the option ${name}="${value}" is left out: ${FAILURE_STICKINESS}`);
        return undefined;
      default:
        return pair;
    }
  });
}

const FAILURE_STICKINESS =
  'failures count by migration-threshold now. To keep what was meant, set failure-stickiness-enabled to true in the document before it is read';

function renamedPair(pair: XmlElement, name: string, log: UpgradeLog): XmlElement {
  log.rewritten(pair, `the name ${pair.attributes['name'] ?? ''} is ${name} now`);
  return withAttributes(pair, { name });
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

function withMovedDefaults(document: XmlElement, moved: MovedDefaults, log: UpgradeLog): XmlElement {
  if (moved.rsc_defaults.length === 0 && moved.op_defaults.length === 0) return document;
  const children = document.children.map((child) => {
    if (child.kind === 'comment' || child.name !== 'configuration') return child;
    return withDefaults(withDefaults(child, 'rsc_defaults', moved.rsc_defaults, log), 'op_defaults', moved.op_defaults, log);
  });
  return { ...document, children };
}

/** Appends pairs to the first set without a rule, unless it defines their names already. */
function withDefaults(configuration: XmlElement, name: DefaultsSection, pairs: readonly XmlElement[], log: UpgradeLog): XmlElement {
  if (pairs.length === 0) return configuration;
  const section = firstChildNamed(configuration, name);
  const sets = section === undefined ? [] : childrenNamed(section, 'meta_attributes');
  const target = sets.find((set) => firstChildNamed(set, 'rule') === undefined && set.attributes['id-ref'] === undefined);
  const defined = new Set((target === undefined ? [] : childrenNamed(target, 'nvpair')).map((pair) => pair.attributes['name']));
  const added = pairs.filter((pair, index) => {
    const { name: pairName, value } = pair.attributes;
    const isFirst = !defined.has(pairName) && pairs.findIndex((other) => other.attributes['name'] === pairName) === index;
    if (!isFirst) log.dropped(pair, `${pairName ?? ''}="${value ?? ''}" is not taken into ${name}: that has a ${pairName ?? ''} already`);
    return isFirst;
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
/** Meta-attributes that are gone since 3.0. */
export const ISOLATION: ReadonlySet<string> = new Set(['isolation', 'isolation-host', 'isolation-instance', 'isolation-wrapper']);

/** Where `upgradeOperation` leaves a `requires` for the resource; taken away again here. */
const MOVED_REQUIRES = `${PREFIX}requires`;

function upgradePrimitive(resource: XmlElement, keepsFailureStickiness: boolean, log: UpgradeLog): XmlElement {
  const children = resource.children.map((child) => {
    if (child.kind === 'comment') return child;
    if (child.name === 'instance_attributes') return upgradeParameters(child, log);
    return child.name === 'meta_attributes' ? upgradeMeta(child, keepsFailureStickiness, log) : child;
  });
  const changed = children.some((child, index) => child !== resource.children[index]);
  return withOperationRequires(changed ? { ...resource, children } : resource, log);
}

function upgradeParameters(set: XmlElement, log: UpgradeLog): XmlElement {
  return mapPairs(set, (pair) => {
    const { name = '', value = '' } = pair.attributes;
    const command = FENCE_COMMANDS.exec(name)?.[1];
    if (command !== undefined) return renamedPair(pair, `pcmk_${command}_action`, log);
    if (name !== 'pcmk_arg_map') return pair;
    if (value.startsWith('port:')) {
      const argument = value.slice('port:'.length);
      log.rewritten(pair, `${name}="${value}" is pcmk_host_argument="${argument}" now`);
      return withAttributes(pair, { name: 'pcmk_host_argument', value: argument });
    }
    log.dropped(pair, `${name}="${value}": no other argument than port can be named otherwise now`);
    return undefined;
  });
}

function upgradeMeta(set: XmlElement, keepsFailureStickiness: boolean, log: UpgradeLog): XmlElement {
  return mapPairs(set, (pair) => {
    const { name = '', value } = pair.attributes;
    if (ISOLATION.has(name)) {
      log.check(
        pair,
        `${name}="${value ?? ''}": there is no isolation any more, so that the resource stays stopped (target-role="Stopped")`,
      );
      return withAttributes(pair, { name: 'target-role', value: 'Stopped' });
    }
    if (name.replaceAll('_', '-') !== 'resource-failure-stickiness' || keepsFailureStickiness) return pair;
    if (value === '-INFINITY') {
      log.rewritten(pair, `${name}="${value}" is migration-threshold="1" now`);
      return withAttributes(pair, { name: 'migration-threshold', value: '1' });
    }
    log.check(pair, `${name}="${value ?? ''}" is left out: ${FAILURE_STICKINESS}`);
    return undefined;
  });
}

/** `requires` of a start or promote becomes the resource's, in a set of its own at the end. */
function withOperationRequires(resource: XmlElement, log: UpgradeLog): XmlElement {
  const operations = childrenNamed(resource, 'operations').flatMap((child) => childrenNamed(child, 'op'));
  const found = operations.find((operation) => operation.attributes[MOVED_REQUIRES] !== undefined);
  if (found === undefined) return resource;
  const id = `${PREFIX}${resource.attributes['id'] ?? ''}-meta`;
  const pair = element('nvpair', { id: `${id}-requires`, name: 'requires', value: found.attributes[MOVED_REQUIRES] ?? '' });
  for (const operation of operations) {
    const requires = operation.attributes[MOVED_REQUIRES];
    if (requires === undefined) continue;
    if (operation === found) log.rewritten(operation, `requires="${requires}" is a meta-attribute of the resource now`);
    else log.dropped(operation, `requires="${requires}": the resource has but one, that of its ${found.attributes['name'] ?? ''}`);
  }
  const children = resource.children.map((child) => {
    if (child.kind === 'comment' || child.name !== 'operations') return child;
    return rewriteChildren(child, (operation) => withAttributes(operation, { [MOVED_REQUIRES]: undefined }));
  });
  return { ...resource, children: [...children, element('meta_attributes', { id }, [pair])] };
}

const OPERATION_META = new Set(['interval-origin', 'start-delay', 'enabled', 'on-fail', 'record-pending', 'role', 'timeout']);

/** Takes `requires` out of an operation, and options of the cluster out of its parameters. */
function upgradeOperation(operation: XmlElement, log: UpgradeLog): XmlElement {
  let requires = operation.attributes['requires'];
  const moved: XmlElement[] = [];
  let upgraded = withAttributes(operation, { requires: undefined });
  const children = upgraded.children.map((child) => {
    if (child.kind === 'comment' || (child.name !== 'instance_attributes' && child.name !== 'meta_attributes')) return child;
    const parameters = child.name === 'instance_attributes';
    return mapPairs(child, (pair) => {
      const name = pair.attributes['name'] ?? '';
      if (name === 'requires') {
        if (requires === undefined)
          log.rewritten(pair, `requires="${pair.attributes['value'] ?? ''}" counts as said of the operation itself`);
        else log.dropped(pair, `requires="${pair.attributes['value'] ?? ''}": the operation says "${requires}"`);
        requires ??= pair.attributes['value'];
        return undefined;
      }
      if (!parameters || !OPERATION_META.has(name)) return pair;
      log.rewritten(pair, `${name} is a meta-attribute of the operation now`);
      moved.push(pair);
      return undefined;
    });
  });
  if (children.some((child, index) => child !== upgraded.children[index])) upgraded = { ...upgraded, children };
  if (moved.length > 0) {
    const meta = element('meta_attributes', { id: `${PREFIX}${operation.attributes['id'] ?? ''}-meta` }, moved);
    upgraded = { ...upgraded, children: [...upgraded.children, meta] };
  }
  upgraded = withoutChildren(upgraded, (child) => child.name === 'instance_attributes' && isHollow(child, operation, log));
  const starts = operation.attributes['name'] === 'start' || operation.attributes['name'] === 'promote';
  if (requires !== undefined && !starts) log.dropped(operation, `requires="${requires}": only a start or a promote can require anything`);
  return requires !== undefined && starts ? withAttributes(upgraded, { [MOVED_REQUIRES]: requires }) : upgraded;
}

/** A set that had pairs and lost them all. */
function isHollow(set: XmlElement, original: XmlElement, log: UpgradeLog): boolean {
  if (childElements(set).length > 0 || set.attributes['id-ref'] !== undefined) return false;
  const hollow = original.children.some(
    (child) => child.kind === 'element' && child.attributes['id'] === set.attributes['id'] && child.children.length > 0,
  );
  if (hollow) log.rewritten(set, 'the set is left out: nothing is in it any more');
  return hollow;
}
