import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from '../options/cluster-option-definitions.js';
import { isOwnOption } from '../options/option-mistake.js';
import type { XmlElement } from '../xml/element.js';
import { rewriteChildren, withAttributes, withoutChildren } from '../xml/rewrite.js';
import { DROPPED_INFRASTRUCTURES, DROPPED_OPTIONS, ISOLATION, RENAMED_OPTIONS } from './from-2.js';
import { UpgradeLog, type UpgradeChange } from './upgrade-log.js';

/** The newest schema that all of Pacemaker 2.1's tools from 2.1.5 on take. */
export const PACEMAKER_2_SCHEMA = 'pacemaker-3.9';

/** Names of options that schemas 3.x refuse and 4.0 takes without anything reading them. */
const REFUSED_OPTIONS: ReadonlySet<string> = new Set([
  ...Object.keys(RENAMED_OPTIONS),
  ...DROPPED_OPTIONS,
  ...['default-action-timeout', 'default-resource-stickiness', 'is-managed-default', 'default-resource-failure-stickiness'].flatMap(
    (name) => [name, name.replaceAll('-', '_')],
  ),
]);

/** What only Systole acts upon, beside options that begin with its name. */
const EXTENSIONS: ReadonlySet<string> = new Set([
  'failure-stickiness-enabled',
  'resource-failure-stickiness',
  'resource_failure_stickiness',
]);

/** The names that options had before Pacemaker 3.0, by the newer ones. */
const OLDER_NAMES: ReadonlyMap<string, string> = new Map(
  CLUSTER_OPTIONS.flatMap(({ name, alias }: ClusterOptionDefinition) => (alias === undefined ? [] : [[name, alias] as const])),
);

/** A document that Pacemaker 2.1's tools open, and what had to be said otherwise, or could not be said, in it. */
export interface DowngradedCib {
  readonly document: XmlElement;
  readonly changes: readonly UpgradeChange[];
}

/**
 * The same configuration and status for the tools of Pacemaker 2.1 (2.1.5 and later), whose schemas don't know 4.0. What they would refuse is left out, the newer names of options are their older
 * ones; what they take and do nothing with stays, and is told.
 *
 * @param document of the current schema, or of none
 */
export function forPacemaker2(document: XmlElement): DowngradedCib {
  const log = new UpgradeLog();
  const downgraded = rewriteChildren(document, (current, ancestors) => {
    if (!ancestors.includes('configuration')) return current;
    if (current.name === 'cluster_property_set') return downgradeOptions(current, log);
    return current.name === 'meta_attributes' ? downgradeMeta(current, ancestors.at(-1), log) : current;
  });
  const { 'validate-with': schema, crm_feature_set: features } = document.attributes;
  if (features !== undefined) log.dropped(document, `crm_feature_set="${features}": tools of an older one would refuse the document`);
  if (schema !== PACEMAKER_2_SCHEMA) log.rewritten(document, `validate-with "${schema ?? ''}" is "${PACEMAKER_2_SCHEMA}" here`);
  return {
    document: withAttributes(downgraded, { 'validate-with': PACEMAKER_2_SCHEMA, crm_feature_set: undefined }),
    changes: log.changesOf(document),
  };
}

function downgradeOptions(set: XmlElement, log: UpgradeLog): XmlElement {
  const names = new Set(set.children.flatMap((child) => (child.kind === 'element' ? [child.attributes['name']] : [])));
  const kept = withoutChildren(set, (child) => {
    const { name = '', value = '' } = child.name === 'nvpair' ? child.attributes : {};
    if (name.replaceAll('_', '-') === 'default-resource-failure-stickiness') {
      log.check(child, `${name}="${value}" is left out: it is refused, and failures weigh nothing there`);
      return true;
    }
    const refused = REFUSED_OPTIONS.has(name) || (name === 'cluster-infrastructure' && DROPPED_INFRASTRUCTURES.has(value));
    if (refused) log.dropped(child, `${name}="${value}": it is refused, and has no effect here either`);
    const older = OLDER_NAMES.get(name);
    const isSaid = older !== undefined && names.has(older);
    if (isSaid) log.check(child, `${name}="${value}" is left out: ${older}, the older name of the same, is given too, and counts there`);
    return refused || isSaid;
  });
  return {
    ...kept,
    children: kept.children.map((child) => (child.kind === 'element' && child.name === 'nvpair' ? downgradeOption(child, log) : child)),
  };
}

function downgradeOption(pair: XmlElement, log: UpgradeLog): XmlElement {
  const { name = '', value = '' } = pair.attributes;
  if (isOwnOption(name) || EXTENSIONS.has(name)) {
    log.check(pair, `${name}="${value}" stays, and does nothing there: it is Systole's own`);
    return pair;
  }
  if (name === 'no-quorum-policy' && value.toLowerCase() === 'fence') {
    log.rewritten(pair, `the value "${value}" of ${name} is "suicide" there`);
    return withAttributes(pair, { value: 'suicide' });
  }
  const older = OLDER_NAMES.get(name);
  if (older === undefined) return pair;
  log.rewritten(pair, `the name ${name} is ${older} there`);
  return withAttributes(pair, { name: older });
}

function downgradeMeta(set: XmlElement, owner: string | undefined, log: UpgradeLog): XmlElement {
  const isOfOperation = owner === 'op' || owner === 'op_defaults';
  return withoutChildren(set, (child) => {
    const { name = '', value = '' } = child.name === 'nvpair' ? child.attributes : {};
    if (EXTENSIONS.has(name)) log.check(child, `${name}="${value}" stays, and does nothing there: it is Systole's own`);
    const refused = isOfOperation ? owner === 'op' && name === 'requires' : ISOLATION.has(name);
    if (refused) log.dropped(child, `${name}="${value}": it is refused, and has no effect here either`);
    return refused;
  });
}
