import type { Action } from './action.js';
import type { ClusterNode } from './node.js';

/** All actions of one key, oldest first. A resource may have one per node: where they are many, they are found by node without a walk. */
interface Keyed {
  readonly list: Action[];
  /** The oldest action on each node, by the node's index, once it was asked for. */
  byNode: (Action | undefined)[] | undefined;
  /** How many have no node yet; these match any node, and get it. */
  nodeless: number;
}

/** So many are found faster by a walk. */
const FEW = 8;

const none: readonly Action[] = [];

/** The actions of one resource, looked up by key and by task (specification 06 §1.3). Keys are compared with case ignored. */
export class ActionIndex {
  /** In the order of creation. */
  readonly all: Action[] = [];
  private readonly byKey = new Map<string, Keyed>();
  private readonly byTask = new Map<string, Action[]>();

  add(action: Action): void {
    action.resource?.noteActionAdded();
    this.all.push(action);
    const key = action.key.toLowerCase();
    let keyed = this.byKey.get(key);
    if (!keyed) this.byKey.set(key, (keyed = { list: [], byNode: undefined, nodeless: 0 }));
    keyed.list.push(action);
    if (!action.node) keyed.nodeless++;
    else if (keyed.byNode) keyed.byNode[action.node.index] ??= action;
    const tasked = this.byTask.get(action.task);
    if (tasked) tasked.push(action);
    else this.byTask.set(action.task, [action]);
  }

  /** Gives an action another task; it keeps its key. */
  retask(action: Action, task: string): void {
    action.resource?.noteActionAdded();
    const old = this.byTask.get(action.task);
    old?.splice(old.indexOf(action), 1);
    action.task = task;
    const list = this.byTask.get(task);
    if (!list) {
      this.byTask.set(task, [action]);
      return;
    }
    const place = list.findIndex((other) => other.id > action.id);
    list.splice(place < 0 ? list.length : place, 0, action);
  }

  /** Every action with that key, oldest first, node irrelevant. */
  withKey(key: string): readonly Action[] {
    return this.byKey.get(key.toLowerCase())?.list ?? none;
  }

  /**
   * Oldest first: actions with that key on that node. An action without a node matches too **and is given that node**; without a
   * node argument every action with the key counts.
   */
  search(key: string, node: ClusterNode | undefined): Action[] {
    if (this.all.length === 0) return [];
    const keyed = this.byKey.get(key.toLowerCase());
    if (!keyed) return [];
    if (!node) return [...keyed.list];
    adopt(keyed, node);
    return keyed.list.filter((action) => action.node === node);
  }

  /** First hit of `search`; only that one is given the node. */
  oldest(key: string, node: ClusterNode | undefined): Action | undefined {
    const keyed = this.byKey.get(key.toLowerCase());
    if (!keyed) return undefined;
    if (!node) return keyed.list[0];
    if (keyed.nodeless > 0) adopt(keyed, node);
    return oldestOn(keyed, node);
  }

  /** Oldest first: actions with that key on exactly that node; no adoption. */
  exact(key: string, node: ClusterNode | undefined): Action[] {
    return node ? this.withKey(key).filter((action) => action.node === node) : [];
  }

  /** Newest action of a task; with a node only on that very node. */
  newest(task: string, node?: ClusterNode): Action | undefined {
    const list = this.byTask.get(task);
    if (!list) return undefined;
    if (!node) return list.at(-1);
    return list.findLast((action) => action.node === node);
  }

  /** Every action of a task, oldest first. */
  withTask(task: string): readonly Action[] {
    return this.byTask.get(task) ?? none;
  }
}

function oldestOn(keyed: Keyed, node: ClusterNode): Action | undefined {
  if (keyed.list.length <= FEW) return keyed.list.find((action) => action.node === node);
  if (!keyed.byNode) {
    keyed.byNode = [];
    for (const action of keyed.list) if (action.node) keyed.byNode[action.node.index] ??= action;
  }
  return keyed.byNode[node.index];
}

/** Gives the node to every action that has none. */
function adopt(keyed: Keyed, node: ClusterNode): void {
  if (keyed.nodeless === 0) return;
  for (const action of keyed.list) {
    if (action.node) continue;
    action.node = node;
    action.resource?.noteActionAdded();
  }
  keyed.byNode = undefined;
  keyed.nodeless = 0;
}
