import type { XmlElement, XmlNode } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { COMMENT_KIND, ElementChangeError } from './element-change.js';
import type { ElementChange } from './element-change.js';
import { keyOf, parsePath, stepKey } from './element-path.js';

/** What came of changes that were applied ahead of time, and to what document. */
const applied = new WeakMap<readonly ElementChange[], { readonly document: XmlElement; readonly result: XmlElement }>();

/** Changes between two pauses of `applyingElementChanges`: they take about a millisecond. */
const IN_ONE_STEP = 64;

/**
 * Applies changes to a document, in their order; those of one parent that stand together are applied at once, so that their positions
 * are the ones in the result. Everything that no change names is shared with the given document.
 *
 * @throws {ElementChangeError} when a change names an element that is not there, adds one that is, or holds no readable XML.
 */
export function applyElementChanges(document: XmlElement, changes: readonly ElementChange[]): XmlElement {
  const known = applied.get(changes);
  if (known?.document === document) return known.result;
  const steps = applySteps(document, changes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same bit by bit, with pauses in which something else may be done. Who then applies the very same changes to the very same document has the result at once.
 *
 * @throws {ElementChangeError} as the other
 */
export function* applyingElementChanges(document: XmlElement, changes: readonly ElementChange[]): Generator<void, XmlElement, undefined> {
  const result = yield* applySteps(document, changes);
  applied.set(changes, { document, result });
  return result;
}

function* applySteps(document: XmlElement, changes: readonly ElementChange[]): Generator<void, XmlElement, undefined> {
  if (changes.length === 0) return document;
  const root = new Draft(document);
  let start = 0;
  while (start < changes.length) {
    const first = changes[start];
    if (first === undefined) break;
    let end = start + 1;
    while (changes[end]?.path === first.path) end += 1;
    yield* draftAt(root, first).apply(changes.slice(start, end), start);
    start = end;
  }
  return root.finish();
}

function draftAt(root: Draft, change: ElementChange): Draft {
  const steps = parsePath(change.path);
  if (steps === undefined) throw new ElementChangeError(change, `"${change.path}" is no element path`);
  let draft = root;
  for (const step of steps) {
    const child = draft.child(stepKey(step));
    if (child === undefined) throw new ElementChangeError(change, `there is no element at "${change.path}"`);
    draft = child;
  }
  return draft;
}

interface Insertion {
  readonly position: number;
  readonly node: XmlNode;
  readonly change: ElementChange;
}

/** An element under change: children that are changed themselves are drafts, all others are the original ones. */
class Draft {
  private children: (XmlNode | Draft)[];
  /** Index of each child element by key; made when first asked for, and dropped when the list changes. */
  private places: Map<string, number> | undefined;

  constructor(private readonly original: XmlElement) {
    this.children = [...original.children];
  }

  child(key: string): Draft | undefined {
    const place = this.placeOf(key);
    const found = place === undefined ? undefined : this.children[place];
    if (found instanceof Draft) return found;
    if (place === undefined || found?.kind !== 'element') return undefined;
    const draft = new Draft(found);
    this.children[place] = draft;
    return draft;
  }

  /** @param before how many changes went before these, for the pauses */
  *apply(changes: readonly ElementChange[], before: number): Generator<void, void, undefined> {
    const removed = new Set<number>();
    const replaced: { readonly place: number; readonly node: XmlNode }[] = [];
    const inserted: Insertion[] = [];
    for (const [index, change] of changes.entries()) {
      if ((before + index) % IN_ONE_STEP === IN_ONE_STEP - 1) yield;
      const place = this.placeToChange(change);
      const node = change.after === undefined ? undefined : readNode(change, change.after);
      if (place !== undefined && node !== undefined && change.position === undefined) {
        replaced.push({ place, node });
        continue;
      }
      if (place !== undefined) removed.add(place);
      if (node !== undefined) inserted.push({ position: change.position ?? Infinity, node, change });
    }
    this.requireNew(inserted, removed);
    for (const { place, node } of replaced) this.children[place] = node;
    if (removed.size > 0 || inserted.length > 0) this.rearrange(removed, inserted);
    this.places = undefined;
  }

  finish(): XmlElement {
    return { ...this.original, children: this.children.map((child) => (child instanceof Draft ? child.finish() : child)) };
  }

  /** What is taken out goes first; then each insertion, in ascending order, finds the ones before it in place. */
  private rearrange(removed: ReadonlySet<number>, inserted: Insertion[]): void {
    const kept = this.children.filter((_, index) => !removed.has(index));
    inserted.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position));
    const result: (XmlNode | Draft)[] = [];
    let next = 0;
    for (const { position, node } of inserted) {
      while (result.length < position && next < kept.length) {
        const child = kept[next];
        if (child !== undefined) result.push(child);
        next += 1;
      }
      result.push(node);
    }
    this.children = [...result, ...kept.slice(next)];
  }

  /** Two elements of one key below one parent could not be told apart afterwards. */
  private requireNew(inserted: readonly Insertion[], removed: ReadonlySet<number>): void {
    const added = new Set<string>();
    for (const { node, change } of inserted) {
      if (node.kind === 'comment') continue;
      const key = keyOf(node);
      const place = this.placeOf(key);
      if ((place !== undefined && !removed.has(place)) || added.has(key)) {
        throw new ElementChangeError(change, `${change.kind} "${change.id}" is in "${change.path}" already`);
      }
      added.add(key);
    }
  }

  /** Where the changed child is now; undefined for a new one. */
  private placeToChange(change: ElementChange): number | undefined {
    if (change.before === undefined) return undefined;
    const place =
      change.kind === COMMENT_KIND
        ? this.placeOfComment(change.id)
        : this.placeOf(stepKey({ name: change.kind, id: change.id === '' ? undefined : change.id }));
    if (place === undefined) throw new ElementChangeError(change, `there is no ${change.kind} "${change.id}" in "${change.path}"`);
    return place;
  }

  private placeOf(key: string): number | undefined {
    if (this.places === undefined) {
      this.places = new Map();
      for (const [index, child] of this.children.entries()) {
        const element = child instanceof Draft ? child.original : child;
        if (element.kind !== 'element') continue;
        const own = keyOf(element);
        if (!this.places.has(own)) this.places.set(own, index);
      }
    }
    return this.places.get(key);
  }

  private placeOfComment(number: string): number | undefined {
    let remaining = Number(number);
    for (const [index, child] of this.children.entries()) {
      if (child instanceof Draft || child.kind !== 'comment') continue;
      if (remaining === 0) return index;
      remaining -= 1;
    }
    return undefined;
  }
}

function readNode(change: ElementChange, text: string): XmlNode {
  if (change.kind === COMMENT_KIND) return { kind: 'comment', text: text.slice('<!--'.length, -'-->'.length) };
  try {
    return parseXml(text);
  } catch (error) {
    throw new ElementChangeError(change, `the new ${change.kind} "${change.id}" is no XML: ${error instanceof Error ? error.message : ''}`);
  }
}
