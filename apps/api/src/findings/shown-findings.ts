import { findingKey, findingsOf, type ConfigurationFinding, type XmlElement } from '@systole/cib';
import type { FindingDto, FindingsDto } from './finding.dto.js';

/** So many are named: nobody reads more, and a status stays short. */
const MOST_NAMED = 50;

/** What is found in a CIB: how many, and the first of them. */
export function findingsIn(cib: XmlElement): FindingsDto {
  return shown(findingsOf(cib).map((finding) => dtoOf(finding, false)));
}

/** The same of one that was changed. @param before undefined: of a new cluster */
export function findingsAfter(cib: XmlElement, before: XmlElement | undefined): FindingsDto {
  const all = findingsOf(cib);
  if (all.length === 0) return shown([]);
  const known = new Set(before === undefined ? [] : findingsOf(before).map(findingKey));
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
