import {
  agentFindings,
  findingKey,
  findingsOf,
  NO_SCHEMA,
  type ConfigurationFinding,
  type KnownAgents,
  type XmlElement,
} from '@systole/cib';
import type { Forced } from '../events/cluster-event.js';
import type { ClusterState } from '../state/cluster-state.js';
import type { Decision, RejectionIssue } from './decision.js';
import { reject } from './rejection.js';

/** So many findings a refusal names: more than anybody reads, and not so many that the answer gets long. */
const MOST_ISSUES = 1_000;
/** So many findings an event keeps. */
const MOST_KEPT = 100;

/** What of a configuration is surely not meant, told apart by whether it was there before. */
export interface Doubts {
  /** What the change brings in: a reason to refuse it. */
  readonly fresh: readonly ConfigurationFinding[];
  /** What was there before: an old misspelling keeps nobody from changing something else. */
  readonly standing: readonly ConfigurationFinding[];
}

/**
 * Where a document asks not to be validated, nothing is a reason to refuse it.
 *
 * @param before undefined: of a new cluster
 * @param agents undefined: nothing is known of them
 */
export function doubtsIn(next: XmlElement, before: XmlElement | undefined, agents?: KnownAgents): Doubts {
  const all = next.attributes['validate-with'] === NO_SCHEMA ? [] : [...findingsOf(next), ...agentFindings(next, agents)];
  return doubtsOf(all, before, agents);
}

/** The same of findings that are known already. */
export function doubtsOf(all: readonly ConfigurationFinding[], before: XmlElement | undefined, agents?: KnownAgents): Doubts {
  const doubtful = all.filter(({ level }) => level === 'error');
  if (doubtful.length === 0) return { fresh: [], standing: [] };
  const known = new Set(before === undefined ? [] : [...findingsOf(before), ...agentFindings(before, agents)].map(findingKey));
  const isKnown = (finding: ConfigurationFinding): boolean => known.has(findingKey(finding));
  return { fresh: doubtful.filter((finding) => !isKnown(finding)), standing: doubtful.filter(isKnown) };
}

/** As a refusal lists them, what is new first. */
export function issuesOf({ fresh, standing }: Doubts): readonly RejectionIssue[] {
  return [...fresh.map(issueOf), ...standing.map((finding): RejectionIssue => ({ ...issueOf(finding), standing: true }))].slice(
    0,
    MOST_ISSUES,
  );
}

function issueOf({ kind, message, meanwhile, path, line, attribute, suggestion }: ConfigurationFinding): RejectionIssue {
  return {
    message: `${message}; meanwhile ${meanwhile}`,
    ...{ path, finding: kind },
    ...(line === undefined ? {} : { line }),
    ...(attribute === undefined ? {} : { attribute }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Refuses what is surely not meant, all of it at once. */
export function doubtful(state: ClusterState, doubts: Doubts): Decision {
  const { fresh } = doubts;
  const first = fresh[0]?.message ?? 'the configuration says what is surely not meant';
  const more = fresh.length > 1 ? ` (and ${String(fresh.length - 1)} more)` : '';
  const end = more === '' && first.endsWith('?') ? '' : '.';
  return reject(state, 'doubtful-configuration', `${first}${more}${end} Correct it, or take it all the same with force=true`, {
    pointer: '/cib',
    issues: issuesOf(doubts),
  });
}

/** What an event says of what was forced; nothing where nothing had to be. */
export function forcedIn({ fresh }: Doubts): { readonly forced?: Forced } {
  if (fresh.length === 0) return {};
  const findings = fresh
    .slice(0, MOST_KEPT)
    .map(({ path, attribute, message }) => ({ path, ...(attribute === undefined ? {} : { attribute }), message }));
  return { forced: { count: fresh.length, findings } };
}
