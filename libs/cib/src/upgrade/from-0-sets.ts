import type { XmlElement, XmlNode } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { newScore, withNewValues } from './from-0-attributes.js';
import type { UpgradeLog } from './upgrade-log.js';

/** A set of name-value pairs without the `<attributes>` that stood around them. Their names are for whoever knows what the set is of. */
export function upgradeOldSet(set: XmlElement, log: UpgradeLog): XmlElement {
  const scored = withNewValues(set, ['score'], newScore, log);
  if (!scored.children.some(isContainer)) return scored;
  log.rewritten(set, '<attributes> is left out: the pairs in it stand in the set itself now');
  return { ...scored, children: scored.children.flatMap((child) => (isContainer(child) ? withoutContainer(child, log) : [child])) };
}

function isContainer(node: XmlNode): node is XmlElement {
  return node.kind === 'element' && node.name === 'attributes';
}

function withoutContainer(container: XmlElement, log: UpgradeLog): readonly XmlNode[] {
  for (const [name, value] of Object.entries(container.attributes)) {
    log.dropped(container, `${name}="${value}" of <attributes>: there is no such element any more`);
  }
  return container.children.flatMap((child) => (isContainer(child) ? withoutContainer(child, log) : [child]));
}

/** What becomes of a pair: a newer name, a newer value, or (undefined) nothing. */
export interface NewPair {
  readonly name: string;
  readonly value?: string;
}

/**
 * Gives pairs their newer names and values. Of two that have one name then, the later one is left out if it says the same; if not, the document is refused.
 *
 * @param write undefined: the pair stays
 */
export function withNewPairs(
  set: XmlElement,
  write: (name: string, value: string | undefined) => NewPair | undefined,
  log: UpgradeLog,
): XmlElement {
  const given = new Map<string, string | undefined>();
  for (const child of set.children) {
    const { name, value } = child.kind === 'element' && child.name === 'nvpair' ? child.attributes : {};
    const written = name === undefined ? undefined : write(name, value);
    if (name !== undefined && (written === undefined || written.name === name) && !given.has(name))
      given.set(name, written?.value ?? value);
  }
  const children = set.children.flatMap((child): readonly XmlNode[] => {
    if (child.kind === 'comment' || child.name !== 'nvpair') return [child];
    const { name, value } = child.attributes;
    const written = name === undefined ? undefined : write(name, value);
    if (name === undefined || written === undefined) return [child];
    const valued = written.value ?? value;
    if (written.name !== name && given.has(written.name))
      return repeated(child, { name: written.name, value: valued }, given.get(written.name), log);
    if (written.name !== name) given.set(written.name, valued);
    if (written.name !== name) log.rewritten(child, `the name ${name} is ${written.name} now`);
    if (valued !== value) log.rewritten(child, `the value "${value ?? ''}" of ${written.name} is "${valued ?? ''}" now`);
    return [withAttributes(child, { name: written.name, value: valued })];
  });
  return children.every((child, index) => child === set.children[index]) && children.length === set.children.length
    ? set
    : { ...set, children };
}

function repeated(
  pair: XmlElement,
  { name, value }: { readonly name: string; readonly value: string | undefined },
  present: string | undefined,
  log: UpgradeLog,
): readonly XmlNode[] {
  const older = pair.attributes['name'] ?? '';
  if (present === value) {
    log.dropped(pair, `${older}="${value ?? ''}": ${name} says the same`);
    return [];
  }
  log.refuse(
    pair,
    'name',
    `${older} is "${value ?? ''}", and ${name}, the newer name of the same, is "${present ?? ''}": leave one of them out`,
  );
  return [pair];
}
