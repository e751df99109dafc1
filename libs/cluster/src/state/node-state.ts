import { childrenNamed, element, firstChildNamed, type XmlElement } from '@systole/cib';
import { pairNamed, pairsSizeWithout, setPair, type PairsSize } from './configuration.js';
import { childById, putById, putOnly, removeWhere, withAttributes, withChildren } from './tree.js';

/** The `node_state` elements of the status section: presence and transient attributes (specification 03 §2, §1.5). */

export interface NodeKey {
  readonly id: string;
  readonly name: string;
}

function statusOf(cib: XmlElement): XmlElement {
  return firstChildNamed(cib, 'status') ?? element('status');
}

export function nodeStateOf(cib: XmlElement, node: NodeKey): XmlElement | undefined {
  return childById(statusOf(cib), 'node_state', node.id);
}

/**
 * Applies `edit` to the node's `node_state`; one that is not there yet begins with id and uname only, and stays away when the edit changes
 * nothing. (An entry without presence would mean: never seen, to be fenced.)
 */
export function editNodeState(cib: XmlElement, node: NodeKey, edit: (nodeState: XmlElement) => XmlElement): XmlElement {
  const status = statusOf(cib);
  const before = childById(status, 'node_state', node.id) ?? element('node_state', { id: node.id, uname: node.name });
  const after = edit(before);
  return before === after ? cib : putOnly(cib, putById(status, after));
}

/**
 * Removes what stands under an id that the node had earlier: a configuration may give a node that has joined another id. Two entries of one name would
 * let the scheduler read the old one, and take what runs on the node for stopped.
 */
export function removeFormerIds(cib: XmlElement, node: NodeKey): XmlElement {
  const before = statusOf(cib);
  const after = removeWhere(
    before,
    ({ name, attributes }) => name === 'node_state' && attributes['uname'] === node.name && attributes['id'] !== node.id,
  );
  return before === after ? cib : putOnly(cib, after);
}

/**
 * - `member`: present and answering;
 * - `unseen`: it should be there and is not, so that the scheduler wants it fenced;
 * - `down`: known to be down.
 */
export type Presence = 'member' | 'unseen' | 'down';

const PRESENCE: Readonly<Record<Presence, Readonly<Record<string, string>>>> = {
  member: { in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member' },
  // Not `join: 'down'`: such a node would look fenced, and one whose fencing was requested (`terminate`) would count as down in order.
  unseen: { in_ccm: 'false', crmd: 'offline', join: 'member', expected: 'member' },
  down: { in_ccm: 'false', crmd: 'offline', join: 'down', expected: 'down' },
};

/** Writes how the node is seen; the rest of its state stays. */
export function setPresence(nodeState: XmlElement, presence: Presence): XmlElement {
  return withAttributes(nodeState, { ...PRESENCE[presence], 'crm-debug-origin': 'systole' });
}

/** Marks the state of a remote or guest node, which was not fenced since it was last there. */
export function asRemote(nodeState: XmlElement): XmlElement {
  return withAttributes(nodeState, { remote_node: 'true', node_fenced: undefined });
}

/** Notes that a remote node was fenced (specification 03 §2.1 rule 3). */
export function withFencingRecorded(nodeState: XmlElement): XmlElement {
  return withAttributes(nodeState, { node_fenced: '1' });
}

/** Removes what ended with the node's life: its operation history and its transient attributes. */
export function eraseLife(nodeState: XmlElement): XmlElement {
  return removeWhere(nodeState, (child) => child.name === 'lrm' || child.name === 'transient_attributes');
}

/**
 * The history of a node that has just joined: nothing is known, so that everything is probed.
 *
 * @param kept histories of what is known all the same
 */
export function withHistoryBegun(nodeState: XmlElement, node: NodeKey, kept: readonly XmlElement[]): XmlElement {
  return withChildren(nodeState, [...nodeState.children, element('lrm', { id: node.id }, [element('lrm_resources', {}, kept)])]);
}

/** Puts the transient attributes of an earlier `node_state` into a later one that has none. */
export function withTransientAttributesOf(nodeState: XmlElement, earlier: XmlElement): XmlElement {
  const holder = firstChildNamed(earlier, 'transient_attributes');
  return holder === undefined ? nodeState : withChildren(nodeState, [...nodeState.children, holder]);
}

/** Whether the attribute of a name says how gladly something would be promoted (specification 05 §10.1). */
export function isPromotionScore(name: string): boolean {
  return name.startsWith('master-');
}

function transientSet(nodeState: XmlElement): XmlElement | undefined {
  const holder = firstChildNamed(nodeState, 'transient_attributes');
  return holder === undefined ? undefined : firstChildNamed(holder, 'instance_attributes');
}

/** The node's transient attributes, in document order. */
export function transientAttributes(nodeState: XmlElement): readonly { readonly name: string; readonly value: string }[] {
  const set = transientSet(nodeState);
  if (set === undefined) return [];
  return childrenNamed(set, 'nvpair').flatMap(({ attributes }) =>
    attributes['name'] === undefined ? [] : [{ name: attributes['name'], value: attributes['value'] ?? '' }],
  );
}

export function transientAttribute(nodeState: XmlElement | undefined, name: string): string | undefined {
  const set = nodeState === undefined ? undefined : transientSet(nodeState);
  const pair = set === undefined ? undefined : pairNamed(set, name);
  return pair === undefined ? undefined : (pair.attributes['value'] ?? '');
}

/** The size of all transient attributes but the one of that name. */
export function transientSizeWithout(nodeState: XmlElement | undefined, name: string): PairsSize {
  const set = nodeState === undefined ? undefined : transientSet(nodeState);
  return set === undefined ? { count: 0, chars: 0 } : pairsSizeWithout(set, name);
}

/** Sets or removes (undefined) a transient attribute, in `transient_attributes[@id=<node id>]/instance_attributes[@id=status-<node id>]`. */
export function setTransientAttribute(nodeState: XmlElement, nodeId: string, name: string, value: string | undefined): XmlElement {
  const holder = firstChildNamed(nodeState, 'transient_attributes') ?? element('transient_attributes', { id: nodeId });
  const set = firstChildNamed(holder, 'instance_attributes') ?? element('instance_attributes', { id: `status-${nodeId}` });
  const edited = setPair(set, `status-${nodeId}-`, name, value);
  return edited === set ? nodeState : putOnly(nodeState, putOnly(holder, edited));
}

/** Removes the transient attributes that `test` picks by name. */
export function removeTransientAttributes(nodeState: XmlElement, test: (name: string) => boolean): XmlElement {
  const holder = firstChildNamed(nodeState, 'transient_attributes');
  const set = transientSet(nodeState);
  if (holder === undefined || set === undefined) return nodeState;
  const edited = removeWhere(set, (pair) => pair.attributes['name'] !== undefined && test(pair.attributes['name']));
  return edited === set ? nodeState : putOnly(nodeState, putOnly(holder, edited));
}
