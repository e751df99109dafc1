import { childrenNamed, element, type XmlElement } from '../xml/element.js';
import { BOOTSTRAP_OPTIONS_ID } from '../options/cluster-options.js';
import type { NvpairSetName } from '../nvpairs/nvpair-sets.js';
import { freeIds } from './free-id.js';
import { withNamedValue } from './named-values.js';
import { replaceElement } from './replace-element.js';
import { editSection } from './section.js';

/** Sections that hold nothing but sets of values. */
export const SECTIONS_OF_VALUES = ['crm_config', 'rsc_defaults', 'op_defaults'] as const;

export type SectionOfValues = (typeof SECTIONS_OF_VALUES)[number];

const SETS: Readonly<Record<SectionOfValues, { readonly kind: NvpairSetName; readonly id: string; readonly firstId?: string }>> = {
  crm_config: { kind: 'cluster_property_set', id: BOOTSTRAP_OPTIONS_ID, firstId: BOOTSTRAP_OPTIONS_ID },
  rsc_defaults: { kind: 'meta_attributes', id: 'rsc_defaults-options' },
  op_defaults: { kind: 'meta_attributes', id: 'op_defaults-options' },
};

/** A value of such a section; undefined takes it away. */
export interface SectionValue {
  readonly name: string;
  readonly value: string | undefined;
  /** Id of the very set that is meant; absent: where the name stands, else the set that tools make for such values. */
  readonly setId?: string;
}

/** The document with a cluster option or a default set or taken away, in the sets that `crm_attribute` uses. */
export function withSectionValue(cib: XmlElement, section: SectionOfValues, { name, value, setId }: SectionValue): XmlElement {
  const { kind, id, firstId } = SETS[section];
  return editSection(cib, section, (of) => {
    if (setId !== undefined) return withValueInSet(cib, of, kind, { name, value, setId });
    return withNamedValue(cib, of, { set: kind, name, value, setId: id, ...(firstId === undefined ? {} : { firstId }) });
  });
}

/** The element with a value in one set of its own, and no other; the set is made where it is not there. */
export function withValueInSet(
  cib: XmlElement,
  of: XmlElement,
  kind: NvpairSetName,
  { name, value, setId }: SectionValue & { readonly setId: string },
): XmlElement {
  const set = childrenNamed(of, kind).find(({ attributes }) => attributes['id'] === setId);
  if (set === undefined && value === undefined) return of;
  const freeId = freeIds(cib);
  const there = set ?? element(kind, { id: freeId(setId) });
  const pair = childrenNamed(there, 'nvpair').find(({ attributes }) => attributes['name'] === name);
  const written = writtenPair(there, pair, name, value, freeId);
  if (set === undefined) return { ...of, children: [...of.children, written] };
  return written === set ? of : replaceElement(of, set, written);
}

function writtenPair(
  set: XmlElement,
  pair: XmlElement | undefined,
  name: string,
  value: string | undefined,
  freeId: (wished: string) => string,
): XmlElement {
  if (value === undefined) return pair === undefined ? set : replaceElement(set, pair, undefined);
  if (pair?.attributes['value'] === value) return set;
  if (pair !== undefined) return replaceElement(set, pair, { ...pair, attributes: { ...pair.attributes, value } });
  return { ...set, children: [...set.children, element('nvpair', { id: freeId(`${set.attributes['id'] ?? ''}-${name}`), name, value })] };
}
