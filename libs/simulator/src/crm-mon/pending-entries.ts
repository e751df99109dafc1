import { element, type XmlElement, type XmlNode } from '@systole/cib';
import type { PendingOperation } from './monitor-facts.js';

/** `op-status` of an operation that is under way, and its return code: not known (specification 03 §7.4). */
const UNDER_WAY = { 'op-status': '-1', 'rc-code': '193' };

/**
 * A document whose history also has the operations that are under way, as Pacemaker records them: only for showing, nothing is to be planned from it. What a node has no history of is left out.
 *
 * @param document a whole CIB
 */
export function withPendingEntries(document: XmlElement, pending: readonly PendingOperation[]): XmlElement {
  if (pending.length === 0) return document;
  return inside(document, 'status', (status) =>
    inside(status, 'node_state', (state) => {
      const here = pending.filter(({ node }) => node === state.attributes['uname']);
      if (here.length === 0) return state;
      return inside(state, 'lrm', (lrm) =>
        inside(lrm, 'lrm_resources', (all) => inside(all, 'lrm_resource', (one) => withThose(one, here))),
      );
    }),
  );
}

function withThose(history: XmlElement, pending: readonly PendingOperation[]): XmlElement {
  const { id } = history.attributes;
  const entries = pending.filter(({ resource }) => resource === id).map(entryOf);
  return entries.length === 0 ? history : { ...history, children: [...history.children, ...entries] };
}

function entryOf({ resource, operation, intervalMs }: PendingOperation): XmlElement {
  const key = `${resource}_${operation}_${String(intervalMs)}`;
  const transition = '0:0:0:pending';
  return element('lrm_rsc_op', {
    ...{ id: `${key}_pending`, operation_key: key, operation, interval: String(intervalMs), 'call-id': '-1', ...UNDER_WAY },
    ...{ 'transition-key': transition, 'transition-magic': `-1:193;${transition}` },
  });
}

/** With each child of that name edited. */
function inside(parent: XmlElement, name: string, edit: (child: XmlElement) => XmlElement): XmlElement {
  const children = parent.children.map((child): XmlNode => (child.kind === 'element' && child.name === name ? edit(child) : child));
  return { ...parent, children };
}
