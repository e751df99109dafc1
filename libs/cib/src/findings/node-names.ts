import { unusableNodeName } from '../reading/node-name.js';
import { isRemoteEntry, readNodes } from '../reading/nodes.js';
import { impliedNodes } from '../reading/remote-nodes.js';
import { childElements, firstChildNamed, type XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';
import { placedFindings, type FoundAt } from './placed-findings.js';
import { unseenIn } from './unseen-characters.js';

/** Small letters of Greek and Cyrillic that look like one of Latin (Unicode Technical Standard 39, confusables), each before the one that it looks like. */
const ALIKE = new Map(
  [
    'аa',
    'ԁd',
    'еe',
    'һh',
    'іi',
    'ϳj',
    'јj',
    'ӏl',
    'оo',
    'рp',
    'ԛq',
    'ѕs',
    'ԝw',
    'хx',
    'уy',
    'сc',
    'αa',
    'γy',
    'ιi',
    'νv',
    'οo',
    'ρp',
    'σo',
    'υu',
    'вb',
    'кk',
    'мm',
    'нh',
    'тt',
  ].map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
);

interface Named {
  readonly name: string;
  readonly at: XmlElement;
  /** Where the name is written. */
  readonly attribute: string;
}

/**
 * Names of nodes under which no agent can join, and such as look like that of another node. A Pacemaker's configuration may hold both.
 *
 * @param document a whole CIB
 */
export function nodeNameFindings(document: XmlElement): readonly ConfigurationFinding[] {
  const configuration = firstChildNamed(document, 'configuration');
  return configuration === undefined ? [] : placedFindings(configuration, [...foundIn(namedIn(configuration))]);
}

function* foundIn(nodes: readonly Named[]): Generator<FoundAt> {
  const taken = new Map<string, string>();
  for (const { name, at, attribute } of nodes) {
    const subject = name;
    const unusable = isToldOf(at, attribute, name) ? undefined : unusableNodeName(name);
    if (unusable !== undefined)
      yield {
        ...{ at, kind: 'unusable-node-name', level: 'error', subject, attribute },
        message: `${attribute}: ${unusable}, and no agent can join under it: name the node as its machine is called`,
        meanwhile: 'nothing can be run there',
      };
    const looks = looksOf(name);
    const other = taken.get(looks);
    if (other === undefined) taken.set(looks, name);
    else if (other !== name)
      yield {
        ...{ at, kind: 'look-alike', level: 'warning', subject, attribute },
        message: `${attribute}: "${name}" looks like node "${other}" and is another: give one of them another name`,
        meanwhile: 'people take one for the other',
      };
  }
}

/** Of characters that nobody sees it is told with each element, but for values, where they may be meant, and for entries that follow from another place. */
function isToldOf(at: XmlElement, attribute: string, name: string): boolean {
  return attribute !== 'remote-node' && !isRemoteEntry(at) && unseenIn(name) !== undefined;
}

/** Each name where it makes a node: a bundle makes one of each replica, and the entry that a remote node or a guest gets with its first attribute makes none. */
function namedIn(configuration: XmlElement): readonly Named[] {
  const { nodes } = readNodes(firstChildNamed(configuration, 'nodes'));
  const section = firstChildNamed(configuration, 'resources');
  const implied = impliedNodes(section);
  const made = new Set(implied.map(({ name }) => name));
  const members = nodes
    .filter(({ name, kind }) => kind === 'member' || !made.has(name))
    .map(({ name, element }): Named => ({ name, at: element, attribute: 'uname' }));
  if (section === undefined || implied.length === 0) return members;
  const seen = new Set(members.map(({ name }) => name));
  const resources = new Map(
    childElements(section)
      .flatMap((child) => [child, ...childElements(child)])
      .map((one) => [one.attributes['id'], one]),
  );
  return [
    ...members,
    ...implied.flatMap(({ name, kind, launcher, bundle }): readonly Named[] => {
      const at = resources.get(bundle ?? launcher ?? name);
      if (at === undefined || seen.has(name) || (bundle !== undefined && seen.has(bundle))) return [];
      seen.add(bundle ?? name);
      return [{ name, at, attribute: kind === 'guest' && bundle === undefined ? 'remote-node' : 'id' }];
    }),
  ];
}

/** Names that look the same have the same. */
function looksOf(name: string): string {
  return Array.from(name.normalize('NFKC').toLowerCase(), (character) => ALIKE.get(character) ?? character).join('');
}
