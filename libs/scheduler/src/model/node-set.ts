import type { ClusterNode } from './node.js';

const BITS = 32;

/** A set of nodes that may only be read. */
export type ReadonlyNodeSet = Omit<NodeSet, 'add' | 'addAll'>;

/** A set of nodes, a bit for each: every resource has one, and in a settled cluster every node is in it. */
export class NodeSet {
  /** Plain numbers: mostly there is one, and a typed array takes four times as much. */
  private readonly words: number[] = [0];
  private count = 0;

  get size(): number {
    return this.count;
  }

  has({ index }: Pick<ClusterNode, 'index'>): boolean {
    return ((this.words[Math.floor(index / BITS)] ?? 0) & (1 << (index % BITS))) !== 0;
  }

  add(node: ClusterNode): void {
    if (this.has(node)) return;
    const word = Math.floor(node.index / BITS);
    while (this.words.length <= word) this.words.push(0);
    this.words[word] = (this.words[word] ?? 0) | (1 << (node.index % BITS));
    this.count++;
  }

  /** Adds every node of another set. */
  addAll(other: ReadonlyNodeSet): void {
    const { words } = other as NodeSet;
    while (this.words.length < words.length) this.words.push(0);
    for (let index = 0; index < words.length; index++) {
      const added = (words[index] ?? 0) & ~(this.words[index] ?? 0);
      this.words[index] = (this.words[index] ?? 0) | added;
      this.count += bitsIn(added);
    }
  }
}

function bitsIn(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
