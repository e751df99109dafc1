import { parseXml, type XmlElement, XmlError } from '@systole/cib';
import { addTo, existing, nodeNamed, type ScenarioDraft } from './scenario-draft.js';

/** The lines without comments and blanks; XML that goes on in the next line is one line. */
export function* logicalLines(text: string): Generator<{ readonly line: string; readonly number: number }> {
  let open = '';
  for (const [index, raw] of text.split('\n').entries()) {
    const line = `${open} ${raw.replace(/(^|\s)#\s.*$/, '')}`.trim();
    open = '';
    const xml = /^(?:in \S+ )?(<.*)$/.exec(line)?.[1];
    if (xml !== undefined && parsed(xml) === undefined) open = line;
    else if (line !== '') yield { line, number: index + 1 };
  }
  if (open !== '') throw new Error(`this XML does not end: ${open}`);
}

/** The elements of a piece of XML; undefined while it isn't complete. */
export function parsed(xml: string): readonly XmlElement[] | undefined {
  try {
    return parseXml(`<x>${xml}</x>`).children.filter((child): child is XmlElement => child.kind === 'element');
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

const resourceElements = new Set(['primitive', 'group', 'clone', 'bundle', 'template', 'master']);
const sectionElements = new Set(['rsc_defaults', 'op_defaults', 'fencing-topology', 'acls', 'alerts', 'tags']);

/** Puts an element into the section that it belongs to; a whole `<cib>` is the document. */
export function placeXml(draft: ScenarioDraft, xml: XmlElement): void {
  if (xml.name === 'cib') draft.document = xml;
  else if (xml.name.startsWith('rsc_') && !sectionElements.has(xml.name)) addTo(draft, 'constraints', xml);
  else if (resourceElements.has(xml.name)) addTo(draft, 'resources', xml);
  else if (xml.name === 'cluster_property_set') addTo(draft, 'crm_config', xml);
  else if (xml.name === 'node') addTo(draft, 'nodes', xml);
  else if (xml.name === 'node_state') addTo(draft, 'status', xml);
  else if (sectionElements.has(xml.name)) addTo(draft, 'configuration', xml);
  else throw new Error(`say where <${xml.name}> belongs: "in PLACE <${xml.name} …>"`);
}

/** Puts elements into a resource, a node, a node's state (`state:NODE`) or a section. */
export function putXml(draft: ScenarioDraft, place: string, xml: readonly XmlElement[]): void {
  if (place.startsWith('state:')) nodeNamed(draft, place.slice(6)).stateExtra.push(...xml);
  else if (draft.nodes.has(place)) nodeNamed(draft, place).sets.push(...xml);
  else if (draft.resources.has(place)) existing(draft, place).after.push(...xml);
  else addTo(draft, place, ...xml);
}
