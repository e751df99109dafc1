import { CibIndex } from '../document/cib-index.js';
import { BOOTSTRAP_OPTIONS_ID } from '../options/cluster-options.js';
import { INFINITY_SCORE, parseScore } from '../scalars/score.js';
import { element } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { rewriteChildren, withAttributes, withoutChildren } from '../xml/rewrite.js';
import { UPGRADE_3_PREFIX } from './from-3-legacy.js';

const SETS = new Set(['cluster_property_set', 'instance_attributes', 'meta_attributes', 'utilization']);

const RENAMED_OPTIONS: Readonly<Record<string, string>> = {
  'crmd-finalization-timeout': 'join-finalization-timeout',
  'crmd-integration-timeout': 'join-integration-timeout',
  'crmd-transition-delay': 'transition-delay',
};

/** Sets of name-value pairs: renamed and removed names, one pair per name, and their order (specification 01 §2.5). */
export function upgradeSets(document: XmlElement): XmlElement {
  const index = new CibIndex(document);
  return rewriteChildren(document, (current, ancestors) => {
    if (!ancestors.includes('configuration')) return current;
    if (SETS.has(current.name)) return upgradeSet(current, ancestors, index);
    return withOrderedSets(current);
  });
}

function upgradeSet(set: XmlElement, ancestors: readonly string[], index: CibIndex): XmlElement {
  const children = set.children.flatMap((child): readonly XmlNode[] => {
    if (child.kind === 'comment' || child.name !== 'nvpair') return [child];
    const pair = upgradePair(child, set, ancestors, index);
    return pair === undefined ? [] : [pair];
  });
  return withoutRepeatedNames({ ...set, children });
}

function upgradePair(pair: XmlElement, set: XmlElement, ancestors: readonly string[], index: CibIndex): XmlElement | undefined {
  const { name, value, 'id-ref': reference } = pair.attributes;
  if (reference !== undefined) {
    if (name === undefined) return pair;
    const target = index.resolve(pair)?.attributes['value'];
    if (target === undefined) return undefined;
    return element('nvpair', { id: `${UPGRADE_3_PREFIX}${reference}-${name}`, name, value: target });
  }
  if (name === undefined || value === undefined) return undefined;
  if (set.name === 'cluster_property_set') {
    if (name === 'remove-after-stop') return undefined;
    if (name === 'stonith-action' && value === 'poweroff') return withAttributes(pair, { value: 'off' });
    return Object.hasOwn(RENAMED_OPTIONS, name) ? withAttributes(pair, { name: RENAMED_OPTIONS[name] }) : pair;
  }
  if (set.name !== 'meta_attributes') return pair;
  const ofOperation = ancestors.at(-1) === 'op' || ancestors.at(-1) === 'op_defaults';
  const removed = ofOperation ? name === 'can_fail' || name === 'role_after_failure' : name === 'restart-type';
  return removed ? undefined : pair;
}

/**
 * Of several pairs of one name only the one that takes effect survives: the first, or, since `#default` deletes what came before it, the
 * first after the last `#default` (specification 01 §4.4).
 */
function withoutRepeatedNames(set: XmlElement): XmlElement {
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
    return name !== undefined && effective.get(name) !== child;
  });
}

function isDefault(pair: XmlElement): boolean {
  return pair.attributes['value']?.toLowerCase() === '#default';
}

/** Moves the sets behind all other children, the strongest first. */
function withOrderedSets(parent: XmlElement): XmlElement {
  const sets = parent.children.filter((child): child is XmlElement => child.kind === 'element' && SETS.has(child.name));
  if (sets.length === 0) return parent;
  const ordered = sets.map((set) => ({ set, rank: rankOf(set) })).sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
  const others = parent.children.filter((child) => child.kind === 'comment' || !SETS.has(child.name));
  const children = [...others, ...ordered.map(({ set }) => set)];
  return children.every((child, place) => child === parent.children[place]) ? parent : { ...parent, children };
}

function rankOf(set: XmlElement): number {
  if (set.name === 'cluster_property_set' && set.attributes['id'] === BOOTSTRAP_OPTIONS_ID) return INFINITY_SCORE + 1;
  return parseScore(set.attributes['score']) ?? 0;
}
