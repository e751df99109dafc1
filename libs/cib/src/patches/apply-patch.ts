import { replaceElement } from '../edits/replace-element.js';
import { childrenNamed, type XmlElement, type XmlNode } from '../xml/element.js';
import { COMMENT_STEP, isAt, stepsOf } from './patch-paths.js';

/** Why a patch does not fit a document. */
export interface DocumentPatchFault {
  readonly kind: 'not-found' | 'invalid';
  readonly message: string;
}

/**
 * A document with a patch applied, as `crm_diff` writes it (`<diff format="2">`): what is deleted or has other attributes first, then what comes or
 * moves, each to its place among its new siblings. Attributes of the root itself, the versions of a CIB, are left as they are.
 */
export function applyPatch(document: XmlElement, patch: XmlElement): XmlElement | DocumentPatchFault {
  if (patch.name !== 'diff' || patch.attributes['format'] !== '2')
    return { kind: 'invalid', message: 'a patch is a <diff format="2">, as crm_diff writes it' };
  let patched = document;
  const placed: Placed[] = [];
  for (const change of childrenNamed(patch, 'change')) {
    const next = applied(patched, change, placed);
    if (next.kind !== 'element') return next;
    patched = next;
  }
  return withPlaced(patched, placed);
}

/** What is to stand at a place among the children of an element. */
interface Placed {
  /** What is made, or the path of what moves. */
  readonly node: XmlNode | string;
  readonly parent: string;
  /** Among all children, from 0. */
  readonly position: number;
}

function applied(document: XmlElement, { attributes, children }: XmlElement, placed: Placed[]): XmlElement | DocumentPatchFault {
  const { operation = '', path = '', position = '' } = attributes;
  switch (operation) {
    case 'create': {
      const [node] = children;
      if (node === undefined || !/^\d+$/.test(position)) return invalid(`what is created at ${path} has no place, or is nothing`);
      placed.push({ node, parent: path, position: Number(position) });
      return document;
    }
    case 'delete':
      return withoutAt(document, path, position);
    case 'move': {
      const found = elementAt(document, path);
      if (found === undefined) return missing(path);
      if (found === document || !/^\d+$/.test(position)) return invalid(`${path} can't be moved there`);
      placed.push({ node: path, parent: path.slice(0, path.lastIndexOf('/')), position: Number(position) });
      return document;
    }
    case 'modify':
      return modified(document, path, children);
    default:
      return invalid(`"${operation}" is no operation of a patch: create, delete, modify or move`);
  }
}

function modified(document: XmlElement, path: string, children: readonly XmlNode[]): XmlElement | DocumentPatchFault {
  const result = children.find((child): child is XmlElement => child.kind === 'element' && child.name === 'change-result');
  const after = result?.children.find((child): child is XmlElement => child.kind === 'element');
  if (after === undefined) return invalid(`the change of ${path} has no change-result`);
  const found = elementAt(document, path);
  if (found === undefined) return missing(path);
  return found === document ? document : replaceElement(document, found, { ...found, attributes: after.attributes });
}

function withoutAt(document: XmlElement, path: string, position: string): XmlElement | DocumentPatchFault {
  const cut = path.lastIndexOf('/');
  if (path.slice(cut + 1) === COMMENT_STEP && position !== '') {
    const parent = elementAt(document, path.slice(0, cut));
    if (parent?.children[Number(position)]?.kind !== 'comment') return missing(`${path} ${position}`);
    const without = { ...parent, children: parent.children.toSpliced(Number(position), 1) };
    return parent === document ? without : replaceElement(document, parent, without);
  }
  const found = elementAt(document, path);
  if (found === undefined) return missing(path);
  return found === document ? invalid('the whole document can not be deleted') : replaceElement(document, found, undefined);
}

/** What moves is taken out first, from within outwards; then all is put in its place, from without inwards, and whoever stands in front comes first, so that each place is the one that it has in the end. */
function withPlaced(document: XmlElement, placed: readonly Placed[]): XmlElement | DocumentPatchFault {
  let patched = document;
  const taken = new Map<Placed, XmlNode>();
  for (const one of [...placed].sort((a, b) => depth(b) - depth(a))) {
    if (typeof one.node !== 'string') {
      taken.set(one, one.node);
      continue;
    }
    const found = elementAt(patched, one.node);
    if (found === undefined) return missing(one.node);
    taken.set(one, found);
    patched = replaceElement(patched, found, undefined);
  }
  for (const one of [...placed].sort((a, b) => depth(a) - depth(b) || a.position - b.position)) {
    const parent = elementAt(patched, one.parent);
    const node = taken.get(one);
    if (parent === undefined || node === undefined) return missing(one.parent);
    const whole = { ...parent, children: parent.children.toSpliced(one.position, 0, node) };
    patched = parent === patched ? whole : replaceElement(patched, parent, whole);
  }
  return patched;
}

function depth({ parent }: Placed): number {
  return stepsOf(parent)?.length ?? 0;
}

function elementAt(document: XmlElement, path: string): XmlElement | undefined {
  const [root, ...steps] = stepsOf(path) ?? [];
  if (root === undefined || !isAt(root, document)) return undefined;
  let at: XmlElement | undefined = document;
  for (const step of steps) {
    const named: readonly XmlElement[] = childrenNamed(at, step.name).filter((child) => isAt(step, child));
    at = step.id === undefined ? (named.find(({ attributes: { id } }) => id === undefined) ?? named[0]) : named[0];
    if (at === undefined) return undefined;
  }
  return at;
}

function missing(path: string): DocumentPatchFault {
  return { kind: 'not-found', message: `the patch does not fit: there is no ${path}` };
}

function invalid(message: string): DocumentPatchFault {
  return { kind: 'invalid', message };
}
