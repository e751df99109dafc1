import { CibIndex, descendants } from '../document/cib-index.js';
import type { CibProblem } from '../document/cib-refused.js';
import { isDefault, pairElements } from '../nvpairs/nvpair-sets.js';
import { WATCHDOG_DEVICE_ID } from '../options/fence-device-definitions.js';
import { attributeMistakesIn } from '../options/attribute-mistakes.js';
import { isOwnOption, optionMistake } from '../options/option-mistake.js';
import { parseInterval } from '../scalars/interval.js';
import { parseRole } from '../scalars/role.js';
import { childrenNamed, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { NO_SCHEMA } from './schema-names.js';
import { placeOfRoot, walkWithPlaces, type Place } from './problem-path.js';

/**
 * Options of Systole's own that are unknown or wrong: they decide about the safety of data, so that no document is taken in with them, also none that asks
 * not to be validated. (Pacemaker's own fall back to their defaults, as its specification says, and a warning says so.)
 */
export function findOptionMistakes(document: XmlElement): CibProblem[] {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) return [];
  const index = new CibIndex(document);
  const problems: CibProblem[] = [];
  const options = new Set<XmlElement>();
  walkWithPlaces(configuration, placeOfRoot(configuration, '/cib/configuration'), (element, { path, line }) => {
    if (element.name === 'cluster_property_set') for (const pair of pairElements(element)) options.add(pair);
    if (!options.has(element)) return;
    const { name, value } = index.resolve(element)?.attributes ?? {};
    if (name === undefined || value === undefined || !isOwnOption(name) || isDefault(value)) return;
    const mistake = optionMistake(name, value);
    if (mistake !== undefined)
      problems.push({
        path,
        element: element.name,
        id: element.attributes['id'],
        line,
        attribute: mistake.attribute,
        message: mistake.message,
      });
  });
  return problems;
}

/**
 * What a valid configuration surely doesn't mean: references that lead nowhere or to something of the wrong kind, two nodes of one name or id,
 * empty names, rules without effect, numbers and conditions that can't be read. The scheduler's own reading passes over all of it (specification 01 §9); whoever submits it has mistyped
 * something, and nothing would tell.
 */
export function findMistakes(document: XmlElement): CibProblem[] {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined || document.attributes['validate-with'] === NO_SCHEMA) return [];
  const place = placeOfRoot(configuration, '/cib/configuration');
  return mistakesBelow(configuration, place, new ReferenceTargets(configuration), new RepeatedNodes());
}

/** What is found in a part of a configuration by itself, and what has to be there in the whole. */
export interface ExaminedPart {
  readonly mistakes: readonly CibProblem[];
  /** What it makes exist for references. */
  readonly offers: readonly string[];
  /** What its references lead to, each in the words of `offers`. */
  readonly asks: readonly string[];
  /** Names and ids of nodes, each in words of its own; no other part may have them. */
  readonly nodes: readonly string[];
}

/** Examines one child of a section by itself, or a configuration of which parts are left out. @param section name of the section that a child stands in */
export function examinePart(part: XmlElement, section?: string): ExaminedPart {
  const asked = new AskedTargets();
  const nodes = new RepeatedNodes();
  const mistakes = mistakesBelow(part, placeOfRoot(part, ''), asked, nodes);
  const targets = new ReferenceTargets(part, section === 'resources' ? [part] : undefined);
  return { mistakes, offers: targets.offers(), asks: asked.asks, nodes: nodes.keys() };
}

function mistakesBelow(root: XmlElement, rootPlace: Place, targets: Targets, nodes: RepeatedNodes): CibProblem[] {
  const problems: CibProblem[] = [];
  const unreadable = new Map<XmlElement, Mistake[]>();
  walkWithPlaces(root, rootPlace, (element, { path, line }) => {
    // Of meta-attributes the pair is found when its owner is walked, which comes first.
    for (const { element: at, attribute, message, harmful } of attributeMistakesIn(element)) {
      if (harmful) unreadable.set(at, [...(unreadable.get(at) ?? []), { attribute, message }]);
    }
    const mistakes = [
      unreadable.get(element) ?? [],
      danglingIn(element, targets),
      nodes.repeatedIn(element, line),
      unsupportedIn(element),
      emptyIn(element),
      unreadableIn(element),
      uselessRuleIn(element),
      tooLargeIn(element),
    ];
    for (const { attribute, message } of mistakes.flatMap((found) => [...found])) {
      problems.push({ path, element: element.name, id: element.attributes['id'], line, attribute, message });
    }
  });
  return problems;
}

