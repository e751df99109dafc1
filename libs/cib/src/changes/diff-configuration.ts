import { firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { sameTag, sameXml } from '../xml/same-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { COMMENT_KIND } from './element-change.js';
import type { ElementChange } from './element-change.js';
import { formatStep, keyOf } from './element-path.js';
import { longestIncreasing } from './longest-increasing.js';

/**
 * The changes that lead from one document's configuration to another's, on the smallest elements that tell the story: an element whose own attributes
 * changed is one change, with all that is in it; otherwise its children are compared. Applying the result to the first document gives the
 * second's configuration exactly, order and comments included.
 */
export function diffConfiguration(before: XmlElement, after: XmlElement): ElementChange[] {
  const old = firstChildNamed(before, 'configuration');
  const now = firstChildNamed(after, 'configuration');
  if (old === undefined || now === undefined) {
    const only = old ?? now;
    if (only === undefined) return [];
    const change = changeOf(only.name, only.attributes['id'] ?? '', '', old, now);
    return [now === undefined ? change : { ...change, position: 0 }];
  }
  const changes: ElementChange[] = [];
  diffElement(old, now, '', changes);
  return changes;
}

/** Appends the changes between two elements that stand at the same place; `path` is their parent's. */
function diffElement(before: XmlElement, after: XmlElement, path: string, changes: ElementChange[]): void {
  if (sameXml(before, after)) return;
  const step = formatStep(after);
  const nested =
    step !== undefined && sameTag(before, after) ? diffChildren(before, after, path === '' ? step : `${path}/${step}`) : undefined;
  if (nested === undefined) changes.push(changeOf(after.name, after.attributes['id'] ?? '', path, before, after));
  else for (const change of nested) changes.push(change);
}

/** The changes among the children of one element; undefined when they can't be told apart by name and id. */
function diffChildren(before: XmlElement, after: XmlElement, path: string): ElementChange[] | undefined {
  const old = keyChildren(before);
  const now = keyChildren(after);
  if (old === undefined || now === undefined) return undefined;
  const shared = [...now.values()].filter(({ key }) => old.has(key));
  const oldIndexes = shared.map(({ key }) => old.get(key)?.index ?? 0);
  const inPlace = new Set(longestIncreasing(oldIndexes).map((place) => shared[place]?.key));
  const own: ElementChange[] = [];
  const nested: ElementChange[] = [];
  for (const { key, node, commentIndex } of old.values()) {
    const goes = !now.has(key) || (node.kind === 'comment' && !inPlace.has(key));
    if (goes) own.push(changeOf(kindOf(node), idOf(node, commentIndex), path, node, undefined));
  }
  for (const { key, node, index } of now.values()) {
    const previous = old.get(key)?.node;
    if (inPlace.has(key)) {
      if (previous?.kind === 'element' && node.kind === 'element') diffElement(previous, node, path, nested);
    } else {
      const moved = node.kind === 'element' ? previous : undefined;
      own.push({ ...changeOf(kindOf(node), idOf(node, undefined), path, moved, node), position: index });
    }
  }
  // Replacements of direct children belong to this parent, too; deeper changes follow, so that each parent's changes stand together.
  const direct = nested.filter((change) => change.path === path);
  return [...own, ...direct, ...nested.filter((change) => change.path !== path)];
}

interface KeyedNode {
  readonly key: string;
  readonly node: XmlNode;
  readonly index: number;
  /** Number among the parent's comments. */
  readonly commentIndex: number | undefined;
}

/** The children by key, in order; comments by text and how often it occurred. Undefined when two elements have the same key. */
function keyChildren(parent: XmlElement): ReadonlyMap<string, KeyedNode> | undefined {
  const keyed = new Map<string, KeyedNode>();
  const occurrences = new Map<string, number>();
  let comments = 0;
  for (const [index, node] of parent.children.entries()) {
    if (node.kind === 'comment') {
      const occurrence = occurrences.get(node.text) ?? 0;
      occurrences.set(node.text, occurrence + 1);
      const key = `${COMMENT_KIND} ${occurrence} ${node.text}`;
      keyed.set(key, { key, node, index, commentIndex: comments });
      comments += 1;
      continue;
    }
    const key = keyOf(node);
    if (keyed.has(key)) return undefined;
    keyed.set(key, { key, node, index, commentIndex: undefined });
  }
  return keyed;
}

function kindOf(node: XmlNode): string {
  return node.kind === 'comment' ? COMMENT_KIND : node.name;
}

function idOf(node: XmlNode, commentIndex: number | undefined): string {
  if (node.kind === 'comment') return commentIndex === undefined ? '' : String(commentIndex);
  return node.attributes['id'] ?? '';
}

function changeOf(kind: string, id: string, path: string, before: XmlNode | undefined, after: XmlNode | undefined): ElementChange {
  return {
    kind,
    id,
    path,
    ...(before === undefined ? {} : { before: textOf(before) }),
    ...(after === undefined ? {} : { after: textOf(after) }),
  };
}

function textOf(node: XmlNode): string {
  return node.kind === 'comment' ? `<!--${node.text}-->` : serializeXml(node).trimEnd();
}
