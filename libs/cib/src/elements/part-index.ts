import { descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** The children of the sections, which hold all that a configuration says. */
export function* partsOf(configuration: XmlElement): Generator<XmlElement, void, undefined> {
  for (const section of childElements(configuration)) yield* childElements(section);
}

/** The ids in a part. */
export const idsInPart = perPart((part) => idsIn(part));

/** The ids in an element and all that is in it. */
export function idsIn(root: XmlElement): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { attributes } of descendants(root)) if (attributes['id'] !== undefined) ids.add(attributes['id']);
  return ids;
}

/** The ids in all parts of a configuration. */
function idsInAll(configuration: XmlElement): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const part of partsOf(configuration)) for (const id of idsInPart(part)) ids.add(id);
  return ids;
}

/** So many ids are looked for part by part: after that the ids of all parts are put together, which costs as much as some tens of looks. */
const FEW_LOOKS = 32;

/** Whether an id is in any part of a configuration, for whoever asks for one or for thousands. */
export function idLookUp(configuration: XmlElement): (id: string) => boolean {
  let looks = 0;
  let all: ReadonlySet<string> | undefined;
  return (id) => {
    looks += 1;
    if (looks > FEW_LOOKS) all ??= idsInAll(configuration);
    return all?.has(id) ?? isInSomePart(configuration, id);
  };
}

function isInSomePart(configuration: XmlElement, id: string): boolean {
  return childElements(configuration).some((section) =>
    section.children.some((part) => part.kind === 'element' && idsInPart(part).has(id)),
  );
}
