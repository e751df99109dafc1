import { childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';

/** Fencing levels of one target and one index: elsewhere only one of them, or both as one, would count. For people. */
export function fencingLevelWarnings(configuration: XmlElement): readonly string[] {
  const topology = firstChildNamed(configuration, 'fencing-topology');
  if (topology === undefined) return [];
  const levels = new Map<string, { readonly what: string; readonly ids: string[] }>();
  for (const { attributes } of childrenNamed(topology, 'fencing-level')) {
    const { id = '', index = '' } = attributes;
    const number = Number.parseInt(index, 10);
    const target = targetOf(attributes);
    const key = JSON.stringify([number, target]);
    const same = levels.get(key);
    if (same === undefined) levels.set(key, { what: `index ${String(number)} for ${target}`, ids: [id] });
    else same.ids.push(id);
  }
  return [...levels.values()].flatMap(({ what, ids }) =>
    ids.length < 2
      ? []
      : [
          `fencing levels ${ids.join(', ')}: all have ${what}: put their devices into one level, or give each its own index; meanwhile each is tried by itself, in this order`,
        ],
  );
}

/** Names of nodes are compared without regard to case. */
function targetOf({
  target,
  'target-pattern': pattern,
  'target-attribute': attribute = '',
  'target-value': value = '',
}: XmlElement['attributes']): string {
  if (target !== undefined) return target.toLowerCase();
  return pattern === undefined ? `nodes with ${attribute}=${value}` : `nodes named like ${pattern}`;
}
