import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { findingsOf } from './configuration-findings.js';

const DUMMY = 'class="ocf" provider="heartbeat" type="Dummy"';

const found = (resources: string, defaults = ''): readonly string[] =>
  findingsOf(
    parseXml(`<cib><configuration><crm_config/><nodes/><resources>${resources}</resources><constraints/>${defaults}</configuration></cib>`),
  ).flatMap(({ kind, level, path }) => (kind === 'unmonitored' ? [`${level} ${path.replace('/cib/configuration/resources/', '')}`] : []));

const operations = (...ops: readonly string[]): string =>
  `<operations>${ops.map((op, index) => `<op id="op${String(index)}" ${op}/>`).join('')}</operations>`;
const set = (element: string, name: string, value: string): string =>
  `<${element} id="${name}-set"><nvpair id="${name}-pair" name="${name}" value="${value}"/></${element}>`;

describe('a primitive that nothing monitors', () => {
  it('is told, as a warning, with its place', () => {
    expect(found(`<primitive id="a" ${DUMMY}/>`)).toEqual(["warning primitive[@id='a']"]);
    expect(
      found(`<primitive id="a" ${DUMMY}>${operations('name="start" interval="0s"', 'name="monitor" interval="0s"')}</primitive>`),
    ).toHaveLength(1);
    expect(found(`<primitive id="a" ${DUMMY}>${operations('name="monitor" interval="10s" role="Stopped"')}</primitive>`)).toHaveLength(1);
    expect(
      found(`<clone id="c"><group id="g"><primitive id="a" ${DUMMY}/><primitive id="b" class="systemd" type="nginx"/></group></clone>`),
    ).toEqual(["warning clone[@id='c']/group[@id='g']/primitive[@id='a']", "warning clone[@id='c']/group[@id='g']/primitive[@id='b']"]);
  });

  it('is not told where it has a monitor of its own, of its template, or of another resource', () => {
    const monitor = operations('name="monitor" interval="10s"');
    expect(found(`<primitive id="a" ${DUMMY}>${monitor}</primitive>`)).toEqual([]);
    expect(found(`<template id="t" ${DUMMY}>${monitor}</template><primitive id="a" template="t"/>`)).toEqual([]);
    expect(found(`<template id="t" ${DUMMY}/><primitive id="a" template="t"/>`)).toHaveLength(1);
    const shared = monitor.replace('<operations', '<operations id="ops"');
    expect(
      found(`<primitive id="a" ${DUMMY}>${shared}</primitive><primitive id="b" ${DUMMY}><operations id-ref="ops"/></primitive>`),
    ).toEqual([]);
  });

  it('is not told where somebody has switched the monitor off, nor of what is not managed, nor of fence devices', () => {
    expect(found(`<primitive id="a" ${DUMMY}>${operations('name="monitor" interval="10s" enabled="false"')}</primitive>`)).toEqual([]);
    const unmanaged = set('meta_attributes', 'is-managed', 'false');
    expect(found(`<primitive id="a" ${DUMMY}>${unmanaged}</primitive>`)).toEqual([]);
    expect(found(`<group id="g">${unmanaged}<primitive id="a" ${DUMMY}/></group>`)).toEqual([]);
    expect(found(`<primitive id="a" ${DUMMY}/>`, `<rsc_defaults>${unmanaged}</rsc_defaults>`)).toEqual([]);
    expect(found('<primitive id="a" class="stonith" type="fence_ipmilan"/>')).toEqual([]);
  });
});
