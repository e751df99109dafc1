import {
  CLUSTER_OPTIONS,
  comparedOptions,
  CONSTRAINT_ATTRIBUTES,
  type ClusterOptionDefinition,
  type ComparedOption,
  type XmlElement,
  type XmlNode,
} from '@systole/cib';

/** Where an option of a section of the comparison with Pacemaker stands in a document. */
interface Place {
  /** Of pairs: the set that they are in. */
  readonly set?: 'cluster_property_set' | 'meta_attributes' | 'instance_attributes';
  /** Of pairs: names of elements that their set is in; of XML attributes: the elements themselves. */
  readonly on?: readonly string[];
  readonly attribute?: true;
}

const RESOURCES = ['primitive', 'template', 'group', 'clone', 'bundle', 'rsc_defaults'];

const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'Cluster options': [{ set: 'cluster_property_set' }],
  'Meta-attributes of resources, and resource defaults': [{ set: 'meta_attributes', on: RESOURCES }],
  'Operations, and operation defaults': [
    { set: 'meta_attributes', on: ['op', 'op_defaults'] },
    { attribute: true, on: ['op'] },
  ],
  'Attributes of nodes': [{ set: 'instance_attributes', on: ['node', 'transient_attributes'] }],
  'Constraints, sets, rules and fencing levels': [{ attribute: true }],
  'Parameters of fence devices': [{ set: 'instance_attributes', on: ['primitive', 'template'] }],
};

/** An option with what takes it out of a document. */
export interface PlacedOption {
  /** Unique, for people. */
  readonly key: string;
  readonly option: ComparedOption;
  /** The document without it, under whichever of its names; the same document where it is not there. */
  readonly removedFrom: (document: XmlElement) => XmlElement;
}

/** Every row of the comparison, Systole's own options included. */
export function placedOptions(): readonly PlacedOption[] {
  const sections = comparedOptions().map(({ title, options }) => ({ title, options }));
  return [...sections, { title: 'Cluster options', options: ownOptions() }].flatMap(({ title, options }) =>
    options.map((option) => {
      const places = PLACES[title] ?? [];
      const names = new Set([option.name, ...option.olderNames]);
      const key = `${title}: ${option.name}${option.on.length === 0 ? '' : ` of ${option.on.join(', ')}`}`;
      return {
        key,
        option,
        removedFrom: (document) => places.reduce((left, place) => without(left, undefined, names, option, place), document),
      };
    }),
  );
}

function ownOptions(): readonly ComparedOption[] {
  const compared = new Set(comparedOptions().flatMap(({ options }) => options.map(({ name }) => name)));
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  return all
    .filter(({ name }) => !compared.has(name))
    .map(({ name, alias }) => ({ name, olderNames: alias === undefined ? [] : [alias], on: [], conduct: 'same' }));
}

const CONSTRAINT_ELEMENTS = new Set(CONSTRAINT_ATTRIBUTES.flatMap(({ readOn }) => readOn));

function without(
  element: XmlElement,
  parent: XmlElement | undefined,
  names: ReadonlySet<string>,
  option: ComparedOption,
  place: Place,
): XmlElement {
  const { set, on, attribute } = place;
  const isSet = set !== undefined && element.name === set && (on === undefined || on.includes(parent?.name ?? ''));
  const kept = isSet ? element.children.filter((child) => !isPair(child, names)) : element.children;
  const children = kept.map((child) => (child.kind === 'element' ? without(child, element, names, option, place) : child));
  const bears = attribute === true && (on ?? option.on.filter((name) => CONSTRAINT_ELEMENTS.has(name))).includes(element.name);
  const attributes = bears
    ? Object.fromEntries(Object.entries(element.attributes).filter(([name]) => !names.has(name)))
    : element.attributes;
  const same =
    children.length === element.children.length &&
    children.every((child, index) => child === element.children[index]) &&
    Object.keys(attributes).length === Object.keys(element.attributes).length;
  return same ? element : { ...element, attributes, children };
}

function isPair(node: XmlNode, names: ReadonlySet<string>): boolean {
  if (node.kind !== 'element' || node.name !== 'nvpair') return false;
  const { name = '' } = node.attributes;
  return names.has(name) || [...names].some((one) => one.endsWith('…') && name.startsWith(one.slice(0, -1)));
}