interface Mistake {
  readonly attribute: string;
  readonly message: string;
}

/** Attributes by which an element names resources, templates or tags. */
const RESOURCE_REFERENCES: Readonly<Record<string, readonly string[]>> = {
  rsc_location: ['rsc'],
  rsc_colocation: ['rsc', 'with-rsc'],
  rsc_order: ['first', 'then'],
  rsc_ticket: ['rsc'],
  resource_ref: ['id'],
};

function* danglingIn(element: XmlElement, targets: Targets): Generator<Mistake> {
  const { attributes, name } = element;
  const reference = attributes['id-ref'];
  if (reference !== undefined && !targets.has(name, reference)) {
    yield { attribute: 'id-ref', message: `there is no <${name}> with the id "${reference}"` };
  }
  if (Object.hasOwn(RESOURCE_REFERENCES, name)) {
    for (const attribute of RESOURCE_REFERENCES[name] ?? []) {
      const id = attributes[attribute];
      if (id === undefined || targets.isResource(id)) continue;
      yield {
        attribute,
        message: `${attribute}: there is no resource, template or tag "${id}", so this could have no effect`,
      };
    }
  }
  if (name === 'primitive' && attributes['template'] !== undefined && !targets.isTemplate(attributes['template'])) {
    yield { attribute: 'template', message: `there is no template "${attributes['template']}" in resources` };
  }
  if (name === 'obj_ref' && attributes['id'] !== undefined && !targets.hasId(attributes['id'])) {
    yield { attribute: 'id', message: `nothing has the id "${attributes['id']}"` };
  }
  if (name === 'role' && attributes['id'] !== undefined && !targets.has('acl_role', attributes['id'])) {
    yield { attribute: 'id', message: `there is no acl_role "${attributes['id']}"` };
  }
  if (name === 'acl_permission' && attributes['reference'] !== undefined && !targets.hasId(attributes['reference'])) {
    yield { attribute: 'reference', message: `nothing has the id "${attributes['reference']}"` };
  }
  if (name === 'fencing-level') {
    for (const device of (attributes['devices'] ?? '').split(',').map((part) => part.trim())) {
      if (device === '' || device === WATCHDOG_DEVICE_ID || targets.isResource(device)) continue;
      yield { attribute: 'devices', message: `devices: there is no resource "${device}"` };
    }
  }
}

/** Node ids are no XML ids: they are unique among nodes only, and so are names, whose case doesn't count. */
class RepeatedNodes {
  private readonly taken = { id: new Map<string, number | undefined>(), uname: new Map<string, number | undefined>() };

  *repeatedIn({ name, attributes }: XmlElement, line: number | undefined): Generator<Mistake> {
    if (name !== 'node') return;
    for (const attribute of ['id', 'uname'] as const) {
      const value = attributes[attribute];
      if (value === undefined) continue;
      const key = attribute === 'uname' ? value.toLowerCase() : value;
      const taken = this.taken[attribute];
      const first = taken.get(key);
      const where = first === undefined ? '' : ` on line ${first}`;
      if (taken.has(key)) yield { attribute, message: `${attribute}: "${value}" is taken by <node>${where}: choose another` };
      else taken.set(key, line);
    }
  }

  keys(): readonly string[] {
    const { id, uname } = this.taken;
    return [...[...id.keys()].map((key) => `id ${key}`), ...[...uname.keys()].map((key) => `uname ${key}`)];
  }
}

function* unsupportedIn({ name, attributes }: XmlElement): Generator<Mistake> {
  if ((name !== 'primitive' && name !== 'template') || attributes['class'] !== 'heartbeat') return;
  yield { attribute: 'class', message: 'class: resources of class heartbeat can not be run: use ocf, lsb, systemd, service or stonith' };
}

/** Longest text that Linux passes to a program, the variable's name, `=` and the closing NUL included, bytes (execve(2), MAX_ARG_STRLEN). */
const LONGEST_VARIABLE = 131_072;
/** What stands before a parameter's name in the agent's environment, at its longest, and `=` and NUL after. */
const AROUND_VARIABLE = 'OCF_RESKEY_CRM_meta_=0'.length;
/** Most bytes in all parameters of one resource: half of what Linux passes to a program with the usual limit of the stack. */
const MOST_PARAMETERS = 1_048_576;

