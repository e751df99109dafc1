import { CibIndex } from '../document/cib-index.js';
import { BOOTSTRAP_OPTIONS_ID } from '../options/cluster-options.js';
import { INFINITY_SCORE, parseScore } from '../scalars/score.js';
import { element } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { rewriteChildren, withAttributes, withoutChildren } from '../xml/rewrite.js';
import { UPGRADE_3_PREFIX } from './from-3-legacy.js';
import type { UpgradeLog } from './upgrade-log.js';

const SETS = new Set(['cluster_property_set', 'instance_attributes', 'meta_attributes', 'utilization']);

const RENAMED_OPTIONS: Readonly<Record<string, string>> = {
  'crmd-finalization-timeout': 'join-finalization-timeout',
  'crmd-integration-timeout': 'join-integration-timeout',
  'crmd-transition-delay': 'transition-delay',
};

/** Sets of name-value pairs: renamed and removed names, one pair per name, and their order (specification 01 §2.5). */
export function upgradeSets(document: XmlElement, log: UpgradeLog): XmlElement {
  const index = new CibIndex(document);
  return rewriteChildren(document, (current, ancestors) => {
    if (!ancestors.includes('configuration')) return current;
    if (SETS.has(current.name)) return upgradeSet(current, ancestors, index, log);
    return withOrderedSets(current, log);
  });
}

function upgradeSet(set: XmlElement, ancestors: readonly string[], index: CibIndex, log: UpgradeLog): XmlElement {
  const children = set.children.flatMap((child): readonly XmlNode[] => {
    if (child.kind === 'comment' || child.name !== 'nvpair') return [child];
    const pair = upgradePair(child, set, ancestors, { index, log });
    return pair === undefined ? [] : [pair];
  });
  return withoutRepeatedNames({ ...set, children }, log);
}

interface PairUpgrade {
  readonly index: CibIndex;
  readonly log: UpgradeLog;
}

function upgradePair(pair: XmlElement, set: XmlElement, ancestors: readonly string[], { index, log }: PairUpgrade): XmlElement | undefined {
  const { name, value, 'id-ref': reference } = pair.attributes;
  const drop = (why: string): XmlElement | undefined => {
    log.dropped(pair, why);
    return undefined;
  };
  if (reference !== undefined) {
    if (name === undefined) return pair;
    const target = index.resolve(pair)?.attributes['value'];
    if (target === undefined) return drop(`${name} refers to "${reference}", which has no value`);
    log.rewritten(pair, `${name} refers to "${reference}" by another name, and has its value "${target}" now`);
    return element('nvpair', { id: `${UPGRADE_3_PREFIX}${reference}-${name}`, name, value: target });
  }
  if (name === undefined || value === undefined) return drop(`${name ?? 'a pair without a name'} has no value`);
  const said = `${name}="${value}"`;
  if (set.name === 'cluster_property_set') {
    if (name === 'remove-after-stop') return drop(`${said}: nothing of the kind is there any more`);
    if (name === 'stonith-action' && value === 'poweroff') {
      log.rewritten(pair, `${said} is "off" now`);
      return withAttributes(pair, { value: 'off' });
    }
    if (!Object.hasOwn(RENAMED_OPTIONS, name)) return pair;
    log.rewritten(pair, `the name ${name} is ${RENAMED_OPTIONS[name] ?? name} now`);
    return withAttributes(pair, { name: RENAMED_OPTIONS[name] });
  }
  if (set.name !== 'meta_attributes') return pair;
  const ofOperation = ancestors.at(-1) === 'op' || ancestors.at(-1) === 'op_defaults';
  const removed = ofOperation ? name === 'can_fail' || name === 'role_after_failure' : name === 'restart-type';
  return removed ? drop(`${said}: nothing of the kind is there any more`) : pair;
}

/**
 * Of several pairs of one name only the one that takes effect survives: the first, or, since `#default` deletes what came before it, the
 * first after the last `#default` (specification 01 §4.4).
 */
function withoutRepeatedNames(set: XmlElement, log: UpgradeLog): XmlElement {
  const effective = new Map<string, XmlElement>();
  for (const child of set.children) {
    const name = child.kind === 'element' && child.name === 'nvpair' ? child.attributes['name'] : undefined;
    if (child.kind === 'comment' || name === undefined) continue;
    const known = effective.get(name);
    const resets = isDefault(child);
    if (known === undefined || resets || isDefault(known)) effective.set(name, child);
  }
  return withoutChildren(set, (child) => {
    const name = child.name === 'nvpair' ? child.attributes['name'] : undefined;
    const isRepeated = name !== undefined && effective.get(name) !== child;
    if (isRepeated)
      log.dropped(child, `${name}="${child.attributes['value'] ?? ''}" has no effect: another pair of the set has that name, too`);
    return isRepeated;
  });
}

function isDefault(pair: XmlElement): boolean {
  return pair.attributes['value']?.toLowerCase() === '#default';
}

/** Moves the sets behind all other children, the strongest first. */
function withOrderedSets(parent: XmlElement, log: UpgradeLog): XmlElement {
  const sets = parent.children.filter((child): child is XmlElement => child.kind === 'element' && SETS.has(child.name));
  if (sets.length === 0) return parent;
  const ordered = sets.map((set) => ({ set, rank: rankOf(set) })).sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
  const others = parent.children.filter((child) => child.kind === 'comment' || !SETS.has(child.name));
  const children = [...others, ...ordered.map(({ set }) => set)];
  if (children.every((child, place) => child === parent.children[place])) return parent;
  log.rewritten(parent, 'its sets stand behind all else now, the strongest first');
  return { ...parent, children };
}

function rankOf(set: XmlElement): number {
  if (set.name === 'cluster_property_set' && set.attributes['id'] === BOOTSTRAP_OPTIONS_ID) return INFINITY_SCORE + 1;
  return parseScore(set.attributes['score']) ?? 0;
}
