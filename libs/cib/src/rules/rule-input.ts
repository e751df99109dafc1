import type { CibIndex } from '../document/cib-index.js';
import type { DateTime } from '../time/date-time.js';

/** The agent of a resource, as rules compare it (specification 01 §5.4). */
export interface ResourceAgent {
  readonly standard?: string | undefined;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
}

/** What a rule may look at besides the time; which of these exist depends on where the rule stands (specification 01 §4.2). None is read but where the outcome may depend on it. */
export interface RuleInput {
  readonly nodeAttributes?: ReadonlyMap<string, string> | undefined;
  readonly resource?: ResourceAgent | undefined;
  /** `interval` in ms. */
  readonly operation?: { readonly name: string; readonly interval: number } | undefined;
  /** Resource parameters, for `value-source="param"`. */
  readonly parameters?: ReadonlyMap<string, string> | undefined;
  /** Resource meta-attributes, for `value-source="meta"`. */
  readonly metaAttributes?: ReadonlyMap<string, string> | undefined;
  /** Groups of the `rsc-pattern` match, the whole match first, for `%0` to `%9` (specification 01 §5.6). */
  readonly submatches?: readonly (string | undefined)[] | undefined;
}

/** What every rule of one evaluation shares. */
export interface RuleScope {
  readonly index: CibIndex;
  /** The effective time; its offset is the one in which `date_spec` reads it. */
  readonly now: DateTime;
  /** Told each moment at which an evaluated date expression may change its outcome, in epoch seconds (specification 01 §6.5). */
  readonly onRecheck: (epochSeconds: number) => void;
}