/** Parameters become environment variables of the resource agent: one that the system can't pass on would fail each operation, node after node. */
function* tooLargeIn(element: XmlElement): Generator<Mistake> {
  const { name, attributes } = element;
  if (name === 'nvpair') {
    const bytes = pairBytes(element);
    if (bytes <= LONGEST_VARIABLE) return;
    const most = LONGEST_VARIABLE - (bytes - utf8Bytes(attributes['value'] ?? ''));
    yield { attribute: 'value', message: `value: has more than ${most} bytes, the most that a program can be given: put it into a file` };
  }
  if (name !== 'primitive' && name !== 'template') return;
  let total = 0;
  for (const set of childrenNamed(element, 'instance_attributes')) {
    for (const pair of childrenNamed(set, 'nvpair')) total += pairBytes(pair);
  }
  if (total > MOST_PARAMETERS) {
    yield {
      attribute: 'id',
      message: `its parameters have ${total} bytes in all; a program can be given ${MOST_PARAMETERS}: put some into files`,
    };
  }
}

function pairBytes({ attributes }: XmlElement): number {
  return utf8Bytes(attributes['name'] ?? '') + utf8Bytes(attributes['value'] ?? '') + AROUND_VARIABLE;
}

const utf8 = new TextEncoder();

function utf8Bytes(text: string): number {
  return utf8.encode(text).length;
}

/** Attributes that name something, so that an empty text names nothing. */
const NAMING = new Set([
  ...['id', 'id-ref', 'uname', 'node', 'name', 'class', 'provider', 'type', 'template', 'attribute', 'node-attribute', 'score-attribute'],
  ...[
    'rsc',
    'rsc-pattern',
    'with-rsc',
    'first',
    'then',
    'ticket',
    'start',
    'end',
    'target',
    'target-pattern',
    'target-attribute',
    'devices',
  ],
  ...['xpath', 'reference', 'object-type', 'path', 'image', 'ip-range-start', 'host-interface', 'host-netmask', 'range'],
  ...['target-dir', 'source-dir', 'source-dir-root'],
]);

function* emptyIn({ name, attributes }: XmlElement): Generator<Mistake> {
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === '' && (NAMING.has(attribute) || (name === 'recipient' && attribute === 'value')))
      yield { attribute, message: `${attribute}: must not be empty` };
  }
}

/** Lowest and highest sensible number of an attribute. */
const BOUNDS: Readonly<Record<string, readonly [low: number, high: number]>> = {
  replicas: [0, Infinity],
  'replicas-per-host': [0, Infinity],
  'promoted-max': [0, Infinity],
  'control-port': [1, 65_535],
  port: [1, 65_535],
  'internal-port': [1, 65_535],
};

/** A rule that the scheduler would pass over (specification 04 §4.3). */
function* uselessRuleIn({ name, children }: XmlElement): Generator<Mistake> {
  if (name !== 'rsc_location') return;
  for (const child of children) {
    if (child.kind !== 'element' || child.name !== 'rule') continue;
    const { role, score, 'score-attribute': scoreAttribute, 'id-ref': reference } = child.attributes;
    if (reference === undefined && score === undefined && scoreAttribute === undefined)
      yield { attribute: 'score', message: '<rule> needs a score or a score-attribute' };
    if (role !== undefined && parseRole(role) === undefined)
      yield { attribute: 'role', message: `role: "${role}" is no role: use Stopped, Started, Unpromoted or Promoted` };
  }
}

