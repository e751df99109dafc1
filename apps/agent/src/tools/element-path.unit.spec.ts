import { parseXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { findByPath } from './element-path.js';

const CIB = parseXml(`<cib><configuration><nodes>
  <node id="1" uname="n1"><instance_attributes id="i"><nvpair id="i1" name="site" value="a"/></instance_attributes></node>
  <node id="2" uname="n2"><utilization id="u"><nvpair id="u1" name="cpu" value="8"/><nvpair id="u2" name="ram" value="16"/></utilization></node>
</nodes><resources><group id="g"><primitive id="db"/><primitive id="web"/></group><primitive id="ip"/></resources></configuration></cib>`);

const ids = (path: string): string =>
  findByPath(CIB, path)
    .map(({ element }) => element.attributes['id'] ?? element.name)
    .join(' ');

describe('an XPath', () => {
  it.each([
    ['//nvpair', 'i1 u1 u2'],
    ['/cib/configuration/nodes/node', '1 2'],
    ['//node[@uname=\'n2\']//nvpair[@name="ram"]', 'u2'],
    ['//node[1]', '1'],
    ['//nvpair[1]', 'i1 u1'],
    ['//node[last()]', '2'],
    ['//node[last()]/@id', '2'],
    ['//node[position()=2]', '2'],
    ["//node[contains(@uname,'1')]", '1'],
    ["//node[@id='1'or@id='2']", '1 2'],
    ["//node[not(@id='1')]", '2'],
    ["//node[@id!='1' and starts-with(@uname, 'n')]", '2'],
    ["//node[utilization/nvpair/@name='cpu']", '2'],
    ['//node[utilization]', '2'],
    ['//node[count(.//nvpair) > 1]', '2'],
    ['//nvpair[@value>=10]', 'u2'],
    ['//nvpair/@value', 'i1 u1 u2'],
    ['//@uname', '1 2'],
    ['//node//@value', 'i1 u1 u2'],
    ['//primitive[2]', 'web'],
    ['//resources/descendant::primitive[@id="web"]', 'web'],
    ['/descendant::group', 'g'],
    ["//node[@id='/descendant::x']", ''],
    ['//group/*', 'db web'],
    ["//primitive[@id='ip']|//group", 'g ip'],
    ['//node[string-length(@uname)=2][2]', '2'],
    ['/cib/nodes', ''],
    // As pcs asks for what contains a resource, before it deletes it.
    ['//group/primitive[@id="web"]/..', 'g'],
    ['//nvpair/..', 'i u'],
    ['//nvpair[@id="u1"]/../..', '2'],
    ['//group/primitive/../primitive[2]', 'web'],
    ['/cib/..', ''],
    ['//*[@id]', '1 i i1 2 u u1 u2 g db web ip'],
  ])('%s names %s', (path, found) => {
    expect(ids(path)).toBe(found);
  });

  it.each([
    'count(//node)',
    '//resources/descendant::primitive[1]',
    '//node/parent::nodes',
    '//[',
    '//node[',
    "//node[@id='1'",
    '//node[../@id]',
    '//node[id(1)]',
    '',
    '/',
    '//node]',
    `//node[${'('.repeat(100)}1${')'.repeat(100)}]`,
  ])('that is none, or more than is understood, is refused: %s', (path) => {
    expect(() => findByPath(CIB, path)).toThrow('more than these tools understand');
  });

  it('tells where it found them', () => {
    expect(findByPath(CIB, '//nvpair[@id="u1"]').map(({ path }) => path)).toEqual([
      "/cib/configuration/nodes/node[@id='2']/utilization[@id='u']/nvpair[@id='u1']",
    ]);
  });
});
