import type { CibEvaluation } from '../document/cib-evaluation.js';
import { parseBoolean } from '../scalars/boolean.js';
import { intervalMs, parseInterval } from '../scalars/interval.js';
import { INFINITY_SCORE, parseScore } from '../scalars/score.js';
import type { HealthWords } from '../scalars/score.js';
import { AGENT_WRITES_OPTION, parseAgentWrites, type GrantedWrite } from './agent-writes.js';
import { CLUSTER_OPTIONS } from './cluster-option-definitions.js';
import type { ClusterOptionDefinition, ClusterOptionName, ClusterOptionOfKind } from './cluster-option-definitions.js';
import { integerOf, isValidOption, parsePercentage, parseShare } from './option-type.js';
import type { Share } from './option-type.js';
import { optionMistake } from './option-mistake.js';

/** Cluster options in force at one moment: configured values that pass their test, defaults otherwise (specification 01 §3.1). */
export class ClusterOptionValues {
  constructor(
    /** Every name that is configured, with its value as written, unknown names included. */
    readonly configured: ReadonlyMap<string, string>,
    private readonly values: ReadonlyMap<string, string>,
  ) {}

  /** The value in force, as written. Undefined for an option that has no default and is not configured. */
  text(name: ClusterOptionName): string | undefined {
    return this.values.get(name);
  }

  /** What is configured under a name, or under the other name of the same option. */
  asConfigured(name: string): string | undefined {
    const known: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
    const definition = known.find((option) => option.name === name || option.alias === name);
    const other = definition?.name === name ? definition.alias : definition?.name;
    return this.configured.get(name) ?? (other === undefined ? undefined : this.configured.get(other));
  }

  /** False also for an option that has no default and is not configured. */
  flag(name: ClusterOptionOfKind<'boolean'>): boolean {
    return parseBoolean(this.values.get(name)) === true;
  }

  /** In ms. */
  duration(name: ClusterOptionOfKind<'duration'>): number {
    return intervalMs(this.values.get(name));
  }

  /** In ms; undefined for `auto`. */
  chosenDuration(name: ClusterOptionOfKind<'duration-or-auto'>): number | undefined {
    const text = this.values.get(name);
    return text === 'auto' ? undefined : parseInterval(text);
  }

  /** An integer option as a score: infinities are ±{@link INFINITY_SCORE}. */
  score(name: ClusterOptionOfKind<'integer'>): number {
    return parseScore(this.values.get(name)) ?? 0;
  }

  /** Infinities are ±{@link INFINITY_SCORE}. */
  integer(name: ClusterOptionOfKind<'integer'>): number {
    const number = integerOf(this.values.get(name) ?? '') ?? 0;
    return Number.isFinite(number) ? number : Math.sign(number) * INFINITY_SCORE;
  }

  /** Undefined for an option that has no default and is not configured. */
  count(name: ClusterOptionOfKind<'count'>): number | undefined {
    const text = this.values.get(name);
    return text === undefined ? undefined : Number(text);
  }

  /** In percent; undefined for an option that has no default and is not configured. */
  percentage(name: ClusterOptionOfKind<'percentage'>): number | undefined {
    return parsePercentage(this.values.get(name) ?? '');
  }

  /** Undefined for `auto`. */
  share(name: ClusterOptionOfKind<'share'>): Share | undefined {
    return parseShare(this.values.get(name) ?? '');
  }

  /** A choice, in lower case. */
  choice(name: ClusterOptionOfKind<'select'>): string {
    return (this.values.get(name) ?? '').toLowerCase();
  }

  /** What tools may have written by the tokens of agents. */
  get agentWrites(): readonly GrantedWrite[] {
    return parseAgentWrites(this.values.get(AGENT_WRITES_OPTION) ?? '') ?? [];
  }

  /** What of the configured values does not count, for people: wrong values, and names of our own that nobody knows. */
  get mistakes(): readonly string[] {
    return [...this.configured].flatMap(([name, value]) => {
      const mistake = optionMistake(name, value);
      return mistake === undefined ? [] : [`Cluster option ${mistake.message}; meanwhile ${mistake.meanwhile}`];
    });
  }

  /** What the words red, yellow and green are worth as scores (specification 01 §3.3). */
  get healthWords(): HealthWords {
    switch (this.choice('node-health-strategy')) {
      case 'migrate-on-red':
        return { red: -INFINITY_SCORE, yellow: 0, green: 0 };
      case 'only-green':
        return { red: -INFINITY_SCORE, yellow: -INFINITY_SCORE, green: 0 };
      case 'progressive':
      case 'custom':
        return { red: this.score('node-health-red'), yellow: this.score('node-health-yellow'), green: this.score('node-health-green') };
      default:
        return { red: 0, yellow: 0, green: 0 };
    }
  }
}

/** Id of the property set that goes before all others (specification 01 §3.1). */
export const BOOTSTRAP_OPTIONS_ID = 'cib-bootstrap-options';

/** Reads the cluster options of `crm_config` at the evaluation's time (specification 01 §3.1). */
export function clusterOptions(evaluation: CibEvaluation): ClusterOptionValues {
  const configured = new Map<string, string>();
  const section = evaluation.index.firstNamed('crm_config');
  if (section !== undefined) evaluation.fill(section, 'cluster_property_set', {}, configured, { firstId: BOOTSTRAP_OPTIONS_ID });
  const values = new Map<string, string>();
  const definitions: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  for (const { name, alias, type, default: fallback } of definitions) {
    const text = configured.get(name) ?? (alias === undefined ? undefined : configured.get(alias));
    const value = text !== undefined && isValidOption(type, text) ? text : fallback;
    if (value !== undefined) values.set(name, value);
  }
  return new ClusterOptionValues(configured, values);
}
