import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import { findOptionMistakes, examinePart } from './find-mistakes.js';
import { PartsTally, SECTIONS_BY_PART } from './parts-tally.js';
import { CURRENT_SCHEMA } from './schema-names.js';
import { validateOutline } from './validate-cib.js';

/** With fewer parts all are counted each time: that costs less than to keep what was counted. */
const FEW = 200;
/** Tallies are kept as long as they have no more parts in all than this; the newest is kept however many it has. */
const MOST_KEPT_PARTS = 30_000;

/** Of the documents that were looked at last, the newest last. */
let kept: readonly PartsTally[] = [];

/**
 * Whether nothing at all is wrong with a document of the current schema: `validateCib`, `findMistakes` and `findOptionMistakes` would find nothing. `false` says that something is, or that it has to be
 * looked at whole, which tells what.
 *
 * It is found out part by part, by the same rules, and what was found stays known: after an edit it costs what was edited, a look at the list of parts, and what stands outside of nodes, resources and
 * constraints.
 */
export function isSurelySound(document: XmlElement): boolean {
  const configuration = firstChildNamed(document, 'configuration');
  if (document.attributes['validate-with'] !== CURRENT_SCHEMA || configuration === undefined) return false;
  const outline = withoutParts(document, configuration);
  const hollow = firstChildNamed(outline, 'configuration') ?? configuration;
  // What refers to a pair that stands elsewhere is read with the whole.
  if (childrenNamed(hollow, 'crm_config').some(hasReference) || findOptionMistakes(outline).length > 0) return false;
  return tallyOf(configuration).isSoundWith({ ...validateOutline(outline), ...examinePart(hollow) });
}

function tallyOf(configuration: XmlElement): PartsTally {
  const tally = kept.find((one) => one.sharesWith(configuration)) ?? new PartsTally();
  tally.turnTo(configuration);
  if (tally.size >= FEW) keep(tally);
  return tally;
}

function keep(newest: PartsTally): void {
  const others: PartsTally[] = [];
  let total = newest.size;
  for (const tally of kept.toReversed()) {
    total += tally.size;
    if (tally !== newest && total <= MOST_KEPT_PARTS) others.unshift(tally);
  }
  kept = [...others, newest];
}

function withoutParts(document: XmlElement, configuration: XmlElement): XmlElement {
  const isByPart = (name: string): boolean => (SECTIONS_BY_PART as readonly string[]).includes(name);
  const sections = configuration.children.map((node) =>
    node.kind === 'element' && isByPart(node.name) ? { ...node, children: [] } : node,
  );
  const children = document.children.map((node) => (node === configuration ? { ...configuration, children: sections } : node));
  return { ...document, children };
}

function hasReference(element: XmlElement): boolean {
  return element.attributes['id-ref'] !== undefined || childElements(element).some(hasReference);
}
