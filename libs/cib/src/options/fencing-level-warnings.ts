import { childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';

/** Fencing levels of one target and one index: elsewhere only one of them, or both as one, would count. */
export interface RepeatedLevels {
  /** At least two. */
  readonly levels: readonly XmlElement[];
  readonly message: string;
  readonly meanwhile: string;
}

export function repeatedFencingLevels(topology: XmlElement): readonly RepeatedLevels[] {
  const all = new Map<string, { readonly what: string; readonly levels: XmlElement[] }>();
  for (const level of childrenNamed(topology, 'fencing-level')) {
    const number = Number.parseInt(level.attributes['index'] ?? '', 10);
    const target = targetOf(level.attributes);
    const key = JSON.stringify([number, target]);
    const same = all.get(key);
    if (same === undefined) all.set(key, { what: `index ${String(number)} for ${target}`, levels: [level] });
    else same.levels.push(level);
  }
  return [...all.values()].flatMap(({ what, levels }) =>
    levels.length < 2
      ? []
      : [
          {
            levels,
            message: `fencing levels ${levels.map(({ attributes: { id = '' } }) => id).join(', ')}: all have ${what}: put their devices into one level, or give each its own index`,
            meanwhile: 'each is tried by itself, in this order',
          },
        ],
  );
}

/** Of levels of one target and one index, those that repeat the devices of one before them: nobody means that. */
export function sameDevicesIn(levels: readonly XmlElement[]): readonly { readonly at: XmlElement; readonly message: string }[] {
  const first = new Map<string, string>();
  return levels.flatMap((at) => {
    const { id = '', devices = '' } = at.attributes;
    const key = devices
      .split(',')
      .map((device) => device.trim())
      .join(',');
    const before = first.get(key);
    if (before === undefined) first.set(key, id);
    return before === undefined
      ? []
      : [{ at, message: `fencing level ${id} is there already: ${before} has the same target, index and devices: leave one out` }];
  });
}

/** The same of a configuration, for people. */
export function fencingLevelWarnings(configuration: XmlElement): readonly string[] {
  const topology = firstChildNamed(configuration, 'fencing-topology');
  if (topology === undefined) return [];
  return repeatedFencingLevels(topology).map(({ message, meanwhile }) => `${message}; meanwhile ${meanwhile}`);
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
