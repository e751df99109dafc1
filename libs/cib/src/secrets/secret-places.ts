import { descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import { agentNameOf } from '../findings/agent-findings.js';
import { isDefault, pairElements } from '../nvpairs/nvpair-sets.js';
import { placeOfChild, placeOfRoot, type Place } from '../schema/problem-path.js';
import { childElements, firstChildNamed, type XmlElement } from '../xml/element.js';
import { isSecretParameter, type SecretPatterns } from './secret-parameters.js';
import { secretReferenceIn, type SecretReference } from './secret-reference.js';

/** A parameter of an agent somewhere in a configuration: whose it is, and who is given it. */
export interface SecretPlace {
  /** Id of the resource, template or alert in which it is written. */
  readonly owner: string;
  readonly parameter: string;
  /** Agents (`ocf:heartbeat:pgsql`, `alert:/usr/local/bin/page`, sorted) that are given it because they stand in the owner; the program of a recipient is its alert's. */
  readonly agents: readonly string[];
}

/** A pair whose value is a secret, or stands for one. */
export interface SecretPair extends SecretPlace, Place {
  readonly pair: XmlElement;
  /** The element that the owner's id names. */
  readonly of: XmlElement;
  readonly value: string;
  /** What the value stands for; undefined: it is the secret itself. */
  readonly reference: SecretReference | 'malformed' | undefined;
}

/** Whose parameters are given to agents. */
const OWNERS: ReadonlySet<string> = new Set(['primitive', 'template', 'group', 'clone', 'master', 'bundle', 'alert', 'recipient']);
/** Whether an element's parameters are given to agents, its own or those of what it contains. */
export function isOwner({ name }: XmlElement): boolean {
  return OWNERS.has(name);
}

/** Sections in which sets of that name are something else: attributes of nodes. */
const WITHOUT_PARAMETERS: ReadonlySet<string> = new Set(['nodes', 'crm_config', 'constraints', 'acls']);

/**
 * All secrets of a configuration in the order of the document: parameters that are secret by their name, and whatever else is given as a reference. In whichever set they stand, of resources, templates, operations
 * and alerts, under whichever rule. What a set or a pair takes over by `id-ref` is written elsewhere, and found there; who does is found by `lentPairsIn`.
 */
export function secretsIn(document: XmlElement, patterns: SecretPatterns = []): readonly SecretPair[] {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) return [];
  const templates = templatesIn(configuration);
  const alerts = alertsOfRecipients(configuration);
  const agents = new Map<XmlElement, readonly string[]>();
  const given = (of: XmlElement): readonly string[] => {
    const known = agents.get(of) ?? agentsOf(alerts.get(of) ?? of, templates);
    agents.set(of, known);
    return known;
  };
  const isSecret = remembered((name) => isSecretParameter(name, patterns));
  const found: SecretPair[] = [];
  const walk = (element: XmlElement, place: Place, owner: XmlElement | undefined): void => {
    const around = OWNERS.has(element.name) && element.attributes['id'] !== undefined ? element : owner;
    if (element.name === 'instance_attributes' && around !== undefined) {
      for (const secret of secretsOfSet(element, place, around, patterns)) found.push({ ...secret, agents: given(around) });
      return;
    }
    const counts = new Map<string, number>();
    for (const child of childElements(element)) {
      const count = (counts.get(child.name) ?? 0) + 1;
      counts.set(child.name, count);
      // Of the thousands of children of a section few have any.
      if (mayHold(child) && (around !== undefined || mayHoldSecret(child, isSecret)))
        walk(child, placeOfChild(child, count, place), around);
    }
  };
  const root = placeOfRoot(configuration, '/cib/configuration');
  const counts = new Map<string, number>();
  for (const section of childElements(configuration)) {
    const count = (counts.get(section.name) ?? 0) + 1;
    counts.set(section.name, count);
    if (!WITHOUT_PARAMETERS.has(section.name)) walk(section, placeOfChild(section, count, root), undefined);
  }
  return found;
}

/** A pair that refers to a value which the server keeps. */
export type HeldPair = SecretPair & { readonly id: string };

const held = new WeakMap<XmlElement, readonly HeldPair[]>();
const NONE: readonly HeldPair[] = [];

