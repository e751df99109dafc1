import { childrenNamed, firstChildNamed, type XmlElement, type XmlNode } from '@systole/cib';
import type { CibContext } from './cib-context.js';
import { mergeSort } from './names.js';
import { compareEntries, HistoryEntry } from './history-entry.js';

const none: readonly XmlElement[] = [];

/** All history of the status section. What a node knows of a resource is an `lrm_resource`; its entries are parsed when they are asked for. */
export class HistoryArchive {
  /** The `lrm_resource` elements of an `lrm_resources`. */
  private readonly byList = new Map<XmlElement, readonly XmlElement[]>();
  /** The `node_state` elements by their node's name. */
  private readonly states = new Map<string, XmlElement[]>();
  /** Node name -> resource id -> what that node knows of it. */
  private readonly byResource = new Map<string, ReadonlyMap<string, readonly XmlElement[]>>();

  constructor(
    private readonly cib: CibContext,
    status: XmlElement | undefined,
  ) {
    for (const state of status ? childrenNamed(status, 'node_state') : []) {
      const { uname } = state.attributes;
      if (uname !== undefined) append(this.states, uname, state);
    }
  }

  /** The history below a `node_state`, in document order. */
  ofState(state: XmlElement): readonly XmlElement[] {
    const lrm = firstChildNamed(state, 'lrm');
    const list = lrm && firstChildNamed(lrm, 'lrm_resources');
    return list ? this.listed(list) : none;
  }

  /** The history of a node, when the status section has exactly one for that very name (specification 03 §12.1). */
  ofNode(name: string): readonly XmlElement[] {
    const lists = (this.states.get(name) ?? [])
      .flatMap((state) => childrenNamed(state, 'lrm'))
      .flatMap((lrm) => childrenNamed(lrm, 'lrm_resources'));
    const [only] = lists;
    return only && lists.length === 1 ? this.listed(only) : none;
  }

  /** What a node knows of a resource, names compared exactly (specification 03 §10.1). */
  ofResource(node: string, resource: string): readonly XmlElement[] {
    let resources = this.byResource.get(node);
    if (!resources) this.byResource.set(node, (resources = this.resourcesOf(node)));
    return resources.get(resource) ?? none;
  }

  /** The entries of an `lrm_resource` in document order. */
  recorded({ children }: XmlElement): HistoryEntry[] {
    const [first] = children;
    // An array that grows has room for more: too much where nearly all have one entry.
    if (children.length === 1 && isEntry(first)) return [new HistoryEntry(this.cib, first)];
    const entries: HistoryEntry[] = [];
    for (const child of children) if (isEntry(child)) entries.push(new HistoryEntry(this.cib, child));
    return entries;
  }

  /** The entries of an `lrm_resource` from reverse document order, stable-sorted (specification 03 §7.3). */
  sorted(history: XmlElement): HistoryEntry[] {
    const recorded = this.recorded(history);
    return recorded.length < 2 ? recorded : mergeSort(recorded.reverse(), compareEntries);
  }

  private listed(list: XmlElement): readonly XmlElement[] {
    let histories = this.byList.get(list);
    if (!histories) this.byList.set(list, (histories = childrenNamed(list, 'lrm_resource')));
    return histories;
  }

  private resourcesOf(node: string): ReadonlyMap<string, readonly XmlElement[]> {
    const resources = new Map<string, XmlElement[]>();
    for (const state of this.states.get(node) ?? []) {
      for (const history of this.ofState(state)) {
        const { id } = history.attributes;
        if (id !== undefined) append(resources, id, history);
      }
    }
    return resources;
  }
}

const isEntry = (node: XmlNode | undefined): node is XmlElement => node?.kind === 'element' && node.name === 'lrm_rsc_op';

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
