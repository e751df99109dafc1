import { evaluateRule } from '../rules/rule.js';
import type { RuleInput, RuleScope } from '../rules/rule-input.js';
import { NEUTRAL_HEALTH_WORDS, parseScore } from '../scalars/score.js';
import type { HealthWords } from '../scalars/score.js';
import { childElements, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** The element names of sets of name-value pairs. */
export type NvpairSetName = 'cluster_property_set' | 'instance_attributes' | 'meta_attributes' | 'utilization';

/** How a family of sets is evaluated, beyond its rules' inputs. */
export interface NvpairOptions {
  /** Id of the set that goes before all others, whatever its score. */
  readonly firstId?: string;
  /** What health words in set scores are worth. */
  readonly healthWords?: HealthWords;
  /** False where conditions on the time propose no moment to look again. */
  readonly proposesRecheck?: boolean;
}

/**
 * Evaluates the sets of one name below a parent into `target` (specification 01 §4.1): higher scores first, among equals the last in the document
 * first; the first writer of a name wins, and what `target` already holds stays. A value `#default` removes the name instead (01 §4.4).
 */
export function fillFromSets(
  parent: XmlElement,
  setName: NvpairSetName,
  input: RuleInput,
  target: Map<string, string>,
  scope: RuleScope,
  options: NvpairOptions = {},
): void {
  // Most elements have no sets of a kind.
  if (!parent.children.some((child) => child.kind === 'element' && child.name === setName)) return;
  for (const set of orderedSets(parent, setName, scope, options)) {
    const rule = firstChildNamed(set, 'rule');
    if (rule !== undefined && !evaluateRule(rule, input, scope)) continue;
    fillFromSet(set, target, scope);
  }
}

/** The sets of one name below a parent, references resolved, in the order in which they take effect (specification 01 §4.1). */
export function orderedSets(
  parent: XmlElement,
  setName: NvpairSetName,
  scope: Pick<RuleScope, 'index'>,
  { firstId, healthWords = NEUTRAL_HEALTH_WORDS }: NvpairOptions = {},
): readonly XmlElement[] {
  const sets: XmlElement[] = [];
  for (const child of parent.children) {
    if (child.kind !== 'element' || child.name !== setName) continue;
    const set = scope.index.resolve(child);
    if (set !== undefined) sets.push(set);
  }
  if (sets.length < 2) return sets;
  const rank = (set: XmlElement): number =>
    firstId !== undefined && set.attributes['id'] === firstId ? Infinity : (parseScore(set.attributes['score'], healthWords) ?? 0);
  return sets
    .reverse()
    .map((set) => ({ set, rank: rank(set) }))
    .sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank))
    .map(({ set }) => set);
}

function fillFromSet(set: XmlElement, target: Map<string, string>, scope: RuleScope): void {
  for (const pair of pairElements(set)) {
    const attributes = scope.index.resolve(pair)?.attributes;
    const name = attributes?.['name'];
    const value = attributes?.['value'];
    if (name === undefined || value === undefined) continue;
    if (isDefault(value)) target.delete(name);
    else if (!target.has(name)) target.set(name, value);
  }
}

const DEFAULT_VALUE = '#default';

/** Whether a value takes a name away instead of giving it one (specification 01 §4.4). */
export function isDefault(value: string): boolean {
  return value.length === DEFAULT_VALUE.length && value.toLowerCase() === DEFAULT_VALUE;
}

/** The `nvpair` children; those of an `attributes` wrapper where that comes first, as old unvalidated documents write it (specification 01 §2.6). */
export function pairElements(set: XmlElement): XmlElement[] {
  const children = childElements(set);
  const [first] = children;
  const pairs = first?.name === 'attributes' ? childElements(first) : children;
  return pairs.filter((child) => child.name === 'nvpair');
}
