import { alertMistakes } from '../alerts/alert-mistakes.js';
import { descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import { isDefault, pairElements } from '../nvpairs/nvpair-sets.js';
import { attributeMistakesIn, ELEMENTS_WITH_ATTRIBUTES } from '../options/attribute-mistakes.js';
import { notDialled } from '../options/connection-definitions.js';
import { BOOTSTRAP_OPTIONS_ID } from '../options/cluster-options.js';
import { repeatedFencingLevels, sameDevicesIn } from '../options/fencing-level-warnings.js';
import { isClusterOption, optionMistake, refusedOption, unknownOption } from '../options/option-mistake.js';
import { isRemoteEntry } from '../reading/nodes.js';
import { isConnectionAgent } from '../reading/remote-nodes.js';
import { posixPattern } from '../patterns/posix-pattern.js';
import { parseBoolean } from '../scalars/boolean.js';
import { placeOfChild, placeOfRoot, walkWithPlaces, type Place } from '../schema/problem-path.js';
import { isSecretParameter } from '../secrets/secret-parameters.js';
import { secretReferenceIn } from '../secrets/secret-reference.js';
import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';
import { impliedNodeFindings } from './implied-nodes.js';
import { nodeNameFindings } from './node-names.js';
import { operationFindings } from './operation-findings.js';
import { unknownNodes } from './unknown-nodes.js';
import { unmonitored } from './unmonitored.js';
import { unseenNames } from './unseen-characters.js';

/** What is found with an element, before its place is known. */
type Found = Pick<ConfigurationFinding, 'kind' | 'level' | 'attribute' | 'message' | 'meanwhile' | 'suggestion'> & {
  readonly at: XmlElement;
};

/** Sections whose children are looked at one by one. */
const BY_CHILD = ['crm_config', 'nodes', 'resources', 'constraints', 'tags', 'acls', 'alerts'];
/** Sections that are looked at as they are. */
const AS_WHOLE = ['rsc_defaults', 'op_defaults', 'fencing-topology'];

/**
 * What of a configuration is valid and does not do what it seems to say: names that nothing reads, texts that can't be read, operations that never
 * happen, and what is accepted but not done. In the order of the document. Names that tools keep for themselves are none: whole property sets of
 * their own, and in others whatever has an underscore in it.
 *
 * What was found in a part stays known with that part, and with its section, so that another look costs what was changed, and the number of parts of the sections that were.
 */
export function configurationFindings(configuration: XmlElement): readonly ConfigurationFinding[] {
  const found = childElements(configuration).flatMap(findingsInSection);
  const { line } = configuration;
  // A section that an upgrade made has no line of its own.
  return line === undefined ? found : found.map((finding) => (finding.line === undefined ? { ...finding, line } : finding));
}

/** Known with the section: mostly one of them is another one than before. */
const findingsInSection = perPart((section): readonly ConfigurationFinding[] => {
  const found: ConfigurationFinding[] = [];
  const place = placeOfChild(section, 1, { path: '/cib/configuration', line: undefined });
  if (AS_WHOLE.includes(section.name)) addFindings(found, section, place);
  if (BY_CHILD.includes(section.name)) {
    const counts = new Map<string, number>();
    for (const part of childElements(section)) {
      const count = (counts.get(part.name) ?? 0) + 1;
      counts.set(part.name, count);
      if (findingsInPart(part).length > 0) addFindings(found, part, placeOfChild(part, count, place));
    }
  }
  return found.length === 0 ? NOTHING : found;
});

/** The same of a whole document, with names of nodes that can't be theirs, the nodes that it names and nothing knows, those that it was meant to make, and the resources that nothing monitors. */
export function findingsOf(document: XmlElement): readonly ConfigurationFinding[] {
  const configuration = firstChildNamed(document, 'configuration');
  return configuration === undefined
    ? []
    : [
        ...configurationFindings(configuration),
        ...nodeNameFindings(document),
        ...unknownNodes(document),
        ...impliedNodeFindings(document),
        ...unmonitored(document),
      ];
}

/** Finds the same part by part, for whoever must not be held up: {@link findingsOf} costs the number of parts after that. */
export function* findByAndBy(document: XmlElement): Generator<undefined, undefined, undefined> {
  const configuration = firstChildNamed(document, 'configuration');
  for (const section of configuration === undefined ? [] : childElements(configuration)) {
    if (!BY_CHILD.includes(section.name)) continue;
    for (const part of childElements(section)) {
      if (known.has(part)) continue;
      findingsInPart(part);
      yield undefined;
    }
  }
  return undefined;
}

function addFindings(found: ConfigurationFinding[], part: XmlElement, { path, line }: Place): void {
  for (const finding of findingsInPart(part)) {
    found.push({ ...finding, path: `${path}${finding.path}`, ...(line === undefined ? {} : { line: finding.line ?? line }) });
  }
}

const known = new WeakMap<XmlElement, readonly ConfigurationFinding[]>();
const NOTHING: readonly ConfigurationFinding[] = [];

/** With paths that begin below the part. */
function findingsInPart(part: XmlElement): readonly ConfigurationFinding[] {
  const before = known.get(part);
  if (before !== undefined) return before;
  const found = new Map<XmlElement, readonly Found[]>();
  for (const element of descendants(part)) {
    const inSet = element.name === 'instance_attributes' && part.name !== 'node' ? clearSecretsIn(element) : [];
    for (const finding of inSet) found.set(finding.at, [...(found.get(finding.at) ?? []), finding]);
    for (const finding of [...unseenOf(element), ...(SPEAKING.has(element.name) ? foundIn(element) : [])]) {
      found.set(finding.at, [...(found.get(finding.at) ?? []), finding]);
    }
  }
  const result = found.size === 0 ? NOTHING : placed(part, found);
  known.set(part, result);
  return result;
}

/** Most parts have no findings, and no place is worked out for what is in them. */
function placed(part: XmlElement, found: ReadonlyMap<XmlElement, readonly Found[]>): readonly ConfigurationFinding[] {
  const result: ConfigurationFinding[] = [];
  const subjects = new Map<XmlElement, string>();
  walkWithPlaces(part, placeOfRoot(part, ''), (element, { path, line }) => {
    const subject = subjects.get(element) ?? subjectOf(element, undefined);
    for (const child of childElements(element)) subjects.set(child, subjectOf(child, subject));
    const { id } = element.attributes;
    for (const { at, ...finding } of found.get(element) ?? []) {
      result.push({
        ...finding,
        ...{ path, element: at.name, subject },
        ...(id === undefined ? {} : { id }),
        ...(line === undefined ? {} : { line }),
      });
    }
  });
  return result;
}

const RESOURCES = new Set(['primitive', 'group', 'clone', 'bundle', 'template']);

function subjectOf({ name, attributes }: XmlElement, parent: string | undefined): string {
  const { id = name } = attributes;
  if (name === 'node') return attributes['uname'] ?? id;
  if (RESOURCES.has(name)) return id;
  if (name === 'op') return `${parent ?? id}, operation ${attributes['name'] ?? id}`;
  return parent ?? id;
}

/** Elements that something may be found in, themselves or their pairs. */
const SPEAKING: ReadonlySet<string> = new Set([
  ...ELEMENTS_WITH_ATTRIBUTES,
  ...['cluster_property_set', 'operations', 'rsc_colocation', 'rsc_location', 'fencing-topology', 'fencing-level', 'alert', 'recipient'],
]);

function* foundIn(element: XmlElement): Generator<Found> {
  for (const mistake of attributeMistakesIn(element)) {
    const { element: at, kind, attribute, message, meanwhile, suggestion, mayBeMeant } = mistake;
    const level = mayBeMeant ? 'warning' : 'error';
    yield { at, kind, level, attribute, message, meanwhile, ...(suggestion === undefined ? {} : { suggestion }) };
  }
  switch (element.name) {
    case 'primitive':
    case 'template':
      if (isConnectionAgent(element.attributes)) yield* addressesIn(element);
      break;
    case 'cluster_property_set':
      yield* optionsIn(element);
      break;
    case 'operations':
      yield* operationFindings(element);
      break;
    case 'alert':
    case 'recipient':
      for (const mistake of alertMistakes(element)) yield { level: 'warning', ...mistake };
      break;
    case 'rsc_colocation':
      yield* influenceOf(element);
      break;
    case 'rsc_location':
      yield* patternOf(element, 'rsc-pattern', element.attributes['rsc-pattern']?.replace(/^!/, ''));
      break;
    case 'fencing-level':
      yield* patternOf(element, 'target-pattern', element.attributes['target-pattern']);
      break;
    case 'fencing-topology':
      for (const { levels, message, meanwhile } of repeatedFencingLevels(element)) {
        const [, at = element] = levels;
        const again = sameDevicesIn(levels);
        for (const each of again)
          yield { ...each, kind: 'repeated-fencing-level', level: 'error', attribute: 'devices', meanwhile: 'they are tried twice' };
        if (levels.length - again.length > 1)
          yield { at, kind: 'repeated-fencing-level', level: 'warning', attribute: 'index', message, meanwhile };
      }
      break;
  }
}

function* clearSecretsIn(set: XmlElement): Generator<Found> {
  for (const at of pairElements(set)) {
    const { name, value } = at.attributes;
    if (name === undefined || value === undefined || value === '' || isDefault(value)) continue;
    if (!isSecretParameter(name) || secretReferenceIn(value) !== undefined) continue;
    yield {
      ...{ at, kind: 'clear-secret', level: 'warning', attribute: 'value' },
      message: `${name} is a secret, and stands in clear: write its resource once more, and the server keeps it apart; what the log has kept of it stays there, so give it another value`,
      meanwhile: 'everybody who may read the configuration reads it',
    };
  }
}

function* addressesIn(connection: XmlElement): Generator<Found> {
  for (const at of childrenNamed(connection, 'instance_attributes').flatMap(pairElements)) {
    const message = notDialled(at.attributes['name'] ?? '');
    if (message !== undefined) yield { at, kind: 'not-done', level: 'warning', attribute: 'name', message, meanwhile: 'it has no effect' };
  }
}

function* optionsIn(set: XmlElement): Generator<Found> {
  for (const at of pairElements(set)) {
    const { name, value } = at.attributes;
    if (name === undefined || value === undefined || isDefault(value)) continue;
    const mistake = optionMistake(name, value);
    if (mistake !== undefined) {
      yield { at, level: 'error', ...mistake };
      continue;
    }
    const refused = refusedOption(name, value);
    if (refused !== undefined) {
      const message = `${name}: ${refused}: leave it out`;
      yield { at, kind: 'not-done', level: 'error', attribute: 'value', message, meanwhile: 'it has no effect' };
      continue;
    }
    if (isClusterOption(name) || isPrivate(name, set)) continue;
    const { message, suggestion } = unknownOption(name);
    yield {
      ...{ at, kind: 'unknown-name', level: 'error', attribute: 'name', message, meanwhile: 'it has no effect' },
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  }
}

/** Resource agents and tools keep what they need among the cluster's options. */
function isPrivate(name: string, set: XmlElement): boolean {
  return set.attributes['id'] !== BOOTSTRAP_OPTIONS_ID || name.includes('_');
}

/**
 * Of every element: names that can't be told from others by whoever looks at them. The entry of a remote node repeats a name that is told where the node is made: with its first attribute nothing
 * is wrong that was not before.
 */
function unseenOf(at: XmlElement): readonly Found[] {
  const { id, uname = id } = at.attributes;
  const toldElsewhere = isRemoteEntry(at) ? uname : undefined;
  return unseenNames(at)
    .filter(({ attribute }) => toldElsewhere === undefined || at.attributes[attribute] !== toldElsewhere)
    .map(({ attribute, character, shown }) => ({
      ...{ at, kind: 'unseen-character', level: 'error', attribute },
      message: `${attribute}: "${shown}" holds ${character}, which can't be seen: write it without`,
      meanwhile: 'it is another name than the one that it looks like',
    }));
}

/** A pattern that is none matches nothing. */
function* patternOf(at: XmlElement, attribute: string, pattern: string | undefined): Generator<Found> {
  if (pattern === undefined || posixPattern(pattern) !== undefined) return;
  yield {
    ...{ at, kind: 'unreadable-value', level: 'error', attribute },
    message: `${attribute}: "${pattern.slice(0, 80)}" is no regular expression, or too large a one: use a POSIX extended one, without back references`,
    meanwhile: 'it matches nothing',
  };
}

function* influenceOf(constraint: XmlElement): Generator<Found> {
  const { influence } = constraint.attributes;
  if (influence === undefined || parseBoolean(influence) !== undefined) return;
  yield {
    ...{ at: constraint, kind: 'unreadable-value', level: 'error', attribute: 'influence' },
    message: `influence: "${influence.slice(0, 80)}" can't be read: use true or false`,
    meanwhile: 'it counts as not given',
  };
}
