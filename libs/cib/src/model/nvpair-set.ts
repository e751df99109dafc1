import { parseScore } from '../scalars/score.js';
import type { NvpairSetName } from '../nvpairs/nvpair-sets.js';
import { childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { entityOf } from './entity.js';
import type { Entity } from './entity.js';
import { firstRuleOf } from './rule.js';
import type { Rule } from './rule.js';

/** A set of name-value pairs (specification 01 §4); {@link CibEvaluation.fill} says which values are in force. */
export interface NvpairSet extends Entity {
  readonly kind: NvpairSetName;
  /** Id of the set that this one stands for. */
  readonly reference: string | undefined;
  /** Higher goes first; 0 when missing or invalid. */
  readonly score: number;
  /** The set counts only while this passes. */
  readonly rule: Rule | undefined;
  readonly pairs: readonly Nvpair[];
}

export interface Nvpair extends Entity {
  /** Id of the pair that this one stands for. */
  readonly reference: string | undefined;
  readonly name: string | undefined;
  readonly value: string | undefined;
}

/** The views of a parent's sets of one name, in document order. */
export function nvpairSetsOf(parent: XmlElement, kind: NvpairSetName): readonly NvpairSet[] {
  return childrenNamed(parent, kind).map((source) => ({
    ...entityOf(source),
    kind,
    reference: source.attributes['id-ref'],
    score: parseScore(source.attributes['score']) ?? 0,
    rule: firstRuleOf(source),
    pairs: childrenNamed(source, 'nvpair').map((pair) => ({
      ...entityOf(pair),
      reference: pair.attributes['id-ref'],
      name: pair.attributes['name'],
      value: pair.attributes['value'],
    })),
  }));
}
