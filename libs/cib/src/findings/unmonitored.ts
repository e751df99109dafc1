import { CibIndex } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import { pairElements } from '../nvpairs/nvpair-sets.js';
import { operationsOf } from '../reading/operations.js';
import { expandTemplate } from '../reading/template.js';
import { parseBoolean } from '../scalars/boolean.js';
import { parseInterval } from '../scalars/interval.js';
import { parseRole } from '../scalars/role.js';
import { placeOfChild, placeOfRoot, type Place } from '../schema/problem-path.js';
import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';

/**
 * Managed primitives without any recurring monitor. A warning: nothing is wrong with them until they fail. A monitor that is switched off (`enabled`)
 * counts, as somebody has decided that; fence devices are left out, as they are tried whenever a node is fenced, and many are run without one.
 *
 * @param document a whole CIB
 */
export function unmonitored(document: XmlElement): readonly ConfigurationFinding[] {
  const configuration = firstChildNamed(document, 'configuration');
  const section = configuration === undefined ? undefined : firstChildNamed(configuration, 'resources');
  if (configuration === undefined || section === undefined) return [];
  if (childrenNamed(configuration, 'rsc_defaults').some(saysUnmanaged)) return [];
  const index = new CibIndex(document);
  const sectionPlace = placeOfChild(section, 1, placeOfRoot(configuration, '/cib/configuration'));
  const found: ConfigurationFinding[] = [];
  const counts = new Map<string, number>();
  for (const part of childElements(section)) {
    const count = (counts.get(part.name) ?? 0) + 1;
    counts.set(part.name, count);
    const unwatched = unwatchedIn(part).filter(({ primitive }) => !isWatchedElsewhere(primitive, index));
    if (unwatched.length === 0) continue;
    const { path, line } = placeOfChild(part, count, sectionPlace);
    for (const { primitive, below } of unwatched)
      found.push(findingOf(primitive, { path: `${path}${below.path}`, line: below.line ?? line }));
  }
  return found;
}

/** A primitive that has no monitor itself, and where it is below its part. */
interface Unwatched {
  readonly primitive: XmlElement;
  readonly below: Place;
}

const MEMBERS: ReadonlySet<string> = new Set(['primitive', 'group']);

const unwatchedIn = perPart((part): readonly Unwatched[] => [...unwatchedBelow(part, placeOfRoot(part, ''))]);

function* unwatchedBelow(element: XmlElement, below: Place): Generator<Unwatched> {
  if (element.name === 'template' || saysUnmanaged(element)) return;
  if (element.name === 'primitive') {
    const operations = childrenNamed(element, 'operations').flatMap((set) => childrenNamed(set, 'op'));
    if (!isDevice(element) && !operations.some(isWatching)) yield { primitive: element, below };
    return;
  }
  const counts = new Map<string, number>();
  for (const child of childElements(element)) {
    const count = (counts.get(child.name) ?? 0) + 1;
    counts.set(child.name, count);
    if (MEMBERS.has(child.name)) yield* unwatchedBelow(child, placeOfChild(child, count, below));
  }
}

/** By its template, or by the operations of another resource. What names a template that there is not is refused for that. */
function isWatchedElsewhere(primitive: XmlElement, index: CibIndex): boolean {
  const isAlone =
    primitive.attributes['template'] === undefined && firstChildNamed(primitive, 'operations')?.attributes['id-ref'] === undefined;
  if (isAlone) return false;
  const whole = expandTemplate(index, primitive);
  return whole === undefined || isDevice(whole) || saysUnmanaged(whole) || operationsOf(index, whole).some(isWatching);
}

/** One that is for stopped instances only says nothing of what runs. */
function isWatching({ attributes: { name, interval, role } }: XmlElement): boolean {
  return name === 'monitor' && (parseInterval(interval) ?? 0) > 0 && parseRole(role) !== 'Stopped';
}

function isDevice({ attributes }: XmlElement): boolean {
  return attributes['class']?.toLowerCase() === 'stonith';
}

/** Also by a set that holds at times only. */
function saysUnmanaged(element: XmlElement): boolean {
  return childrenNamed(element, 'meta_attributes')
    .flatMap(pairElements)
    .some(({ attributes: { name, value } }) => name === 'is-managed' && parseBoolean(value) === false);
}

function findingOf({ name, attributes: { id } }: XmlElement, { path, line }: Place): ConfigurationFinding {
  return {
    ...{ kind: 'unmonitored', level: 'warning', path, element: name, subject: id ?? name },
    ...(id === undefined ? {} : { id }),
    ...(line === undefined ? {} : { line }),
    message: 'it has no recurring monitor: give it one, e.g. op monitor interval=60s',
    meanwhile: 'nobody notices when it fails',
  };
}
