import { element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** The sections of a configuration that edits make when they are not there. */
export type SectionName = 'crm_config' | 'nodes' | 'resources' | 'constraints' | 'rsc_defaults' | 'op_defaults';

/** The document with a section of its configuration changed; made at the end when it is not there. The document itself when the edit changes nothing. */
export function editSection(cib: XmlElement, name: SectionName, edit: (section: XmlElement) => XmlElement): XmlElement {
  const configuration = firstChildNamed(cib, 'configuration') ?? element('configuration');
  const before = firstChildNamed(configuration, name);
  const after = edit(before ?? element(name));
  if (after === before || (before === undefined && after.children.length === 0)) return cib;
  return withOnly(cib, withOnly(configuration, after));
}

function withOnly(parent: XmlElement, child: XmlElement): XmlElement {
  const position = parent.children.findIndex((node) => node.kind === 'element' && node.name === child.name);
  return { ...parent, children: position < 0 ? [...parent.children, child] : parent.children.with(position, child) };
}
