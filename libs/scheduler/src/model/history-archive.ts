import { childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';
import { RecordedHistories } from './recorded-histories.js';

const none: readonly XmlElement[] = [];

/** All history of the status section. What a node knows of a resource is an `lrm_resource`. */
export class HistoryArchive {
  /** The `node_state` elements by their node's name. */
  private readonly states = new Map<string, XmlElement[]>();
  /** Node name -> resource id -> what that node knows of it. */
  private readonly byResource = new Map<string, ReadonlyMap<string, readonly XmlElement[]>>();

  constructor(status: XmlElement | undefined) {
    for (const state of status ? childrenNamed(status, 'node_state') : []) {
      const { uname } = state.attributes;
      if (uname !== undefined) append(this.states, uname, state);
    }
  }

  /** The history below a `node_state`, if there is any. */
  ofState(state: XmlElement): RecordedHistories | undefined {
    const lrm = firstChildNamed(state, 'lrm');
    const list = lrm && firstChildNamed(lrm, 'lrm_resources');
    return list && RecordedHistories.of(list);
  }

  /** The history of a node, when the status section has exactly one for that very name (specification 03 §12.1). */
  ofNode(name: string): RecordedHistories | undefined {
    const lists = (this.states.get(name) ?? [])
      .flatMap((state) => childrenNamed(state, 'lrm'))
      .flatMap((lrm) => childrenNamed(lrm, 'lrm_resources'));
    const [only] = lists;
    return only && lists.length === 1 ? RecordedHistories.of(only) : undefined;
  }

  /** What a node knows of a resource, names compared exactly (specification 03 §10.1). */
  ofResource(node: string, resource: string): readonly XmlElement[] {
    let resources = this.byResource.get(node);
    if (!resources) this.byResource.set(node, (resources = this.resourcesOf(node)));
    return resources.get(resource) ?? none;
  }

  private resourcesOf(node: string): ReadonlyMap<string, readonly XmlElement[]> {
    const resources = new Map<string, XmlElement[]>();
    for (const state of this.states.get(node) ?? []) {
      for (const history of this.ofState(state)?.elements ?? []) {
        const { id } = history.attributes;
        if (id !== undefined) append(resources, id, history);
      }
    }
    return resources;
  }
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
