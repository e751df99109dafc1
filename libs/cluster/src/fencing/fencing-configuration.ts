import { childElements, childrenNamed, serializeXml, type XmlElement } from '@systole/cib';
import { configurationOf } from '../state/configuration.js';
import { fencingDevices } from './device.js';

/** `stonith-timeout`, `fencing-max-attempts`, `priority-fencing-delay`, `concurrent-fencing` … */
const FENCING_OPTION = /(?:^|-)(?:stonith|fencing)(?:-|$)/;

/**
 * Whether a changed configuration may make fencing succeed that failed before: a fence device, its template or whether it may be used, the
 * fencing topology, or an option about fencing differs.
 */
export function fencingDiffers(before: XmlElement, after: XmlElement): boolean {
  return configurationOf(before) !== configurationOf(after) && partsOf(before) !== partsOf(after);
}

function partsOf(cib: XmlElement): string {
  const sections = childElements(configurationOf(cib));
  const options = sections.flatMap((section) => (section.name === 'crm_config' ? pairsOf(section) : []));
  const resources = sections.find(({ name }) => name === 'resources');
  const elements = [
    ...options.filter(({ attributes }) => FENCING_OPTION.test(attributes['name'] ?? '')),
    ...(resources === undefined ? [] : devicesIn(resources, stonithTemplates(resources))),
    ...sections.filter(({ name }) => name === 'fencing-topology'),
  ];
  const disabled = fencingDevices(cib).filter((device) => device.disabled);
  return [...elements.map((element) => serializeXml(element)), ...disabled.map(({ id }) => id)].join('\n');
}

function pairsOf(section: XmlElement): readonly XmlElement[] {
  return childrenNamed(section, 'cluster_property_set').flatMap((set) => childrenNamed(set, 'nvpair'));
}

function stonithTemplates(resources: XmlElement): ReadonlySet<string | undefined> {
  const templates = childrenNamed(resources, 'template').filter(({ attributes }) => attributes['class'] === 'stonith');
  return new Set(templates.map(({ attributes }) => attributes['id']));
}

/** The elements of fence devices, wherever they stand, and of their templates. */
function devicesIn(parent: XmlElement, templates: ReadonlySet<string | undefined>): readonly XmlElement[] {
  return childElements(parent).flatMap((child) => {
    const { class: standard, template } = child.attributes;
    if (child.name !== 'primitive' && child.name !== 'template') return devicesIn(child, templates);
    return standard === 'stonith' || (template !== undefined && templates.has(template)) ? [child] : [];
  });
}
