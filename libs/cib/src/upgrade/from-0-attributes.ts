import { parseBoolean } from '../scalars/boolean.js';
import { parseRole } from '../scalars/role.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes, withRenamedAttribute } from '../xml/rewrite.js';
import type { UpgradeLog } from './upgrade-log.js';

/** Renames attributes, in their places. Where both names are given, and say two things, that is refused. @param names by the older one */
export function withNewNames(element: XmlElement, names: Readonly<Record<string, string>>, log: UpgradeLog): XmlElement {
  let upgraded = element;
  for (const [older, newer] of Object.entries(names)) {
    const { [older]: said, [newer]: present } = upgraded.attributes;
    if (said === undefined) continue;
    if (present === undefined) {
      log.rewritten(element, `${older} is ${newer} now`);
      upgraded = withRenamedAttribute(upgraded, older, newer);
    } else if (present === said) {
      log.dropped(element, `${older}="${said}": ${newer} says the same`);
      upgraded = withAttributes(upgraded, { [older]: undefined });
    } else {
      log.refuse(element, older, `says "${said}", and ${newer}, the newer name of the same, says "${present}": leave one of them out`);
      upgraded = withAttributes(upgraded, { [older]: undefined });
    }
  }
  return upgraded;
}

/** Leaves attributes out. @param why by their names */
export function withoutOld(element: XmlElement, why: Readonly<Record<string, string>>, log: UpgradeLog): XmlElement {
  const given = Object.keys(why).filter((name) => element.attributes[name] !== undefined);
  for (const name of given) log.dropped(element, `${name}="${element.attributes[name] ?? ''}": ${why[name] ?? ''}`);
  return withAttributes(element, Object.fromEntries(given.map((name) => [name, undefined])));
}

/** Writes the values of some attributes anew. @param write undefined: the value stays */
export function withNewValues(
  element: XmlElement,
  names: readonly string[],
  write: (value: string) => string | undefined,
  log: UpgradeLog,
): XmlElement {
  let upgraded = element;
  for (const name of names) {
    const value = upgraded.attributes[name];
    const written = value === undefined ? undefined : write(value);
    if (value === undefined || written === undefined || written === value) continue;
    log.rewritten(element, `${name}="${value}" is "${written}" now`);
    upgraded = withAttributes(upgraded, { [name]: written });
  }
  return upgraded;
}

/** `infinity` was a score in whatever letters. */
export function newScore(value: string): string | undefined {
  const infinite = /^\s*([+-]?)infinity\s*$/i.exec(value);
  return infinite === null ? undefined : `${infinite[1] === '-' ? '-' : ''}INFINITY`;
}

/** `yes`, `on` and the like in an attribute that takes `true` and `false` only. */
export function newBoolean(value: string): string | undefined {
  const read = parseBoolean(value.trim());
  return read === undefined || /^(?:true|false|1|0)$/.test(value) ? undefined : String(read);
}

/** Roles were written in whatever letters, and two of them had other names. */
export function newRole(value: string): string | undefined {
  const role = parseRole(value.trim());
  return role === 'Unknown' ? undefined : role;
}
