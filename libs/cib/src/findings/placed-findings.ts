import { placeOfRoot, walkWithPlaces } from '../schema/problem-path.js';
import type { XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';

/** What is found with an element of a whole configuration, before its place is known. */
export type FoundAt = Pick<ConfigurationFinding, 'kind' | 'level' | 'subject' | 'attribute' | 'message' | 'meanwhile' | 'suggestion'> & {
  readonly at: XmlElement;
};

const NOTHING: readonly ConfigurationFinding[] = [];

/** The same with their places, in the order of the document. */
export function placedFindings(configuration: XmlElement, found: readonly FoundAt[]): readonly ConfigurationFinding[] {
  if (found.length === 0) return NOTHING;
  const byElement = new Map<XmlElement, readonly FoundAt[]>();
  for (const finding of found) byElement.set(finding.at, [...(byElement.get(finding.at) ?? []), finding]);
  const findings: ConfigurationFinding[] = [];
  walkWithPlaces(configuration, placeOfRoot(configuration, '/cib/configuration'), (element, { path, line }) => {
    const { id } = element.attributes;
    for (const { at, ...finding } of byElement.get(element) ?? []) {
      findings.push({
        ...{ ...finding, path, element: at.name },
        ...(id === undefined ? {} : { id }),
        ...(line === undefined ? {} : { line }),
      });
    }
  });
  return findings;
}
