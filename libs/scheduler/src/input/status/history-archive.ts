import { childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';
import type { CibContext } from '../context.js';
import { mergeSort } from '../../model/names.js';
import { compareEntries, HistoryEntry } from './history-entry.js';

/** What one node's history knows of one resource (`lrm_resource`), parsed when it is asked for. */
export class ResourceHistory {
  private parsed: readonly HistoryEntry[] | undefined;
  private sorted: readonly HistoryEntry[] | undefined;

  constructor(
    private readonly cib: CibContext,
    readonly element: XmlElement,
  ) {}

  get id(): string | undefined {
    return this.element.attributes['id'];
  }

  /** In document order. */
  get recorded(): readonly HistoryEntry[] {
    this.parsed ??= childrenNamed(this.element, 'lrm_rsc_op').map((element) => new HistoryEntry(this.cib, element));
    return this.parsed;
  }

  /** From reverse document order, stable-sorted (specification 03 §7.3). */
  get entries(): readonly HistoryEntry[] {
    this.sorted ??= this.recorded.length < 2 ? this.recorded : mergeSort(this.recorded.toReversed(), compareEntries);
    return this.sorted;
  }
}

const none: readonly ResourceHistory[] = [];

/** All history of the status section. */
export class HistoryArchive {
  private readonly byList = new Map<XmlElement, readonly ResourceHistory[]>();
  /** The `node_state` elements by their node's name. */
  private readonly states = new Map<string, XmlElement[]>();
  /** Node name -> resource id -> what that node knows of it. */
  private index: Map<string, Map<string, ResourceHistory[]>> | undefined;

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
  ofState(state: XmlElement): readonly ResourceHistory[] {
    const lrm = firstChildNamed(state, 'lrm');
    const list = lrm && firstChildNamed(lrm, 'lrm_resources');
    return list ? this.listed(list) : none;
  }

  /** The history of a node, when the status section has exactly one for that very name (specification 03 §12.1). */
  ofNode(name: string): readonly ResourceHistory[] {
    const lists = (this.states.get(name) ?? [])
      .flatMap((state) => childrenNamed(state, 'lrm'))
      .flatMap((lrm) => childrenNamed(lrm, 'lrm_resources'));
    const [only] = lists;
    return only && lists.length === 1 ? this.listed(only) : none;
  }

  /** What a node knows of a resource, names compared exactly (specification 03 §10.1). */
  ofResource(node: string, resource: string): readonly ResourceHistory[] {
    this.index ??= this.build();
    return this.index.get(node)?.get(resource) ?? none;
  }

  private listed(list: XmlElement): readonly ResourceHistory[] {
    let histories = this.byList.get(list);
    if (!histories) {
      histories = childrenNamed(list, 'lrm_resource').map((element) => new ResourceHistory(this.cib, element));
      this.byList.set(list, histories);
    }
    return histories;
  }

  private build(): Map<string, Map<string, ResourceHistory[]>> {
    const index = new Map<string, Map<string, ResourceHistory[]>>();
    for (const [name, states] of this.states) {
      const resources = new Map<string, ResourceHistory[]>();
      index.set(name, resources);
      for (const history of states.flatMap((state) => this.ofState(state))) {
        if (history.id !== undefined) append(resources, history.id, history);
      }
    }
    return index;
  }
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
