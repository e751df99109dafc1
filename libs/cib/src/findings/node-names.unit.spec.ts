import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { findingsOf } from './configuration-findings.js';

const found = (nodes: readonly string[], resources = ''): readonly string[] =>
  findingsOf(
    parseXml(
      `<cib><configuration><nodes>${nodes.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('')}</nodes>` +
        `<resources>${resources}</resources></configuration></cib>`,
    ),
  )
    .filter(({ kind }) => ['unusable-node-name', 'look-alike', 'unseen-character'].includes(kind))
    .map(({ kind, level, path, message }) => `${level} ${kind} ${path}: ${message}`);

const at = (id: number): string => `/cib/configuration/nodes/node[@id='${String(id)}']`;

describe('names of nodes', () => {
  it.each(['n1', 'db-1.example.com', 'Web_2', '10.0.0.1', 'a'.repeat(64)])('may be %s', (name) => {
    expect(found([name])).toEqual([]);
  });

  it.each<[name: string, says: string]>([
    ['a/b', 'holds "/"'],
    ['a b', 'holds " "'],
    ['-a', 'begins with "-"'],
    ['a'.repeat(65), 'has 65 characters'],
    ['knot\u00e9', 'holds "é" (U+00E9)'],
    ['knote\u0301', 'holds "\u0301" (U+0301)'],
    ['\u0430pple', 'begins with "\u0430" (U+0430)'],
  ])('are no %s, under which no agent could join', (name, says) => {
    const [first, ...others] = found([name]);
    expect(first).toContain(`error unusable-node-name ${at(1)}: uname: `);
    expect(first).toContain(says);
    expect(others).toEqual([]);
  });

  it('say once what is wrong with them', () => {
    expect(found(['a\u202eb'])).toEqual([expect.stringContaining('unseen-character')]);
  });

  it('of guests say it, too, where they are values', () => {
    const guest =
      '<primitive id="vm" class="ocf" provider="heartbeat" type="VirtualDomain"><meta_attributes id="m"><nvpair id="p" name="remote-node" value="g\u200b1"/></meta_attributes></primitive>';
    expect(found(['n1'], guest)).toEqual([expect.stringContaining('error unusable-node-name')]);
  });

  it.each<[what: string, one: string, other: string]>([
    ['in NFC and NFD', 'knot\u00e9', 'knote\u0301'],
    ['in Latin and with a letter of Cyrillic', 'apple', '\u0430pple'],
    ['in Latin and with a letter of Greek', 'node', 'n\u03bfde'],
    ['in forms of compatibility', 'node', '\uff4eode'],
    ['but for their case', 'n1', 'N1'],
    ['in another case, too', 'APPLE', '\u0430pple'],
  ])('that look alike %s are told', (_, one, other) => {
    expect(found([one, 'between', other]).filter((text) => text.includes('look-alike'))).toEqual([
      `warning look-alike ${at(3)}: uname: "${other}" looks like node "${one}" and is another: give one of them another name`,
    ]);
  });

  it('that differ to the eye are not', () => {
    expect(found(['n1', 'n2', 'node-1', 'node_1']).filter((text) => text.includes('look-alike'))).toEqual([]);
  });

  it('of remote nodes whose resource is gone are told with their entries, once', () => {
    const entry = (name: string): string => `<node id="${name}" uname="${name}" type="remote"/>`;
    const document = parseXml(`<cib><configuration><nodes>${entry('a\u202eb')}${entry('a/b')}</nodes><resources/></configuration></cib>`);
    expect(findingsOf(document).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "unusable-node-name /cib/configuration/nodes/node[@id='a\u202eb']",
      "unusable-node-name /cib/configuration/nodes/node[@id='a/b']",
    ]);
  });

  it('of remote nodes, guests and bundles are looked at, too', () => {
    const guest =
      '<primitive id="vm" class="ocf" provider="heartbeat" type="VirtualDomain"><meta_attributes id="m"><nvpair id="p" name="remote-node" value="g/1"/></meta_attributes></primitive>';
    const remote = '<primitive id="\u00e9" class="ocf" provider="pacemaker" type="remote"/>';
    const bundle = `<bundle id="${'b'.repeat(63)}"><podman image="i" replicas="3"/><network control-port="9"/><primitive id="p1" class="ocf" provider="pacemaker" type="Dummy"/></bundle>`;
    expect(found(['n1'], guest + remote + bundle)).toEqual([
      expect.stringContaining('error unusable-node-name /cib/configuration/resources/primitive[@id=\'vm\']: remote-node: "g/1" holds'),
      expect.stringContaining('error unusable-node-name'),
      expect.stringMatching(/^error unusable-node-name .*bundle.*has 65 characters/),
    ]);
  });
});
