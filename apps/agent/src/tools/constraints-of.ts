import { childrenNamed, element, type ConfiguredResource, type XmlElement } from '@systole/cib';

type Attributes = XmlElement['attributes'];

/** What binds a resource to nodes and to others. Sets of several resources are not told apart. */
interface Bonds {
  readonly id: string;
  readonly locations: readonly Attributes[];
  /** In which others follow it. */
  readonly before: readonly Attributes[];
  /** In which it follows others. */
  readonly after: readonly Attributes[];
}

function bondsOf(constraints: XmlElement | undefined, resource: ConfiguredResource): Bonds {
  const { id } = outermost(resource);
  const named = (kind: string): readonly Attributes[] =>
    constraints === undefined ? [] : childrenNamed(constraints, kind).map(({ attributes }) => attributes);
  const colocations = named('rsc_colocation');
  return {
    id,
    locations: named('rsc_location').filter(({ rsc, node }) => rsc === id && node !== undefined),
    before: colocations.filter((one) => one['with-rsc'] === id),
    after: colocations.filter(({ rsc }) => rsc === id),
  };
}

/** As `crm_resource --constraints` lists them. */
export function constraintLines(constraints: XmlElement | undefined, resource: ConfiguredResource): readonly string[] {
  const { id, locations, before, after } = bondsOf(constraints, resource);
  return [
    ...block(
      'Locations',
      locations.map((one) => `Node ${one['node'] ?? ''} (score=${one['score'] ?? ''}, id=${one['id'] ?? ''}, rsc=${id})`),
    ),
    ...block(
      `Resources colocated with ${id}`,
      before.map((one) => `${one['rsc'] ?? ''} (score=${one['score'] ?? 'INFINITY'}, id=${one['id'] ?? ''})`),
    ),
    ...block(
      `Resources ${id} is colocated with`,
      after.map((one) => `${one['with-rsc'] ?? ''} (score=${one['score'] ?? 'INFINITY'}, id=${one['id'] ?? ''})`),
    ),
  ];
}

/** The same in XML. */
export function constraintsElement(constraints: XmlElement | undefined, resource: ConfiguredResource): XmlElement {
  const { id, locations, before, after } = bondsOf(constraints, resource);
  return element('constraints', {}, [
    ...locations.map((one) =>
      element('rsc_location', { node: one['node'] ?? '', rsc: id, id: one['id'] ?? '', score: one['score'] ?? '' }),
    ),
    ...[...before, ...after].map((one) =>
      element('rsc_colocation', {
        id: one['id'] ?? '',
        rsc: one['rsc'] ?? '',
        'with-rsc': one['with-rsc'] ?? '',
        score: one['score'] ?? 'INFINITY',
      }),
    ),
  ]);
}

function block(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  * ${item}`)];
}

/** Members of groups and clones are bound by what they are in. */
function outermost(resource: ConfiguredResource): ConfiguredResource {
  return resource.parent === undefined ? resource : outermost(resource.parent);
}
