import { describe, expect, it } from 'vitest';
import { steersFencing } from './steering-attributes.js';
import { fencingCluster } from './testing/fencing-cluster.js';

const RULE = '<rule id="f-r" score="10"><expression id="f-e" attribute="rack" operation="eq" value="b"/></rule>';
const SET = `<instance_attributes id="f-p">${RULE}<nvpair id="f-ip" name="ip" value="pdu-b"/></instance_attributes>`;
const fence = (content: string, attributes = 'class="stonith" type="f"') => `<primitive id="f" ${attributes}>${content}</primitive>`;
const web = (content: string) => `<primitive id="web" class="ocf" provider="heartbeat" type="Dummy">${content}</primitive>`;

describe('an attribute by which fencing goes', () => {
  it.each([
    ['in the device itself', fence(SET)],
    ['in its template', `<template id="t" class="stonith" type="f">${SET}</template>${fence('', 'template="t"')}`],
    ['in the device, whose template says that it is one', `<template id="t" class="stonith" type="f"/>${fence(SET, 'template="t"')}`],
    ['in a device of a group', `<group id="g">${fence(SET)}</group>`],
    ['in the group of a device', `<group id="g">${SET}${fence('')}</group>`],
    ['in a device of a clone', `<clone id="c">${fence(SET)}</clone>`],
    ['in a set that the device takes over', fence('<instance_attributes id-ref="f-p"/>') + web(SET)],
    ['in a rule that the device takes over', fence('<instance_attributes id="x"><rule id-ref="f-r"/></instance_attributes>') + web(SET)],
  ])('is one of a rule %s', (_, resources) => {
    expect(steersFencing(fencingCluster(resources), 'rack')).toBe(true);
  });

  it.each([
    ['another resource', fence('') + web(SET)],
    ['a template that no device has', `<template id="t" class="ocf" provider="heartbeat" type="Dummy">${SET}</template>${fence('')}`],
  ])('is not one of a rule in %s', (_, resources) => {
    expect(steersFencing(fencingCluster(resources), 'rack')).toBe(false);
  });
});
