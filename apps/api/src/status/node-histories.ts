import { childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';

/** The nodes' sections of the status, with the node's name. */
export function nodeStates(cib: XmlElement): readonly { readonly node: string; readonly state: XmlElement }[] {
  const status = firstChildNamed(cib, 'status');
  if (status === undefined) return [];
  return childrenNamed(status, 'node_state').map((state) => ({ node: state.attributes['uname'] ?? state.attributes['id'] ?? '', state }));
}

/** What each node knows of each resource: the `lrm_resource`s of all of them. */
export function nodeHistories(cib: XmlElement): readonly { readonly node: string; readonly history: XmlElement }[] {
  return nodeStates(cib).flatMap(({ node, state }) => {
    const lrm = firstChildNamed(state, 'lrm');
    const resources = lrm === undefined ? undefined : firstChildNamed(lrm, 'lrm_resources');
    return resources === undefined ? [] : childrenNamed(resources, 'lrm_resource').map((history) => ({ node, history }));
  });
}
