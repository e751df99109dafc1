import { mistypedName, nearMatches } from '@systole/cib';
import { OTHER_NAMES, PROGRAMS } from './programs/programs.js';

const PREFIX = 'SYSTOLE_';
/** What Kubernetes gives every container about a service named `systole-…`. */
const OF_A_SERVICE = /_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
/** No name is longer: more of it is not compared. */
const LONGEST = 80;

/**
 * Names of an environment that begin as settings do, and that no program knows: mistyped ones, whose defaults count instead. One file of settings may serve several programs, so those of all are known.
 *
 * @returns a line for each, with the name that was meant where one is near
 */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Set([...Object.values(PROGRAMS).flatMap(({ schema }) => Object.keys(schema)), ...Object.keys(OTHER_NAMES)]);
  const families = [...known].filter((name) => name.endsWith('_…')).map((name) => name.slice(0, -1));
  const candidates = [...known].filter((name) => !name.endsWith('_…'));
  const bare = candidates.flatMap((one) => (one.startsWith(PREFIX) ? [one.slice(PREFIX.length)] : []));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name) && !OF_A_SERVICE.test(name))
    .sort()
    .flatMap((name) => {
      const short = name.slice(0, LONGEST);
      const mistyped = mistypedName(short, candidates);
      const isOthers = families.some((family) => name.startsWith(family));
      // What others may name as they like is told of only where it is nearly a setting.
      if (isOthers)
        return mistyped === undefined ? [] : [`${short} is no setting of a program: is ${mistyped} meant? (docs/guide/settings.md)`];
      const meant = mistyped ?? nearMatches(short.slice(PREFIX.length), bare).map((one) => PREFIX + one)[0];
      return [
        `${short} is no setting, and counts for nothing${meant === undefined ? '' : `: is ${meant} meant?`} (docs/guide/settings.md)`,
      ];
    });
}
