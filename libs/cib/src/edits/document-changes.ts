import { applyPatch } from '../patches/apply-patch.js';
import { element, firstChildNamed, holdsMoreThan, type XmlElement, type XmlNode } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { XmlError } from '../xml/xml-error.js';
import { replaceElement } from './replace-element.js';

/**
 * A change of the configuration as `cibadmin` asks for it. An element is found by its name and id; one without an id, e.g. a section, by its name alone.
 * - `create`: becomes a child of `within`;
 * - `modify`: the element gets the attributes that are given, and so do its children, at all depths; those that it does not have yet become its children. With `allowCreate`
 *   what is not there is created;
 * - `replace`: the element becomes the given one, with nothing of what it was;
 * - `delete`: the first element of that name that has all attributes that are given; where there is none, nothing is done;
 * - `patch`: what a patch between whole documents changes of the configuration; all that it finds must be there.
 */
export interface DocumentChange {
  /** `patch`: what differs between two documents, see `applyPatch`. */
  readonly operation: 'create' | 'modify' | 'replace' | 'delete' | 'patch';
  readonly xml: string;
  /** Only there: the name of a section of the configuration, or the id of an element. */
  readonly within?: string;
  readonly allowCreate?: true;
}

/** Why a change can't be made. */
export interface DocumentChangeFault {
  readonly kind: 'not-found' | 'exists' | 'invalid';
  readonly message: string;
  /** Which of the changes, from 0. */
  readonly index: number;
}

export type ChangedDocument =
  { readonly ok: true; readonly configuration: XmlElement } | { readonly ok: false; readonly fault: DocumentChangeFault };

/** Makes changes one after the other, all or none. What comes of them is not looked at: whoever asks validates the whole. */
export function changeDocument(configuration: XmlElement, changes: readonly DocumentChange[]): ChangedDocument {
  let changed = configuration;
  for (const [index, change] of changes.entries()) {
    const next = applied(changed, change);
    if ('kind' in next && next.kind !== 'element') return { ok: false, fault: { ...next, index } };
    changed = next;
  }
  return { ok: true, configuration: changed };
}

type Fault = Omit<DocumentChangeFault, 'index'>;

function applied(configuration: XmlElement, { operation, xml, within, allowCreate }: DocumentChange): XmlElement | Fault {
  const read = readXml(xml);
  if (read.kind !== 'element') return read;
  if (operation === 'patch') return patched(configuration, read);
  // Of a whole document the configuration is meant: status is what agents report.
  const given = read.name === 'cib' ? (firstChildNamed(read, 'configuration') ?? read) : read;
  const scope = within === undefined ? configuration : placeNamed(configuration, within);
  if (scope === undefined && (operation !== 'delete' || within === undefined)) {
    return { kind: 'not-found', message: `the configuration has no section and no element ${within ?? ''}` };
  }
  if (scope === undefined) return configuration;
  switch (operation) {
    case 'create':
      return created(configuration, given, scope, within);
    case 'modify': {
      const found = elementLike(scope, given);
      if (found !== undefined) return put(configuration, found, merged(found, given));
      return allowCreate === true ? created(configuration, given, scope, within) : notFound(given);
    }
    case 'replace': {
      const found = elementLike(scope, given);
      return found === undefined ? notFound(given) : put(configuration, found, given);
    }
    case 'delete': {
      const found = find(scope, (one) => one !== configuration && one.name === given.name && hasAll(one, given.attributes));
      return found === undefined ? configuration : replaceElement(configuration, found, undefined);
    }
  }
}

/** Of a patch between whole documents what is of the configuration: status is what agents report. */
function patched(configuration: XmlElement, patch: XmlElement): XmlElement | Fault {
  const next = applyPatch(element('cib', {}, [configuration, element('status')]), patch);
  if (next.kind !== 'element') return next;
  const after = firstChildNamed(next, 'configuration');
  const status = firstChildNamed(next, 'status');
  if (after === undefined || status === undefined || holdsMoreThan(status, 0))
    return { kind: 'invalid', message: 'the patch does not leave the configuration, or writes to status, which is what agents report' };
  return after;
}

function readXml(xml: string): XmlElement | Fault {
  try {
    return parseXml(xml);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { kind: 'invalid', message: error.message };
  }
}

function created(configuration: XmlElement, given: XmlElement, scope: XmlElement, within: string | undefined): XmlElement | Fault {
  // A section that is there is no parent of another one of its name: its children are meant, as Pacemaker's tools have it.
  const isItself = scope.name === given.name && scope.attributes['id'] === given.attributes['id'];
  if (isItself) return put(configuration, scope, merged(scope, given));
  if (within === undefined) return notFound(given);
  const { id } = given.attributes;
  const same = id === undefined ? undefined : find(configuration, (one) => one.attributes['id'] === id);
  if (same !== undefined) {
    return { kind: 'exists', message: `there is a <${same.name}> with the id "${id ?? ''}" already: modify it, or choose another id` };
  }
  return put(configuration, scope, { ...scope, children: [...scope.children, given] });
}

function notFound({ name, attributes: { id } }: XmlElement): Fault {
  return { kind: 'not-found', message: `the configuration has no <${name}>${id === undefined ? '' : ` with the id "${id}"`}` };
}

/** A section by its name, or any element by its id. */
function placeNamed(configuration: XmlElement, name: string): XmlElement | undefined {
  if (name === configuration.name) return configuration;
  return firstChildNamed(configuration, name) ?? find(configuration, (one) => one.attributes['id'] === name);
}

/** What is meant by an element: of its name and id, or of its name where it has no id. */
function elementLike(scope: XmlElement, { name, attributes: { id } }: XmlElement): XmlElement | undefined {
  return find(scope, (one) => one.name === name && (id === undefined || one.attributes['id'] === id));
}

function hasAll(one: XmlElement, attributes: XmlElement['attributes']): boolean {
  return Object.entries(attributes).every(([name, value]) => one.attributes[name] === value);
}

/** The configuration with another element in the place of one of its own, or of itself. */
function put(configuration: XmlElement, target: XmlElement, by: XmlElement): XmlElement {
  return target === configuration ? by : replaceElement(configuration, target, by);
}

/** The first in document order; the root itself, too. */
function find(root: XmlElement, isMeant: (one: XmlElement) => boolean): XmlElement | undefined {
  if (isMeant(root)) return root;
  for (const child of root.children) {
    const found = child.kind === 'element' ? find(child, isMeant) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An element with what another one says of it; children are told by name and id. */
function merged(present: XmlElement, given: XmlElement): XmlElement {
  const children: XmlNode[] = [...present.children];
  for (const child of given.children) {
    if (child.kind !== 'element') continue;
    const at = children.findIndex(
      (one) => one.kind === 'element' && one.name === child.name && one.attributes['id'] === child.attributes['id'],
    );
    const same = children[at];
    if (same?.kind === 'element') children[at] = merged(same, child);
    else children.push(child);
  }
  return { ...present, attributes: { ...present.attributes, ...given.attributes }, children };
}
