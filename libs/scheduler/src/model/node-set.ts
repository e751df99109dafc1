import type { ClusterNode } from './node.js';

const BITS = 32;
const NO_WORDS = new Int32Array(0);

/** A set of nodes, a bit for each: every resource has one, and in a settled cluster every node is in it. */
export class NodeSet {
  private words = NO_WORDS;
  private count = 0;

  get size(): number {
    return this.count;
  }

  has({ index }: ClusterNode): boolean {
    return ((this.words[Math.floor(index / BITS)] ?? 0) & (1 << (index % BITS))) !== 0;
  }

  add(node: ClusterNode): void {
    if (this.has(node)) return;
    const word = Math.floor(node.index / BITS);
    if (word >= this.words.length) this.grow(word + 1);
    this.words[word] = (this.words[word] ?? 0) | (1 << (node.index % BITS));
    this.count++;
  }

  /** Adds every node of another set. */
  addAll({ words }: NodeSet): void {
    if (words.length > this.words.length) this.grow(words.length);
    for (let index = 0; index < words.length; index++) {
      const added = (words[index] ?? 0) & ~(this.words[index] ?? 0);
      this.words[index] = (this.words[index] ?? 0) | added;
      this.count += bitsIn(added);
    }
  }

  private grow(needed: number): void {
    const words = new Int32Array(Math.max(needed, this.words.length * 2));
    words.set(this.words);
    this.words = words;
  }
}

function bitsIn(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
