import { fillFromSets } from '../nvpairs/nvpair-sets.js';
import type { NvpairOptions, NvpairSetName } from '../nvpairs/nvpair-sets.js';
import { evaluateRule } from '../rules/rule.js';
import type { RuleInput, RuleScope } from '../rules/rule-input.js';
import { NEUTRAL_HEALTH_WORDS } from '../scalars/score.js';
import type { HealthWords } from '../scalars/score.js';
import type { DateTime } from '../time/date-time.js';
import type { XmlElement } from '../xml/element.js';
import { CibIndex } from './cib-index.js';

/**
 * One reading of a CIB at one moment: look-ups, nvpair sets and rules, and the earliest moment at which any of the answers may change.
 */
export class CibEvaluation {
  readonly index: CibIndex;
  /** What health words in scores are worth; set once the cluster options are known (specification 01 §3.3). */
  healthWords: HealthWords = NEUTRAL_HEALTH_WORDS;
  private recheck: number | undefined;
  private readonly scope: RuleScope;
  private readonly silentScope: RuleScope;

  constructor(
    readonly document: XmlElement,
    readonly now: DateTime,
  ) {
    this.index = new CibIndex(document);
    this.scope = {
      index: this.index,
      now,
      onRecheck: (epochSeconds) => {
        this.proposeRecheck(epochSeconds);
      },
    };
    this.silentScope = { ...this.scope, onRecheck: () => undefined };
  }

  /** When the outcome may change by the passing of time alone, in epoch seconds; undefined when it never does (specification 01 §6.5). */
  get recheckBy(): number | undefined {
    return this.recheck;
  }

  /** Proposes a moment at which the outcome may change; moments that are not in the future are not kept. */
  proposeRecheck(epochSeconds: number): void {
    if (epochSeconds > this.now.epochSeconds && (this.recheck === undefined || epochSeconds < this.recheck)) this.recheck = epochSeconds;
  }

  /** Evaluates a parent's sets of one name into a map; what the map already holds stays (see {@link fillFromSets}). */
  fill(parent: XmlElement, setName: NvpairSetName, input: RuleInput, target: Map<string, string>, options: NvpairOptions = {}): void {
    const scope = options.proposesRecheck === false ? this.silentScope : this.scope;
    fillFromSets(parent, setName, input, target, scope, { healthWords: this.healthWords, ...options });
  }

  /** Whether a rule passes (see {@link evaluateRule}). */
  passes(rule: XmlElement, input: RuleInput): boolean {
    return evaluateRule(rule, input, this.scope);
  }
}
