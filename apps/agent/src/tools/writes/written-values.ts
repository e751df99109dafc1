import { childElements, childrenNamed, firstChildNamed, parseXml, type XmlElement } from '@systole/cib';

/** Where a value stands in a document. */
export interface WrittenValue {
  readonly id: string;
  readonly set: string;
  readonly value: string;
}

/** The first value of a name in the sets of an element. @param setId in that set only */
export function writtenValue(owner: XmlElement | undefined, kind: string, name: string, setId?: string): WrittenValue | undefined {
  for (const set of owner === undefined ? [] : childrenNamed(owner, kind)) {
    const { id = '' } = set.attributes;
    if (setId !== undefined && id !== setId) continue;
    const pair = childrenNamed(set, 'nvpair').find(({ attributes }) => attributes['name'] === name);
    if (pair !== undefined) return { id: pair.attributes['id'] ?? '', set: id, value: pair.attributes['value'] ?? '' };
  }
  return undefined;
}

export function sectionOf(cib: string, name: string): XmlElement | undefined {
  const configuration = firstChildNamed(parseXml(cib), 'configuration');
  return configuration && firstChildNamed(configuration, name);
}

const RESOURCES: ReadonlySet<string> = new Set(['primitive', 'group', 'clone', 'master', 'bundle']);

/** A resource as it is written, with what it stands in. */
export interface WrittenResource {
  readonly element: XmlElement;
  readonly parent?: XmlElement;
}

export function resourceIn(cib: string, id: string): WrittenResource | undefined {
  const section = sectionOf(cib, 'resources');
  return section === undefined ? undefined : within(section, id);
}

function within(parent: XmlElement, id: string): WrittenResource | undefined {
  for (const child of childElements(parent)) {
    if (!RESOURCES.has(child.name)) continue;
    if (child.attributes['id'] === id) return { element: child, ...(RESOURCES.has(parent.name) ? { parent } : {}) };
    const found = within(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
