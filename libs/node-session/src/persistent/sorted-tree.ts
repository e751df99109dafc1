/**
 * Values by key, in the order of the keys: a balanced binary tree (AVL: the heights of two branches differ by one at most). Each version stays as it is: a change makes
 * the nodes on the way to the key anew, some `1.44 · log2(size)` of them, and shares the rest. Plain data.
 */
export type SortedTree<K, V> = TreeNode<K, V> | undefined;

interface TreeNode<K, V> {
  readonly key: K;
  readonly value: V;
  readonly left: SortedTree<K, V>;
  readonly right: SortedTree<K, V>;
  readonly height: number;
}

/** Negative: the first key is before the second; 0: they are the same. One tree is always used with one order. */
export type Order<K> = (one: K, other: K) => number;

function heightOf(tree: SortedTree<unknown, unknown>): number {
  return tree === undefined ? 0 : tree.height;
}

function node<K, V>(key: K, value: V, left: SortedTree<K, V>, right: SortedTree<K, V>): TreeNode<K, V> {
  return { key, value, left, right, height: 1 + Math.max(heightOf(left), heightOf(right)) };
}

/** A node of branches whose heights differ by two at most, balanced. */
function balanced<K, V>(key: K, value: V, left: SortedTree<K, V>, right: SortedTree<K, V>): TreeNode<K, V> {
  const slant = heightOf(left) - heightOf(right);
  if (slant > 1 && left !== undefined) {
    const inner = left.right;
    if (inner === undefined || heightOf(left.left) >= heightOf(inner))
      return node(left.key, left.value, left.left, node(key, value, inner, right));
    return node(inner.key, inner.value, node(left.key, left.value, left.left, inner.left), node(key, value, inner.right, right));
  }
  if (slant < -1 && right !== undefined) {
    const inner = right.left;
    if (inner === undefined || heightOf(right.right) >= heightOf(inner))
      return node(right.key, right.value, node(key, value, left, inner), right.right);
    return node(inner.key, inner.value, node(key, value, left, inner.left), node(right.key, right.value, inner.right, right.right));
  }
  return node(key, value, left, right);
}

export function found<K, V>(tree: SortedTree<K, V>, key: K, order: Order<K>): TreeNode<K, V> | undefined {
  let at = tree;
  while (at !== undefined) {
    const direction = order(key, at.key);
    if (direction === 0) return at;
    at = direction < 0 ? at.left : at.right;
  }
  return undefined;
}

export function inserted<K, V>(tree: SortedTree<K, V>, key: K, value: V, order: Order<K>): TreeNode<K, V> {
  if (tree === undefined) return node(key, value, undefined, undefined);
  const direction = order(key, tree.key);
  if (direction === 0) return { ...tree, value };
  return direction < 0
    ? balanced(tree.key, tree.value, inserted(tree.left, key, value, order), tree.right)
    : balanced(tree.key, tree.value, tree.left, inserted(tree.right, key, value, order));
}

/** The tree itself when it has no such key. */
export function removed<K, V>(tree: SortedTree<K, V>, key: K, order: Order<K>): SortedTree<K, V> {
  if (tree === undefined) return undefined;
  const direction = order(key, tree.key);
  if (direction === 0) {
    const next = first(tree.right);
    return next === undefined ? tree.left : balanced(next.key, next.value, tree.left, removed(tree.right, next.key, order));
  }
  const before = direction < 0 ? tree.left : tree.right;
  const rest = removed(before, key, order);
  if (rest === before) return tree;
  return direction < 0 ? balanced(tree.key, tree.value, rest, tree.right) : balanced(tree.key, tree.value, tree.left, rest);
}

export function first<K, V>(tree: SortedTree<K, V>): TreeNode<K, V> | undefined {
  let at = tree;
  while (at?.left !== undefined) at = at.left;
  return at;
}

/** The entries whose keys are not before `isFrom` first says so, in order: it has to be false for keys up to some place, and true from there on. */
export function* entriesFrom<K, V>(tree: SortedTree<K, V>, isFrom: (key: K) => boolean): Generator<TreeNode<K, V>, undefined> {
  const later: TreeNode<K, V>[] = [];
  const descend = (from: SortedTree<K, V>): void => {
    for (let at = from; at !== undefined;) {
      if (isFrom(at.key)) {
        later.push(at);
        at = at.left;
      } else at = at.right;
    }
  };
  descend(tree);
  for (let at = later.pop(); at !== undefined; at = later.pop()) {
    yield at;
    descend(at.right);
  }
  return undefined;
}
