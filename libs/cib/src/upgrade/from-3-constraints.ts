import { CibIndex } from '../document/cib-index.js';
import { childrenNamed, element } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { rewriteChildren, withAttributes, withoutChildren } from '../xml/rewrite.js';
import { UPGRADE_3_PREFIX } from './from-3-legacy.js';
import type { UpgradeLog } from './upgrade-log.js';

/** Location constraints with lifetimes or several rules, and lifetimes elsewhere (specification 01 §2.5). */
export function upgradeConstraints(document: XmlElement, log: UpgradeLog): XmlElement {
  const index = new CibIndex(document);
  return rewriteChildren(document, (current, ancestors) => {
    if (ancestors.at(-1) !== 'constraints') return current;
    if (current.name === 'rsc_location') return splitRules(current, log).map((part) => withLifetimeRule(part, index, log));
    if (current.name !== 'rsc_colocation' && current.name !== 'rsc_order') return current;
    return withoutChildren(current, (child) => {
      if (isLifetime(child)) log.check(current, 'its <lifetime> is left out: the constraint always counts now');
      return isLifetime(child);
    });
  });
}

function isLifetime({ name }: XmlElement): boolean {
  return name === 'lifetime';
}

/** One constraint for each rule: of several rules in one, all applied. */
function splitRules(constraint: XmlElement, log: UpgradeLog): XmlElement[] {
  const rules = childrenNamed(constraint, 'rule');
  if (rules.length < 2) return [constraint];
  log.rewritten(constraint, `it has ${rules.length} rules, and is ${rules.length} constraints now, one for each`);
  const others = constraint.children.filter((child) => child.kind === 'comment' || child.name !== 'rule');
  return rules.map((rule, index) => {
    const id = `${UPGRADE_3_PREFIX}${constraint.attributes['id'] ?? ''}-${index + 1}`;
    const copied =
      index === 0 ? others : others.filter(({ kind }) => kind === 'element').map((child) => withNewIds(child, `-${index + 1}`));
    return { ...withAttributes(constraint, { id }), children: [...copied, rule] };
  });
}

/** A copy whose ids end differently; references keep theirs. */
function withNewIds(node: XmlNode, suffix: string): XmlNode {
  if (node.kind === 'comment') return node;
  const { id } = node.attributes;
  const copy = id === undefined || node.name === 'resource_ref' ? node : withAttributes(node, { id: `${UPGRADE_3_PREFIX}${id}${suffix}` });
  return { ...copy, children: copy.children.map((child) => withNewIds(child, suffix)) };
}

/**
 * Turns `lifetime` into a rule around what the constraint said, so that its score applies while the lifetime lasts. (The reference leaves
 * the new rule without a score, which makes the constraint void; the documented intent is taken instead.)
 */
function withLifetimeRule(constraint: XmlElement, index: CibIndex, log: UpgradeLog): XmlElement {
  const lifetimes = childrenNamed(constraint, 'lifetime');
  if (lifetimes.length === 0) return constraint;
  log.rewritten(constraint, 'its <lifetime> is a rule now, around what the constraint said');
  const id = `${UPGRADE_3_PREFIX}${constraint.attributes['id'] ?? ''}`;
  const [rule] = childrenNamed(constraint, 'rule');
  const { node, score } = constraint.attributes;
  const inner = rule ?? (node === undefined ? undefined : nodeRule(`${id}-lifetime-node-rule`, node));
  const during = lifetimeRules(lifetimes, `${id}-lifetime-or-rule`);
  const rest = withoutChildren(
    withAttributes(constraint, { node: undefined, score: undefined }),
    (child) => isLifetime(child) || child === rule,
  );
  if (inner === undefined) return rest;
  const { score: ruleScore = score, 'score-attribute': attribute, role } = (index.resolve(inner) ?? inner).attributes;
  const given = {
    ...(attribute === undefined && ruleScore !== undefined ? { score: ruleScore } : {}),
    ...(attribute === undefined ? {} : { 'score-attribute': attribute }),
    ...(role === undefined ? {} : { role }),
  };
  const plain = withAttributes(inner, { score: undefined, 'score-attribute': undefined, role: undefined });
  const top = element('rule', { id: `${id}-lifetime-and-rule`, 'boolean-op': 'and', ...given }, [plain, ...during]);
  return { ...rest, children: [...rest.children, top] };
}

function nodeRule(id: string, node: string): XmlElement {
  return element('rule', { id }, [element('expression', { id: `${id}-expr`, attribute: '#uname', operation: 'eq', value: node })]);
}

/** The rules of all lifetimes; any of several will do. */
function lifetimeRules(lifetimes: readonly XmlElement[], id: string): readonly XmlElement[] {
  const rules = lifetimes.flatMap((lifetime) => childrenNamed(lifetime, 'rule'));
  return rules.length < 2 ? rules : [element('rule', { id, 'boolean-op': 'or' }, rules)];
}
