import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element, type XmlElement, type XmlNode } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { sameXml } from '../xml/same-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { applyPatch } from './apply-patch.js';
import { patchBetween } from './patch-between.js';

const A = parseXml('<cib epoch="1"><configuration><a><x id="1"/><x id="2"/><!-- k --><x id="3"/></a></configuration></cib>');
const B = parseXml(
  '<cib epoch="3"><configuration><!-- c --><a><x id="3"/><y id="9" z="1"><k/></y><x id="1" w="2"/></a></configuration></cib>',
);

describe('patches between documents', () => {
  it('tell what goes, comes, moves and changes', () => {
    const patch = patchBetween(A, B, { version: false });
    expect(patch === undefined ? '' : serializeXml(patch)).toMatchInlineSnapshot(`
      "<diff format="2">
        <change operation="delete" path="/cib/configuration/a/comment" position="2"/>
        <change operation="delete" path="/cib/configuration/a/x[@id='2']"/>
        <change operation="create" path="/cib/configuration" position="0">
          <!-- c -->
        </change>
        <change operation="move" path="/cib/configuration/a/x[@id='3']" position="0"/>
        <change operation="create" path="/cib/configuration/a" position="1">
          <y id="9" z="1">
            <k/>
          </y>
        </change>
        <change operation="modify" path="/cib/configuration/a/x[@id='1']">
          <change-list>
            <change-attr name="w" operation="set" value="2"/>
          </change-list>
          <change-result>
            <x id="1" w="2"/>
          </change-result>
        </change>
      </diff>
      "
    `);
  });

  it('tell the versions where they are asked to, and nothing of what is the same', () => {
    const patch = patchBetween(A, B, { version: true });
    expect(patch === undefined ? '' : serializeXml(patch)).toContain('<target epoch="3"/>');
    expect(patchBetween(A, A, { version: true })).toBeUndefined();
    expect(patchBetween(A, { ...A, attributes: { epoch: '7' } }, { version: false })).toBeUndefined();
  });

  it.each([
    ['<diff/>', 'a patch is a <diff format="2">'],
    ['<diff format="2"><change operation="delete" path="/cib/nothing"/></diff>', 'there is no /cib/nothing'],
    ['<diff format="2"><change operation="delete" path="/cib"/></diff>', 'whole document'],
    ['<diff format="2"><change operation="move" path="/cib/configuration" position="x"/></diff>', "can't be moved there"],
    ['<diff format="2"><change operation="create" path="/cib/none" position="0"><a/></change></diff>', 'there is no /cib/none'],
    ['<diff format="2"><change operation="create" path="/cib"/></diff>', 'has no place'],
    ['<diff format="2"><change operation="modify" path="/cib/configuration"/></diff>', 'no change-result'],
    ['<diff format="2"><change operation="dance" path="/cib"/></diff>', '"dance" is no operation'],
    ['<diff format="2"><change operation="delete" path="nonsense ["/></diff>', 'there is no nonsense'],
  ])('refuse %s', (patch, message) => {
    expect(applyPatch(A, parseXml(patch))).toMatchObject({ message: expect.stringContaining(message) as string });
  });

  it('create within what moves', () => {
    const before = parseXml('<cib><a id="1"/><a id="2"/><a id="3"/></cib>');
    const after = parseXml('<cib><a id="3"><k/></a><a id="1"/><a id="2"><l/></a></cib>');
    const patch = patchBetween(before, after, { version: false });
    const patched = patch === undefined ? before : applyPatch(before, patch);
    expect(patched.kind === 'element' ? serializeXml(patched) : patched).toBe(serializeXml(after));
  });

  const name = fc.constantFrom('a', 'b', 'c');
  const attributes = fc.dictionary(fc.constantFrom('id', 'x', 'y'), fc.constantFrom('1', '2', '3'));
  const { tree } = fc.letrec<{ tree: XmlElement; node: XmlNode }>((tie) => ({
    tree: fc
      .record({ name, attributes, children: fc.array(tie('node'), { maxLength: 4 }) })
      .map(({ name: of, attributes: own, children }) => element(of, own, distinct(children))),
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<XmlNode>({ kind: 'comment', text: ' k ' }, { kind: 'comment', text: ' l ' }),
      tie('tree'),
    ),
  }));

  it('lead from any document to any other', () => {
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const before = element('cib', {}, [one]);
        const after = element('cib', {}, [other]);
        const patch = patchBetween(before, after, { version: false });
        const patched = patch === undefined ? before : applyPatch(before, parseXml(serializeXml(patch)));
        expect(patched.kind === 'element' && sameXml(inOrder(patched), inOrder(after))).toBe(true);
      }),
    );
  });
});

/** Siblings that can't be told apart by name and id are told apart by nothing in a path: the documents of the property have none, and no comment twice. */
function distinct(children: readonly XmlNode[]): readonly XmlNode[] {
  const seen = new Set<string>();
  return children.filter((child) => {
    const key = child.kind === 'comment' ? child.text : `${child.name} ${child.attributes['id'] ?? ''}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The order of attributes says nothing. */
function inOrder(node: XmlElement): XmlElement {
  const attributes = Object.fromEntries(Object.entries(node.attributes).sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...node, attributes, children: node.children.map((child) => (child.kind === 'element' ? inOrder(child) : child)) };
}
