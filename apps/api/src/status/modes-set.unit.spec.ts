import { diffConfiguration, parseXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { modesSet } from './modes-set.js';

const pair = (value: string, id = 'p', name = 'standby'): string => `<nvpair id="${id}" name="${name}" value="${value}"/>`;
const attributes = (...pairs: readonly string[]): string => `<instance_attributes id="s">${pairs.join('')}</instance_attributes>`;
const node = (inside = ''): string => `<node id="2" uname="bravo">${inside}</node>`;
const cib = (nodes: string | undefined): string =>
  `<cib><configuration>${nodes === undefined ? '' : `<nodes><node id="1" uname="alpha"/>${nodes}</nodes>`}<resources/></configuration></cib>`;
const set = (before: string | undefined, after: string | undefined): readonly (readonly [string, boolean])[] => [
  ...modesSet('standby', diffConfiguration(parseXml(cib(before)), parseXml(cib(after)))),
];

describe('nodes that a change of the configuration puts in standby', () => {
  const on = node(attributes(pair('on')));
  it('are those that get the attribute, wherever the change is cut', () => {
    for (const without of [node(attributes()), node(), '', undefined, node(attributes(pair('off')))]) {
      expect(set(without, on)).toEqual([['2', true]]);
      expect(set(on, without)).toEqual([['2', false]]);
    }
  });

  it('are none where it is only written otherwise, or is something else', () => {
    expect(set(on, node(attributes(pair('true', 'another'))))).toEqual([]);
    expect(set(node(), node(attributes(pair('on', 'p', 'other'))))).toEqual([]);
    expect(set(node(), node(`<utilization id="u">${pair('1')}</utilization>`))).toEqual([]);
  });
});
