import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element, type XmlElement, type XmlNode } from '../xml/element.js';
import { sameXml } from '../xml/same-xml.js';
import { anyComment, anyTree } from '../xml/trees.fixture.js';
import { TreeReceiver } from './tree-receiver.js';
import { TreeSender } from './tree-sender.js';
import type { TreeMessage } from './tree-step.js';
import { TreesDiverged } from './tree-builder.js';

/** Changes somewhere in a tree by path copying: `path` leads down, by whatever is there; `edit` is made at its end. */
interface Edit {
  readonly path: readonly number[];
  readonly edit:
    | { readonly kind: 'add' | 'replace'; readonly at: number; readonly node: XmlNode }
    | { readonly kind: 'remove' | 'double' | 'reverse'; readonly at: number }
    | { readonly kind: 'attributes'; readonly attributes: Readonly<Record<string, string>> };
}

const at = fc.nat(5);
const anyEdit: fc.Arbitrary<Edit> = fc.record({
  path: fc.array(fc.nat(5), { maxLength: 4 }),
  edit: fc.oneof(
    fc.record({ kind: fc.constantFrom('add' as const, 'replace' as const), at, node: fc.oneof(anyTree, anyComment) }),
    fc.record({ kind: fc.constantFrom('remove' as const, 'double' as const, 'reverse' as const), at }),
    fc.record({ kind: fc.constant('attributes' as const), attributes: anyTree.map(({ attributes }) => attributes) }),
  ),
});

function edited(tree: XmlElement, { path: [first, ...rest], edit }: Edit): XmlElement {
  const elements = tree.children.flatMap((child, index) => (child.kind === 'element' ? [{ child, index }] : []));
  const chosen = first === undefined ? undefined : elements[first % Math.max(1, elements.length)];
  if (chosen !== undefined) {
    return { ...tree, children: tree.children.with(chosen.index, edited(chosen.child, { path: rest, edit })) };
  }
  if (edit.kind === 'attributes') return { ...tree, attributes: edit.attributes };
  const { children } = tree;
  const place = edit.at % Math.max(1, children.length);
  const there = children[place];
  switch (edit.kind) {
    case 'add':
      return { ...tree, children: children.toSpliced(place, 0, edit.node) };
    case 'replace':
      return { ...tree, children: children.toSpliced(place, 1, edit.node) };
    case 'remove':
      return { ...tree, children: children.toSpliced(place, 1) };
    case 'double':
      return there === undefined ? tree : { ...tree, children: children.toSpliced(place, 0, there) };
    case 'reverse':
      return { ...tree, children: children.toReversed() };
  }
}

/** As through the boundary of a thread. */
function tell(sender: TreeSender, receiver: TreeReceiver, key: string, tree: XmlElement): readonly TreeMessage[] {
  const messages = [...sender.messages(key, tree)];
  for (const message of messages) receiver.receive(structuredClone(message));
  return messages;
}

/** A status of so many nodes, each with so many results. */
function wide(nodes: number, results: number): XmlElement {
  return element('cib', {}, [
    element('configuration', { id: 'c' }, [element('resources')]),
    element(
      'status',
      {},
      Array.from({ length: nodes }, (_, node) =>
        element('node_state', { id: String(node) }, [
          element(
            'lrm_resources',
            {},
            Array.from({ length: results }, (__, resource) =>
              element('lrm_resource', { id: `r${resource}` }, [element('lrm_rsc_op', { id: `r${resource}_last_0`, 'call-id': '1' })]),
            ),
          ),
        ]),
      ),
    ),
  ]);
}

function withResult(tree: XmlElement, node: number, resource: number, result: XmlElement): XmlElement {
  const down = (of: XmlElement, path: readonly number[]): XmlElement => {
    const [index, ...rest] = path;
    const child = index === undefined ? undefined : of.children[index];
    if (index === undefined || child?.kind !== 'element') return result;
    return { ...of, children: of.children.with(index, down(child, rest)) };
  };
  return down(tree, [1, node, 0, resource, 0]);
}

