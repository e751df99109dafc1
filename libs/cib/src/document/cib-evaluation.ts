import { fillFromSets } from '../nvpairs/nvpair-sets.js';
import type { NvpairOptions, NvpairSetName } from '../nvpairs/nvpair-sets.js';
import { clusterOptions } from '../options/cluster-options.js';
import type { ClusterOptionValues } from '../options/cluster-options.js';
import { evaluateRule } from '../rules/rule.js';
import type { RuleInput, RuleScope } from '../rules/rule-input.js';
import { intervalMs, timeoutMs } from '../scalars/interval.js';
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
  /** What health words in scores are worth: nothing until the cluster options are known (specification 01 §3.3). */
  private healthWords: HealthWords = NEUTRAL_HEALTH_WORDS;
  private optionValues: ClusterOptionValues | undefined;
  private recheck: number | undefined;
  private isTimeless = true;
  private readonly scope: RuleScope;
  private readonly silentScope: RuleScope;
  /** Intervals and timeouts in ms by their texts, of which there are few, asked for with each action. */
  private readonly intervals = new Map<string, number>();
  private readonly timeouts = new Map<string | undefined, number>();

  constructor(
    readonly document: XmlElement,
    private readonly moment: DateTime,
  ) {
    this.index = new CibIndex(document);
    this.scope = this.scopeWith((epochSeconds) => {
      this.proposeRecheck(epochSeconds);
    });
    this.silentScope = this.scopeWith(() => undefined);
  }

  /** The effective time; whoever asks may find another answer at another time. */
  get now(): DateTime {
    this.isTimeless = false;
    return this.moment;
  }

  /** Whether nobody has asked for the time yet: all that was read so far is the same at any other one. */
  get timeless(): boolean {
    return this.isTimeless;
  }

  /** The cluster options in force. Ask for them first: from then on health words in scores count as these say. */
  get options(): ClusterOptionValues {
    if (this.optionValues === undefined) {
      this.optionValues = clusterOptions(this);
      this.healthWords = this.optionValues.healthWords;
    }
    return this.optionValues;
  }

  /** When the outcome may change by the passing of time alone, in epoch seconds; undefined when it never does (specification 01 §6.5). */
  get recheckBy(): number | undefined {
    return this.recheck;
  }

  /** Proposes a moment at which the outcome may change; moments that are not in the future are not kept. */
  proposeRecheck(epochSeconds: number): void {
    if (epochSeconds > this.moment.epochSeconds && (this.recheck === undefined || epochSeconds < this.recheck)) this.recheck = epochSeconds;
  }

  /** Rules ask for the time where they have a condition on it, and nowhere else. */
  private scopeWith(onRecheck: RuleScope['onRecheck']): RuleScope {
    const moment = (): DateTime => this.now;
    return {
      index: this.index,
      get now() {
        return moment();
      },
      onRecheck,
    };
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

  /** As {@link intervalMs}. */
  interval(text: string | undefined): number {
    if (text === undefined) return 0;
    let interval = this.intervals.get(text);
    if (interval === undefined) this.intervals.set(text, (interval = intervalMs(text)));
    return interval;
  }

  /** As {@link timeoutMs}. */
  timeout(text: string | undefined): number {
    let timeout = this.timeouts.get(text);
    if (timeout === undefined) this.timeouts.set(text, (timeout = timeoutMs(text)));
    return timeout;
  }
}