/** The references of a configuration to values that the server keeps. Known with the configuration, so that they may be asked for at every look at it. */
export function heldPairsIn(document: XmlElement): readonly HeldPair[] {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) return NONE;
  const known = held.get(configuration);
  if (known !== undefined) return known;
  const found = secretsIn(document).flatMap((pair): readonly HeldPair[] => {
    const { reference } = pair;
    return typeof reference === 'object' && reference.kind === 'held' ? [{ ...pair, id: reference.id }] : [];
  });
  held.set(configuration, found);
  return found;
}

function mayHold({ name, children }: XmlElement): boolean {
  return children.length > 0 && name !== 'meta_attributes' && name !== 'utilization';
}

function mayHoldSecret(part: XmlElement, isSecret: (name: string) => boolean): boolean {
  const { names, refers } = parametersIn(part);
  return refers || names.some(isSecret);
}

/** The names of parameters that are given in a part, and whether one of the values is a reference. */
const parametersIn = perPart((part) => {
  const names = new Set<string>();
  let refers = false;
  for (const element of descendants(part)) {
    if (element.name !== 'instance_attributes') continue;
    for (const { attributes } of pairElements(element)) {
      if (attributes['name'] !== undefined) names.add(attributes['name']);
      refers ||= secretReferenceIn(attributes['value'] ?? '') !== undefined;
    }
  }
  return { names: [...names], refers };
});

function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const judged = new Map<string, boolean>();
  return (name) => {
    const known = judged.get(name) ?? judge(name);
    judged.set(name, known);
    return known;
  };
}

function* secretsOfSet(set: XmlElement, place: Place, of: XmlElement, patterns: SecretPatterns): Generator<Omit<SecretPair, 'agents'>> {
  const owner = of.attributes['id'] ?? '';
  for (const [index, pair] of pairElements(set).entries()) {
    const { name: parameter, value } = pair.attributes;
    if (parameter === undefined || value === undefined || value === '' || isDefault(value)) continue;
    const reference = secretReferenceIn(value);
    if (reference === undefined && !isSecretParameter(parameter, patterns)) continue;
    yield { owner, parameter, pair, of, value, reference, ...placeOfChild(pair, index + 1, place) };
  }
}

function templatesIn(configuration: XmlElement): ReadonlyMap<string, XmlElement> {
  const resources = firstChildNamed(configuration, 'resources');
  const templates = resources === undefined ? [] : childElements(resources).filter(({ name }) => name === 'template');
  return new Map(templates.map((template) => [template.attributes['id'] ?? '', template]));
}

function agentsOf(owner: XmlElement, templates: ReadonlyMap<string, XmlElement>): readonly string[] {
  const agents = new Set<string>();
  const add = (element: XmlElement): void => {
    const { template } = element.attributes;
    const agent = agentIn(template === undefined ? element : (templates.get(template) ?? element));
    if (agent !== undefined) agents.add(agent);
    for (const child of childElements(element)) if (OWNERS.has(child.name)) add(child);
  };
  add(owner);
  return [...agents].sort();
}

/** The alert whose program each recipient is told by. */
function alertsOfRecipients(configuration: XmlElement): ReadonlyMap<XmlElement, XmlElement> {
  const section = firstChildNamed(configuration, 'alerts');
  const alerts = section === undefined ? [] : childElements(section);
  return new Map(alerts.flatMap((alert) => childElements(alert).map((recipient) => [recipient, alert] as const)));
}

function agentIn({ name, attributes }: XmlElement): string | undefined {
  if (name === 'alert') return alertAgentKey(attributes['path'] ?? '');
  const { class: standard, provider, type } = attributes;
  return standard === undefined || type === undefined ? undefined : agentKey({ class: standard, provider, type });
}

/** An agent as secrets name it: standards are the same in capitals. */
export function agentKey({ class: standard, provider, type }: { class: string; provider?: string | undefined; type: string }): string {
  return agentNameOf({ class: standard.toLowerCase(), provider, type });
}

/** The program of an alert as secrets name it. */
export function alertAgentKey(path: string): string {
  return `alert:${path}`;
}
