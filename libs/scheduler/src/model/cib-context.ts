import {
  attributeWarnings,
  CibEvaluation,
  type ClusterOptionValues,
  compareVersions,
  expandSubmatches,
  fencingLevelWarnings,
  firstChildNamed,
  type HealthWords,
  type NvpairOptions,
  type NvpairSetName,
  ParameterDigests,
  parseBoolean,
  parseDateTime,
  parseInteger,
  parseScore,
  type RuleInput,
  startDelayMs,
  utc,
  type XmlElement,
} from '@systole/cib';

export type { RuleInput } from '@systole/cib';

/** The document under reading, in the words of the scheduler: look-ups, sets, rules and scalars (specification 01). */
export class CibContext {
  /** What the readings of `@systole/cib` work on. */
  readonly evaluation: CibEvaluation;
  private readonly digests = new ParameterDigests();
  /** Recurring operations whose failure expired: their definition counts as changed (specification 03 §7.4). */
  readonly expiredFailures = new Set<XmlElement>();

  constructor(
    readonly document: XmlElement,
    /** Epoch seconds. */
    now: number,
  ) {
    this.evaluation = new CibEvaluation(document, utc(now));
  }

  /** Effective time in epoch seconds. */
  get now(): number {
    return this.evaluation.now.epochSeconds;
  }

  /** Whether nothing has asked for the time yet. */
  get timeless(): boolean {
    return this.evaluation.timeless;
  }

  get recheckBy(): number | undefined {
    return this.evaluation.recheckBy;
  }

  proposeRecheck(time: number): void {
    this.evaluation.proposeRecheck(time);
  }

  /** The cluster options; from the first look at them on, health words in scores count as these say. */
  get options(): ClusterOptionValues {
    return this.evaluation.options;
  }

  /** Texts of nodes, resources and operations that can't be read, and fencing levels that stand in one another's way, for people. */
  get configurationWarnings(): readonly string[] {
    const configuration = firstChildNamed(this.document, 'configuration');
    return configuration === undefined ? [] : warningsAbout(configuration);
  }

  /** First element of that name anywhere. */
  firstNamed(name: string): XmlElement | undefined {
    return this.evaluation.index.firstNamed(name);
  }

  /** Child of `configuration`. */
  section(name: string): XmlElement | undefined {
    return this.evaluation.index.section(name);
  }

  /** Follows `id-ref`. */
  resolve(element: XmlElement): XmlElement | undefined {
    return this.evaluation.index.resolve(element);
  }

  fill(parent: XmlElement, setName: NvpairSetName, input: RuleInput, target: Map<string, string>, options?: NvpairOptions): void {
    this.evaluation.fill(parent, setName, input, target, options);
  }

  /** The parameters of an element by itself, without a node: they propose no recheck time (specification 01 §6.5). */
  parameters(of: XmlElement): ReadonlyMap<string, string> {
    const filled = new Map<string, string>();
    this.fill(of, 'instance_attributes', {}, filled, { proposesRecheck: false });
    return filled;
  }

  passes(rule: XmlElement, input: RuleInput): boolean {
    return this.evaluation.passes(rule, input);
  }

  boolean(text: string | undefined): boolean | undefined {
    return parseBoolean(text);
  }

  integer(text: string | undefined): number | undefined {
    return parseInteger(text);
  }

  score(text: string, words: HealthWords): number | undefined {
    return parseScore(text, words);
  }

  /** Milliseconds; 0 when missing or invalid. */
  interval(text: string | undefined): number {
    return this.evaluation.interval(text);
  }

  /** Milliseconds, with the default of timeouts. */
  timeout(text: string | undefined): number {
    return this.evaluation.timeout(text);
  }

  startDelay(text: string | undefined): number {
    return startDelayMs(text);
  }

  /** Epoch seconds. */
  date(text: string): number | undefined {
    return parseDateTime(text, { today: utc(this.now) })?.epochSeconds;
  }

  compareVersions(a: string, b: string): number {
    return compareVersions(a, b);
  }

  /** Replaces `%0` to `%9` by the groups of a pattern's match. */
  expandSubmatches(text: string, submatches: readonly (string | undefined)[] | undefined): string {
    return expandSubmatches(text, submatches);
  }

  digest(parameters: ReadonlyMap<string, string>): string {
    return this.digests.of(parameters);
  }
}

/** By `configuration`: which of its texts can't be read does not depend on anything else. */
const warnings = new WeakMap<XmlElement, readonly string[]>();

function warningsAbout(configuration: XmlElement): readonly string[] {
  let known = warnings.get(configuration);
  if (!known) warnings.set(configuration, (known = [...attributeWarnings(configuration), ...fencingLevelWarnings(configuration)]));
  return known;
}
