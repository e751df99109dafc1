import { childrenNamed, type ConfiguredResource, type XmlElement } from '@systole/cib';

/** What binds a resource to nodes and to others, as `crm_resource --constraints` lists it. Sets of several resources are not told apart there. */
export function constraintLines(constraints: XmlElement | undefined, resource: ConfiguredResource): readonly string[] {
  const { id } = outermost(resource);
  const named = (kind: string): readonly XmlElement['attributes'][] =>
    constraints === undefined ? [] : childrenNamed(constraints, kind).map(({ attributes }) => attributes);
  const locations = named('rsc_location').filter(({ rsc, node }) => rsc === id && node !== undefined);
  const colocations = named('rsc_colocation');
  const before = colocations.filter((one) => one['with-rsc'] === id);
  const after = colocations.filter(({ rsc }) => rsc === id);
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

function block(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  * ${item}`)];
}

/** Members of groups and clones are bound by what they are in. */
function outermost(resource: ConfiguredResource): ConfiguredResource {
  return resource.parent === undefined ? resource : outermost(resource.parent);
}
