import fc from 'fast-check';
import { ELEMENT_TYPES } from '../schema/element-types.js';
import type { AttributeType } from '../schema/attribute-types.js';
import type { ElementType } from '../schema/element-type.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { anyComment } from '../xml/trees.fixture.js';
import { attributeTypeOf, childTypeOf } from './shown-element.js';

/** Texts of which some fit each type of attribute. */
const TEXTS = [
  ...['1', '2', '100', 'INFINITY', 'true', 'false', 'a', 'b', 'monitor', '10s', '3000-3010', 'Started', 'ocf', 'lsb', 'x y', '<&>"', ''],
  ...['Optional', 'Mandatory', 'start', 'stop', 'group', 'listed', 'and', 'or', 'eq', 'defined', 'gt', 'lt', 'in_range', 'date_spec'],
  ...['read', 'write', 'always', 'fence', 'freeze', 'member', 'remote', 'string', 'literal', 'ignore', 'block', 'target-role', '__proto__'],
];

function fitting(type: AttributeType): fc.Arbitrary<string> {
  return fc.constantFrom(...TEXTS.filter((text) => type(text) === undefined));
}

/** Elements with the attributes and children that the schema lists, in any order and with comments; some fail its further checks, and references lead nowhere. */
export const anyElement: fc.Arbitrary<XmlElement> = fc
  .constantFrom(...Object.keys(ELEMENT_TYPES).filter((name) => name !== 'configuration'))
  .chain((name) => elementOf(name, ELEMENT_TYPES[name] ?? {}, 3))
  .map(withOwnIds);

function elementOf(name: string, type: ElementType, depth: number): fc.Arbitrary<XmlElement> {
  const { required = {}, optional = {}, children = {} } = type;
  const given = Object.fromEntries(Object.entries(required).map(([attribute, kind]) => [attribute, fitting(kind)]));
  const perhaps = Object.fromEntries(
    Object.entries(optional).map(([attribute, kind]) => [attribute, fc.option(fitting(kind), { nil: undefined })]),
  );
  const lists = Object.entries(children).flatMap(([child, { occurs }]) => {
    const childType = childTypeOf(type, child);
    if (childType === undefined) return [];
    const least = occurs === '+' || occurs === '1' ? 1 : 0;
    if (depth <= 0 && least === 0) return [];
    return [fc.array(elementOf(child, childType, depth - 1), { minLength: least, maxLength: occurs === '?' || occurs === '1' ? 1 : 2 })];
  });
  return fc
    .record({
      attributes: fc.record({ ...given, ...perhaps }),
      lists: fc.tuple(...lists),
      comments: fc.array(anyComment, { maxLength: 1 }),
    })
    .chain(({ attributes, lists: found, comments }) => {
      const nodes: readonly XmlNode[] = [...found.flat(), ...comments];
      return fc.shuffledSubarray([...nodes], { minLength: nodes.length }).map((mixed): XmlElement => ({
        kind: 'element',
        name,
        attributes: Object.fromEntries(Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined)),
        children: mixed,
      }));
    });
}

/** The same with ids that occur once. What may have an id has one, or refers to another element and has nothing else. */
function withOwnIds(root: XmlElement): XmlElement {
  let count = 0;
  const next = (): string => `i${String(count++)}`;
  const renamed = (element: XmlElement, type: ElementType): XmlElement => {
    const { id, 'id-ref': reference, ...others } = element.attributes;
    if (reference !== undefined && id === undefined) return { ...element, attributes: { 'id-ref': next() }, children: [] };
    const attributes = attributeTypeOf(type, 'id') === undefined ? others : { id: next(), ...others };
    const children = element.children.map((child) =>
      child.kind === 'comment' ? child : renamed(child, childTypeOf(type, child.name) ?? {}),
    );
    return { ...element, attributes, children };
  };
  return renamed(root, ELEMENT_TYPES[root.name] ?? {});
}
