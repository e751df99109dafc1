import { agentFindings, findingKey, findingsOf, type ConfigurationFinding, type KnownAgents, type XmlElement } from '@systole/cib';
import type { FindingDto, FindingsDto } from './finding.dto.js';

/** So many are named: nobody reads more, and a status stays short. */
const MOST_NAMED = 50;

/** What is found in a CIB: how many, and the first of them. */
export function findingsIn(cib: XmlElement): FindingsDto {
  return shown(findingsOf(cib).map((finding) => dtoOf(finding, false)));
}

/** Those with what is found of resource agents, and otherwise, besides. @param agents undefined: nothing is known of them */
export function withFurtherFindings(
  { count, items }: FindingsDto,
  cib: XmlElement,
  agents: KnownAgents | undefined,
  others: readonly ConfigurationFinding[],
): FindingsDto {
  const more = [...agentFindings(cib, agents), ...others];
  if (more.length === 0) return { count, items };
  const { items: named } = shown([...items, ...more.map((finding) => dtoOf(finding, false))]);
  return { count: count + more.length, items: named };
}

/** What is found in a configuration otherwise than by reading it: before a change, and after it. */
export interface FurtherFindings {
  readonly before: readonly ConfigurationFinding[];
  readonly after: readonly ConfigurationFinding[];
}

export const NONE_FURTHER: FurtherFindings = { before: [], after: [] };

/** The same of one that was changed. @param before undefined: of a new cluster @param agents undefined: nothing is known of them */
export function findingsAfter(cib: XmlElement, before: XmlElement | undefined, agents?: KnownAgents, further = NONE_FURTHER): FindingsDto {
  const all = [...findingsOf(cib), ...agentFindings(cib, agents), ...further.after];
  if (all.length === 0) return shown([]);
  const standing = before === undefined ? [] : [...findingsOf(before), ...agentFindings(before, agents), ...further.before];
  const known = new Set(standing.map(findingKey));
  return shown(all.map((finding) => dtoOf(finding, !known.has(findingKey(finding)))));
}

/** Nothing is said where nothing was found. */
export function findingsFound(findings: FindingsDto): { readonly findings?: FindingsDto } {
  return findings.count === 0 ? {} : { findings };
}

function shown(all: readonly FindingDto[]): FindingsDto {
  const rank = ({ isNew, level }: FindingDto): number => (isNew === true ? 0 : 2) + (level === 'error' ? 0 : 1);
  return { count: all.length, items: [...all].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_NAMED) };
}

/** Lines are those of a document that was read once, and nobody's any more. */
function dtoOf(finding: ConfigurationFinding, isNew: boolean): FindingDto {
  const { kind, level, subject, path, element, id, attribute, message, meanwhile, suggestion } = finding;
  return {
    ...{ kind, level, subject, path, element, message, meanwhile },
    ...(id === undefined ? {} : { id }),
    ...(attribute === undefined ? {} : { attribute }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(isNew ? { isNew } : {}),
  };
}