/** A number out of its bounds, or a condition whose parts are no numbers, ranges or texts to compare with. */
function* unreadableIn({ name, attributes }: XmlElement): Generator<Mistake> {
  if (name === 'docker' || name === 'podman' || name === 'network' || name === 'port-mapping') {
    for (const [attribute, [low, high]] of Object.entries(BOUNDS)) {
      const value = attributes[attribute];
      if (value === undefined || (/^\s*\+?\d+\s*$/.test(value) && Number(value) >= low && Number(value) <= high)) continue;
      yield { attribute, message: `${attribute}: "${value}" is no integer from ${low} ${high === Infinity ? 'on' : `to ${high}`}` };
    }
  }
  if (name === 'op_expression' && attributes['interval'] !== undefined && parseInterval(attributes['interval']) === undefined) {
    yield { attribute: 'interval', message: `interval: "${attributes['interval']}" is no interval: use e.g. 10s, 5min or PT1M` };
  }
  if (name === 'duration' || name === 'date_spec') {
    const readable = name === 'duration' ? /^[+-]?\d+$/ : /^(?:\d+(?:-\d*)?|-\d+)$/;
    const form = name === 'duration' ? 'integer' : 'range: use e.g. 9, 9-16, 9- or -16';
    for (const [attribute, value] of Object.entries(attributes)) {
      if (attribute !== 'id' && !readable.test(value)) yield { attribute, message: `${attribute}: "${value}" is no ${form}` };
    }
  }
  if (name === 'expression' && attributes['operation'] !== undefined) {
    const comparing = !attributes['operation'].trim().endsWith('defined');
    if (comparing && attributes['value'] === undefined)
      yield { attribute: 'value', message: '<expression> needs a value with this operation' };
    if (!comparing && attributes['value'] !== undefined) {
      yield { attribute: 'value', message: '<expression> must have no value with this operation' };
    }
  }
}

const RESOURCE_NAMES = new Set(['primitive', 'group', 'clone', 'bundle']);

/** What references may lead to. */
interface Targets {
  has(name: string, id: string): boolean;
  hasId(id: string): boolean;
  /** A resource, or a name for several: a template or a tag. */
  isResource(id: string): boolean;
  isTemplate(id: string): boolean;
}

/** What is in a configuration. */
class ReferenceTargets implements Targets {
  private readonly idsByName = new Map<string, Set<string>>();
  private readonly ids = new Set<string>();
  private readonly resources = new Set<string>();
  private readonly templates = new Set<string>();

  /** @param inResources what stands directly in the section of resources */
  constructor(root: XmlElement, inResources: readonly XmlNode[] = firstChildNamed(root, 'resources')?.children ?? []) {
    for (const element of descendants(root)) {
      const { id } = element.attributes;
      if (id === undefined) continue;
      const named = this.idsByName.get(element.name);
      if (named === undefined) this.idsByName.set(element.name, new Set([id]));
      else named.add(id);
      // These only refer to an id and don't make it exist.
      if (element.name !== 'obj_ref' && element.name !== 'resource_ref' && element.name !== 'role') this.ids.add(id);
      if (RESOURCE_NAMES.has(element.name) || element.name === 'tag') this.resources.add(id);
    }
    for (const node of inResources) {
      if (node.kind !== 'element' || node.name !== 'template' || node.attributes['id'] === undefined) continue;
      this.templates.add(node.attributes['id']);
      this.resources.add(node.attributes['id']);
    }
  }

  has(name: string, id: string): boolean {
    return this.idsByName.get(name)?.has(id) === true;
  }

  hasId(id: string): boolean {
    return this.ids.has(id);
  }

  isResource(id: string): boolean {
    return this.resources.has(id);
  }

  isTemplate(id: string): boolean {
    return this.templates.has(id);
  }

  /** All of it, in the words of {@link AskedTargets}. */
  offers(): readonly string[] {
    return [
      ...[...this.idsByName].flatMap(([name, ids]) => [...ids].map((id) => asked.named(name, id))),
      ...[...this.ids].map(asked.any),
      ...[...this.resources].map(asked.resource),
      ...[...this.templates].map(asked.template),
    ];
  }
}

const asked = {
  named: (name: string, id: string): string => `${name} ${id}`,
  any: (id: string): string => `* ${id}`,
  resource: (id: string): string => `resource: ${id}`,
  template: (id: string): string => `template: ${id}`,
};

/** Has everything, and notes what it was asked for. */
class AskedTargets implements Targets {
  readonly asks: string[] = [];

  has(name: string, id: string): boolean {
    return this.noted(asked.named(name, id));
  }

  hasId(id: string): boolean {
    return this.noted(asked.any(id));
  }

  isResource(id: string): boolean {
    return this.noted(asked.resource(id));
  }

  isTemplate(id: string): boolean {
    return this.noted(asked.template(id));
  }

  private noted(ask: string): true {
    this.asks.push(ask);
    return true;
  }
}
