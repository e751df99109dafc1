import { sameTag } from '../xml/same-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { holdsMoreThan, type XmlElement, type XmlNode } from '../xml/element.js';
import type { TreeStep } from './tree-step.js';

/** An element with more below it is told child by child, so that no step costs much. */
const MOST_IN_ONE_STEP = 400;

/** Texts of neighbours are put together up to this many characters. */
const TEXT_LENGTH = 32_768;

/**
 * How a tree is made from an earlier one. What both share, as the very same objects, is not looked into: after a change by path copying the steps cost what
 * changed, and a comparison of the lists of children on the way to it.
 *
 * @param before undefined: from nothing
 * @throws {XmlError} for a new element that has no XML form
 */
export function* treeSteps(before: XmlElement | undefined, after: XmlElement): Generator<TreeStep, void, undefined> {
  yield* listSteps(before === undefined ? [] : [before], [after]);
}

function* listSteps(before: readonly XmlNode[], after: readonly XmlNode[]): Generator<TreeStep, void, undefined> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  if (start > 0) yield { step: 'keep', from: 0, count: start };
  yield* middleSteps(before.slice(start, before.length - tail), start, after.slice(start, after.length - tail));
  if (tail > 0) yield { step: 'keep', from: before.length - tail, count: tail };
}

/** @param offset where the first of `before` stands in its list */
function* middleSteps(before: readonly XmlNode[], offset: number, after: readonly XmlNode[]): Generator<TreeStep, void, undefined> {
  const known = before.length === 0 ? undefined : new KnownNodes(before);
  let kept = { from: 0, count: 0 };
  let xml = '';
  const told = function* (): Generator<TreeStep, void, undefined> {
    if (kept.count > 0) yield { step: 'keep', from: kept.from + offset, count: kept.count };
    if (xml !== '') yield { step: 'read', xml };
    kept = { from: 0, count: 0 };
    xml = '';
  };
  for (const [place, node] of after.entries()) {
    const same = known?.positionOf(node);
    if (same !== undefined) {
      if (xml !== '' || kept.from + kept.count !== same) yield* told();
      kept = kept.count === 0 ? { from: same, count: 1 } : { from: kept.from, count: kept.count + 1 };
      continue;
    }
    if (node.kind === 'comment') {
      yield* told();
      yield { step: 'comment', text: node.text };
      continue;
    }
    const edited = known?.editedAt(node, place);
    const isLarge = holdsMoreThan(node, MOST_IN_ONE_STEP);
    if (edited === undefined && !isLarge) {
      if (kept.count > 0) yield* told();
      xml += serializeXml(node);
      if (xml.length >= TEXT_LENGTH) yield* told();
      continue;
    }
    yield* told();
    if (edited === undefined) {
      yield { step: 'open', name: node.name, attributes: node.attributes };
      yield* listSteps([], node.children);
    } else {
      const { index, element } = edited;
      const attributes = sameTag(element, node) ? {} : { attributes: node.attributes };
      yield { step: 'edit', index: index + offset, name: node.name, children: element.children.length, ...attributes };
      yield* listSteps(element.children, node.children);
    }
    yield { step: 'close' };
  }
  yield* told();
}

/** Children as they were, found by what they are and by what they stand for. */
class KnownNodes {
  private readonly positions: ReadonlyMap<XmlNode, number>;
  private readonly byName = new Map<string, number>();

  constructor(private readonly nodes: readonly XmlNode[]) {
    this.positions = new Map(nodes.map((node, position) => [node, position]));
    nodes.forEach((node, position) => {
      if (node.kind === 'element' && !this.byName.has(keyOf(node))) this.byName.set(keyOf(node), position);
    });
  }

  positionOf(node: XmlNode): number | undefined {
    return this.positions.get(node);
  }

  /** The earlier form of an element, when so much of it is still there that the change is less than the whole. */
  editedAt(node: XmlElement, place: number): { readonly index: number; readonly element: XmlElement } | undefined {
    for (const index of [place, this.byName.get(keyOf(node))]) {
      const element = index === undefined ? undefined : this.nodes[index];
      if (index !== undefined && element?.kind === 'element' && keyOf(element) === keyOf(node)) {
        return sharesWith(element, node) ? { index, element } : undefined;
      }
    }
    return undefined;
  }
}

function keyOf({ name, attributes }: XmlElement): string {
  return `${name} ${attributes['id'] ?? ''}`;
}

/** How far down it is looked for something that is still the same: from the root to the parts of the sections, and the states of the nodes. */
const MOST_DEPTH = 2;

/**
 * Whether one came from the other by path copying: somewhere below something is still the same, though all on the way there was copied, as the root is with each change of its version. Trees that were
 * read apart share nothing, however alike they are, and are told whole; that they do is found out without a look at all that is in them.
 */
function sharesWith(before: XmlElement, after: XmlElement, depth = 0): boolean {
  if (before.children.length === 0 || after.children.length === 0) return false;
  if (before.attributes === after.attributes || before.children === after.children) return true;
  const known = new Set(before.children);
  if (after.children.some((child) => known.has(child))) return true;
  if (depth === MOST_DEPTH) return false;
  const earlier = new Map(before.children.flatMap((child) => (child.kind === 'element' ? [[keyOf(child), child]] : [])));
  return after.children.some((child) => {
    const was = child.kind === 'element' ? earlier.get(keyOf(child)) : undefined;
    return was !== undefined && child.kind === 'element' && sharesWith(was, child, depth + 1);
  });
}
