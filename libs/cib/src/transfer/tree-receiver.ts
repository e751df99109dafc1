import type { XmlElement } from '../xml/element.js';
import { FragmentReader } from './fragment-reader.js';
import { TreeBuilder, TreesDiverged } from './tree-builder.js';
import type { TreeMessage } from './tree-step.js';

interface Kept {
  readonly tree: XmlElement;
  readonly revision: number;
  readonly reader: FragmentReader;
}

/** The other end of a `TreeSender`: keeps the trees that were told last. */
export class TreeReceiver {
  private readonly kept = new Map<string, Kept>();
  private building: { readonly key: string; readonly builder: TreeBuilder; readonly reader: FragmentReader } | undefined;

  /**
   * Takes in the next part.
   *
   * @throws {TreesDiverged} when changes of a tree are told that is not known as the other end believes
   * @throws {XmlError} for a text that is not well-formed
   */
  receive({ key, begins, steps, ends, forget }: TreeMessage): void {
    this.forget(forget);
    if (begins !== undefined) this.begin(key, begins);
    const { building } = this;
    if (building?.key !== key) throw new TreesDiverged(`nothing was begun of ${key}`);
    // Whatever breaks here leaves nothing behind that could be taken for the tree.
    this.building = undefined;
    for (const step of steps) building.builder.add(step);
    if (ends === undefined) this.building = building;
    else this.kept.set(key, { tree: building.builder.tree(), revision: ends.revision, reader: building.reader });
  }

  forget(keys: readonly string[]): void {
    for (const key of keys) this.kept.delete(key);
  }

  /** @throws {TreesDiverged} when it is not known in whole */
  tree(key: string): XmlElement {
    const kept = this.kept.get(key);
    if (kept === undefined) throw new TreesDiverged(`${key} is not known`);
    return kept.tree;
  }

  private begin(key: string, begins: NonNullable<TreeMessage['begins']>): void {
    const kept = this.kept.get(key);
    this.kept.delete(key);
    if (begins.from === 'revision' && kept?.revision !== begins.revision) {
      throw new TreesDiverged(`changes of revision ${begins.revision} of ${key} came, and what is known is ${kept?.revision ?? 'nothing'}`);
    }
    const known = begins.from === 'revision' ? kept : undefined;
    const reader = known?.reader ?? new FragmentReader();
    this.building = { key, reader, builder: new TreeBuilder(known?.tree, reader) };
  }
}
