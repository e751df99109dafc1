import { longestIncreasing } from '../changes/longest-increasing.js';
import { element, type XmlElement, type XmlNode } from '../xml/element.js';
import { COMMENT_STEP, stepTo } from './patch-paths.js';

const VERSION = ['admin_epoch', 'epoch', 'num_updates'] as const;

/**
 * The patch that leads from one document to another, as `crm_diff` writes it; undefined where they are the same.
 *
 * @param options.version false: what the root's versions are does not count, and is not told (`--no-version`)
 */
export function patchBetween(before: XmlElement, after: XmlElement, { version }: { readonly version: boolean }): XmlElement | undefined {
  const deleted: XmlElement[] = [];
  const others: XmlElement[] = [];
  const root = version ? after : { ...after, attributes: { ...after.attributes, ...versionOf(before) } };
  compare(before, root, '', { deleted, others });
  if (deleted.length + others.length === 0) return undefined;
  const versions = element('version', {}, [element('source', versionOf(before)), element('target', versionOf(after))]);
  return element('diff', { format: '2' }, [...(version ? [versions] : []), ...deleted, ...others]);
}

function versionOf({ attributes }: XmlElement): Readonly<Record<string, string>> {
  return Object.fromEntries(VERSION.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])));
}

interface Found {
  readonly deleted: XmlElement[];
  readonly others: XmlElement[];
}

function compare(before: XmlElement, after: XmlElement, parent: string, found: Found): void {
  const path = `${parent}${stepTo(before)}`;
  const list = changedAttributes(before, after);
  if (list.length > 0) {
    const result = element('change-result', {}, [{ ...after, children: [] }]);
    found.others.push(element('change', { operation: 'modify', path }, [element('change-list', {}, list), result]));
  }
  const old = keyed(before.children);
  const now = keyed(after.children);
  const shared = [...now].filter(([key]) => old.has(key));
  const staying = new Set(longestIncreasing(shared.map(([key]) => old.get(key)?.position ?? 0)).map((at) => shared[at]?.[0]));
  // From the last to the first, so that the places of comments stay what they are.
  for (const [key, { node, position }] of [...old].reverse()) {
    // Nothing names a comment that moves: it goes, and comes anew.
    if (now.has(key) && (node.kind === 'element' || staying.has(key))) continue;
    const where =
      node.kind === 'comment' ? { path: `${path}/${COMMENT_STEP}`, position: String(position) } : { path: `${path}${stepTo(node)}` };
    found.deleted.push(element('change', { operation: 'delete', ...where }));
  }
  for (const [key, { node, position }] of now) {
    const previous = old.get(key)?.node;
    if (previous === undefined || (node.kind === 'comment' && !staying.has(key))) {
      found.others.push(element('change', { operation: 'create', path, position: String(position) }, [node]));
      continue;
    }
    if (previous.kind !== 'element' || node.kind !== 'element') continue;
    compare(previous, node, path, found);
    if (!staying.has(key))
      found.others.push(element('change', { operation: 'move', path: `${path}${stepTo(node)}`, position: String(position) }));
  }
}

function changedAttributes({ attributes: before }: XmlElement, { attributes: after }: XmlElement): readonly XmlElement[] {
  const gone = Object.keys(before).filter((name) => after[name] === undefined);
  const set = Object.entries(after).filter(([name, text]) => before[name] !== text);
  return [
    ...gone.map((name) => element('change-attr', { name, operation: 'unset' })),
    ...set.map(([name, value]) => element('change-attr', { name, operation: 'set', value })),
  ];
}

/** Children by what tells them apart, in order: elements by name and id, comments by what they say; the same once more by how often it was there. */
function keyed(children: readonly XmlNode[]): ReadonlyMap<string, { readonly node: XmlNode; readonly position: number }> {
  const found = new Map<string, { readonly node: XmlNode; readonly position: number }>();
  for (const [position, node] of children.entries()) {
    const own = node.kind === 'comment' ? `! ${node.text}` : stepTo(node);
    let key = own;
    for (let again = 1; found.has(key); again += 1) key = `${own} ${String(again)}`;
    found.set(key, { node, position });
  }
  return found;
}
