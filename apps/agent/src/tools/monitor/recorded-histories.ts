import { childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';

export interface RecordedHistory {
  /** Name of the node. */
  readonly node: string;
  /** `lrm_resource`, which holds the operations of one resource there. */
  readonly history: XmlElement;
}

/** What is recorded of resources, node by node. @param status that element of a CIB; undefined: none */
export function recordedHistories(status: XmlElement | undefined): readonly RecordedHistory[] {
  const states = status === undefined ? [] : childrenNamed(status, 'node_state');
  return states.flatMap((state) => {
    const lrm = firstChildNamed(state, 'lrm');
    const resources = lrm && firstChildNamed(lrm, 'lrm_resources');
    const node = state.attributes['uname'] ?? '';
    return (resources === undefined ? [] : childrenNamed(resources, 'lrm_resource')).map((history) => ({ node, history }));
  });
}

/** Whether an operation is in progress: nothing has become of it yet. @param entry attributes of an `lrm_rsc_op` */
export function isInProgress(entry: XmlElement['attributes']): boolean {
  return entry['op-status'] === '-1';
}