describe('a tree that is told in parts', () => {
  it('is the same at the other end, whatever has changed in it since the last time', () => {
    fc.assert(
      fc.property(anyTree, fc.array(fc.oneof(anyEdit, anyTree), { maxLength: 6 }), (first, changes) => {
        const sender = new TreeSender(1_000_000);
        const receiver = new TreeReceiver();
        tell(sender, receiver, 'a', first);
        let tree = first;
        for (const change of changes) {
          tree = 'path' in change ? edited(tree, change) : change;
          tell(sender, receiver, 'a', tree);
          expect(sameXml(receiver.tree('a'), tree)).toBe(true);
        }
      }),
    );
  });

  it('is let go of at both ends when it is not told any more, longest ago first, unless little is kept', () => {
    const sender = new TreeSender(1_000_000);
    const receiver = new TreeReceiver();
    const keys = ['a', 'b', 'c'];
    for (const key of keys) tell(sender, receiver, key, wide(2, 10));
    const length = 2_000;
    expect(sender.forgetUnused(0)).toEqual([]);
    tell(sender, receiver, 'a', wide(2, 11));
    expect(sender.forgetUnused(1_000_000)).toEqual([]);
    tell(sender, receiver, 'a', wide(2, 12));
    const unused = sender.forgetUnused(length);
    expect(unused).toEqual(['b', 'c']);
    receiver.forget(unused);
    expect(keys.map((key) => sender.knows(key))).toEqual([true, false, false]);
    expect(() => receiver.tree('b')).toThrow(TreesDiverged);
    tell(sender, receiver, 'b', wide(2, 13));
    expect(sameXml(receiver.tree('b'), wide(2, 13))).toBe(true);
  });

  it('shares at the other end what did not change', () => {
    const receiver = new TreeReceiver();
    const sender = new TreeSender(1_000_000);
    const tree = wide(3, 3);
    tell(sender, receiver, 'a', tree);
    const before = receiver.tree('a');
    tell(sender, receiver, 'a', withResult(tree, 1, 2, element('lrm_rsc_op', { id: 'new' })));
    const after = receiver.tree('a');
    expect(after.children[0]).toBe(before.children[0]);
    const nodes = (of: XmlElement): readonly XmlNode[] => (of.children[1] as XmlElement).children;
    expect(nodes(after).map((node, index) => node === nodes(before)[index])).toEqual([true, false, true]);
  });

  it('costs what has changed, however large it is', () => {
    const sizes = [10, 1_000].map((results) => {
      const tree = wide(4, results);
      const sender = new TreeSender(10_000_000);
      const receiver = new TreeReceiver();
      tell(sender, receiver, 'a', tree);
      const changed = withResult(tree, 2, 7, element('lrm_rsc_op', { id: 'r7_last_0', 'call-id': '2' }));
      const messages = tell(sender, receiver, 'a', changed);
      expect(sameXml(receiver.tree('a'), changed)).toBe(true);
      return JSON.stringify(messages).length;
    });
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) + 50);
  });

  it('costs what has changed, also where all on the way to it was copied', () => {
    const tree = wide(4, 1_000);
    const sender = new TreeSender(10_000_000);
    const receiver = new TreeReceiver();
    tell(sender, receiver, 'a', tree);
    const changed = withResult(tree, 2, 7, element('lrm_rsc_op', { id: 'r7_last_0', 'call-id': '2' }));
    const everywhere = {
      ...changed,
      attributes: { epoch: '2' },
      children: [element('configuration', { id: 'c' }, [element('resources')]), ...changed.children.slice(1)],
    };
    const messages = tell(sender, receiver, 'a', everywhere);
    expect(sameXml(receiver.tree('a'), everywhere)).toBe(true);
    expect(JSON.stringify(messages).length).toBeLessThan(2_000);
  });

  it('comes in parts that are each small', () => {
    const messages = [...new TreeSender(100_000_000).messages('a', wide(8, 4_000))];
    expect(messages.length).toBeGreaterThan(8);
    for (const { steps } of messages) expect(JSON.stringify(steps).length).toBeLessThan(300_000);
  });

  it('is told whole when it shares nothing with what is known, as after a fold from a snapshot', () => {
    const sender = new TreeSender(10_000_000);
    const receiver = new TreeReceiver();
    const [whole, changes] = [0, 1].map(() => tell(sender, receiver, 'a', wide(4, 50)));
    expect(JSON.stringify(changes).length).toBeLessThan(1.2 * JSON.stringify(whole).length);
    expect(sameXml(receiver.tree('a'), wide(4, 50))).toBe(true);
  });

  it('is told whole again when its changes have come to more than it is', () => {
    const sender = new TreeSender(10_000_000);
    const receiver = new TreeReceiver();
    const tree = wide(2, 5);
    const begun: (string | undefined)[] = [];
    for (let round = 0; round < 200; round++) {
      const [first] = tell(
        sender,
        receiver,
        'a',
        withResult(tree, 0, 0, element('lrm_rsc_op', { id: 'x'.repeat(1_000), n: String(round) })),
      );
      begun.push(first?.begins?.from);
    }
    const wholes = begun.filter((from) => from === 'nothing').length;
    expect(wholes).toBeGreaterThan(1);
    expect(wholes).toBeLessThan(10);
  });

  it('makes room for others: what was told longest ago is forgotten at both ends', () => {
    const tree = wide(2, 20);
    const [{ steps } = { steps: [] }] = [...new TreeSender(1).messages('a', tree)];
    const sender = new TreeSender(JSON.stringify(steps).length * 2.5);
    const receiver = new TreeReceiver();
    for (const key of ['a', 'b', 'c', 'd']) tell(sender, receiver, key, tree);
    expect(sender.knows('a')).toBe(false);
    expect(() => receiver.tree('a')).toThrow(TreesDiverged);
    expect(sender.knows('d')).toBe(true);
    expect(sameXml(receiver.tree('d'), tree)).toBe(true);
    tell(sender, receiver, 'a', tree);
    expect(sameXml(receiver.tree('a'), tree)).toBe(true);
  });
});

describe('the other end of a tree that is told in parts', () => {
  it('finds out that it does not know what it should, and takes the whole then', () => {
    const sender = new TreeSender(1_000_000);
    const receiver = new TreeReceiver();
    const tree = wide(3, 3);
    tell(sender, receiver, 'a', tree);
    const missed = withResult(tree, 0, 0, element('other', { id: 'other' }));
    expect([...sender.messages('a', missed)]).toHaveLength(1);
    expect(() => tell(sender, receiver, 'a', withResult(missed, 1, 1, element('another')))).toThrow(TreesDiverged);
    expect(() => receiver.tree('a')).toThrow(TreesDiverged);
    sender.forget('a');
    tell(sender, receiver, 'a', tree);
    expect(sameXml(receiver.tree('a'), tree)).toBe(true);
  });

  it('keeps nothing of a tree of which only the beginning came', () => {
    const sender = new TreeSender(100_000_000);
    const receiver = new TreeReceiver();
    const large = wide(8, 4_000);
    const parts = sender.messages('a', large);
    receiver.receive(structuredClone(parts.next().value as TreeMessage));
    expect(sender.knows('a')).toBe(false);
    expect(() => receiver.tree('a')).toThrow(TreesDiverged);
    tell(sender, receiver, 'a', large);
    expect(sameXml(receiver.tree('a'), large)).toBe(true);
  });
});
