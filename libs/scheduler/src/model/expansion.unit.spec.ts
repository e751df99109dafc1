import { CibRefused, readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { schedule } from '../schedule.js';

const primitive = (id: string): string => `<primitive id="${id}" class="ocf" provider="acme" type="Service"/>`;
const many = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join('');

function refusalOf(resources: string, constraints = '', more = ''): CibRefused {
  const text = `<cib validate-with="none"><configuration><nodes><node id="1" uname="n1"/></nodes>
    <resources>${resources}</resources>
    <constraints>${constraints}</constraints>${more}</configuration></cib>`;
  try {
    schedule(readCib(text), { now: 0 });
  } catch (error) {
    if (error instanceof CibRefused) return error;
    throw error;
  }
  throw new Error('it was scheduled');
}

const clone = (max: string, child = primitive('p')): string =>
  `<clone id="c"><meta_attributes id="m"><nvpair id="x" name="clone-max" value="${max}"/></meta_attributes>${child}</clone>`;
const set = (id: string, members: number, attributes = ''): string =>
  `<resource_set id="${id}" ${attributes}>${many(members, (index) => `<resource_ref id="r${index % 1000}"/>`)}</resource_set>`;
const thousand = many(1000, (index) => primitive(`r${index}`));

describe('a configuration that stands for too much', () => {
  it.each([
    ['instances', clone('1000000'), "/cib/configuration/resources/clone[@id='c']", 2],
    [
      'instances of a group',
      clone('60000', `<group id="g">${primitive('a')}${primitive('b')}</group>`),
      "/cib/configuration/resources/clone[@id='c']",
      2,
    ],
    [
      'replicas',
      `<bundle id="b"><podman image="i" replicas="100000"/><network ip-range-start="10.0.0.1"/>${primitive('p')}</bundle>`,
      "/cib/configuration/resources/bundle[@id='b']",
      2,
    ],
    [
      'replicas with nothing in them',
      '<bundle id="b"><podman image="i" replicas="2000000000"/></bundle>',
      "/cib/configuration/resources/bundle[@id='b']",
      2,
    ],
  ])('is refused for its %s, with the place', { timeout: 30_000 }, (_, resources, path, line) => {
    const { reason, problems, message } = refusalOf(resources);
    expect({ reason, problems }).toMatchObject({ reason: 'too-large', problems: [{ path, line }] });
    expect(message).toContain('lower ');
  });

  it.each([
    ['99999999999', 'clone-max="99999999999", read as 2147483647, is too much for 1 nodes'],
    ['200000', 'clone-max="200000" makes more than 100000 resources, instances included'],
    ['3000000k', 'clone-max="3000000k", read as 3000000, makes more than 100000 resources, instances included'],
  ])('says of clone-max="%s" what was written, and how it is read', { timeout: 30_000 }, (max, says) => {
    const { message } = refusalOf(clone(max));
    expect(message).toContain(says);
    expect(message).not.toContain('2147483648');
  });

  it.each([
    ['serialized', `<rsc_order id="o" kind="Serialize">${set('s', 2000)}</rsc_order>`, 'rsc_order'],
    [
      'ordered with one another',
      `<rsc_order id="o">${set('s', 1000, 'sequential="false"')}${set('t', 1000, 'sequential="false"')}</rsc_order>`,
      'rsc_order',
    ],
    ['kept apart', `<rsc_colocation id="o" score="-5">${set('s', 2000)}</rsc_colocation>`, 'rsc_colocation'],
    [
      'kept together',
      `<rsc_colocation id="o" score="5">${set('s', 1000, 'sequential="false"')}${set('t', 1000, 'sequential="false"')}</rsc_colocation>`,
      'rsc_colocation',
    ],
  ])('is refused for pairs of resources that are %s', { timeout: 30_000 }, (_, constraint, name) => {
    expect(refusalOf(thousand, constraint)).toMatchObject({
      reason: 'too-large',
      problems: [{ path: `/cib/configuration/constraints/${name}[@id='o']`, line: 3 }],
    });
  });

  it('is refused for tags that double and double', { timeout: 30_000 }, () => {
    const both = (index: number): string => `<obj_ref id="a${index}"/><obj_ref id="b${index}"/>`;
    const tags = many(60, (index) => `<tag id="a${index}">${both(index + 1)}</tag><tag id="b${index}">${both(index + 1)}</tag>`);
    const last = '<tag id="a60"><obj_ref id="p"/></tag><tag id="b60"><obj_ref id="p"/></tag>';
    const constraint = '<rsc_ticket id="o" ticket="t"><resource_set id="s"><resource_ref id="a0"/></resource_set></rsc_ticket>';
    expect(refusalOf(primitive('p'), constraint, `<tags>${tags}${last}</tags>`)).toMatchObject({
      problems: [{ path: "/cib/configuration/constraints/rsc_ticket[@id='o']" }],
    });
  });
});
