import { heldReference, parseXml, type HeldSecret } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { secretIdsIn, withSecrets } from './action-secrets.js';
import type { AgentAction } from './agent-action.js';

const ID = '0f343b0931126a20f133d67c2b018a3b';
const REFERENCE = heldReference(ID);
const start: AgentAction = {
  actionId: 'e:1:1',
  kind: 'operation',
  transitionKey: '1:1:0:e',
  operation: 'start',
  intervalMs: 0,
  timeoutMs: 1_000,
  expectedRc: 0,
  resource: { id: 'db:0', historyId: 'db', class: 'OCF', provider: 'heartbeat', type: 'pgsql' },
  parameters: { password: REFERENCE, user: 'dba' },
  meta: {},
};
const locked: HeldSecret = { owner: 'db', parameter: 'password', agents: ['ocf:heartbeat:pgsql'] };
const held: HeldSecret = { ...locked, value: 'geheim' };

const cibOf = (resources: string) => parseXml(`<cib><configuration><resources>${resources}</resources></configuration></cib>`);
const database = (id: string, more = '') =>
  `<primitive id="${id}" class="ocf" provider="heartbeat" type="pgsql"><instance_attributes id="${id}-p">${more}</instance_attributes></primitive>`;
const PAIR = `<nvpair id="pair" name="password" value="${REFERENCE}"/>`;
const CIB = cibOf(`<clone id="c">${database('db', PAIR)}</clone>`);

describe('the secrets of an action', () => {
  it('are given to the agent that they were given for', () => {
    expect(secretIdsIn([start, start])).toEqual([ID]);
    const given = withSecrets(start, { [ID]: held }, CIB);
    expect(given).toEqual({ ...start, secrets: { [REFERENCE]: 'geheim' } });
    expect(withSecrets({ ...start, parameters: {} }, { [ID]: held }, CIB)).toEqual({ ...start, parameters: {} });
  });

  it('are given to no other agent and in no other parameter, however the reference came there', () => {
    const printer = { ...start, resource: { ...start.resource, type: 'printer' } };
    expect(withSecrets(printer, { [ID]: held }, CIB).withheld?.[REFERENCE]).toMatch(/not told to ocf:heartbeat:printer/);
    const other = { ...start, parameters: { motd: REFERENCE } };
    expect(withSecrets(other, { [ID]: held }, CIB)).toMatchObject({
      withheld: { [REFERENCE]: expect.stringMatching(/given for password/) as string },
    });
    expect(withSecrets(other, { [ID]: held }, CIB).secrets).toBeUndefined();
  });

  it('are withheld when they were erased or are not there, and neither given nor withheld when no key opens them', () => {
    expect(withSecrets(start, { [ID]: { ...locked, erased: true } }, CIB).withheld?.[REFERENCE]).toMatch(/erased/);
    expect(withSecrets(start, {}, CIB).withheld?.[REFERENCE]).toMatch(/does not have/);
    expect(withSecrets(start, { [ID]: locked }, CIB)).toEqual(start);
  });

  it('go to a fence agent by its name', () => {
    const fence = {
      fencingId: 'f',
      target: 'n2',
      action: 'off' as const,
      deviceId: 'power',
      agent: 'fence_ipmilan',
      parameters: { password: REFERENCE },
    };
    const order: AgentAction = { ...start, kind: 'fence', parameters: {}, fence };
    const power = cibOf(`<primitive id="power" class="stonith" type="fence_ipmilan"/>`);
    expect(withSecrets(order, { [ID]: { ...held, owner: 'power', agents: ['stonith:fence_ipmilan'] } }, power).secrets).toEqual({
      [REFERENCE]: 'geheim',
    });
    expect(withSecrets(order, { [ID]: held }, CIB).withheld).toBeDefined();
  });

  it.each([
    ['its own', 'db', database('db', PAIR)],
    [
      'those of the clone around it',
      'c',
      `<clone id="c"><instance_attributes id="i">${PAIR}</instance_attributes>${database('db')}</clone>`,
    ],
    [
      'those of its template',
      't',
      `<template id="t"><instance_attributes id="i">${PAIR}</instance_attributes></template><primitive id="db" template="t"/>`,
    ],
    [
      'those of another one, which it takes over by id-ref',
      'lender',
      `${database('lender', PAIR)}<primitive id="db"><instance_attributes id-ref="lender-p"/></primitive>`,
    ],
    ['its own, given to it under a former name', 'former', database('db', PAIR)],
    ['those of before, as it is not configured any more', 'lender', database('lender', PAIR)],
  ])('are given to a resource whose parameters they stand among: %s', (_, owner, resources) => {
    expect(withSecrets(start, { [ID]: { ...held, owner } }, cibOf(resources))).toEqual({ ...start, secrets: { [REFERENCE]: 'geheim' } });
  });

  it.each([
    ['those of another one', `${database('lender', PAIR)}${database('db')}`],
    ['its own, given for another one that is there still', `${database('lender')}${database('db', PAIR)}`],
    [
      'meta-attributes, taken over by id-ref',
      `${database('lender')}<primitive id="x"><meta_attributes id="m">${PAIR}</meta_attributes></primitive><primitive id="db"><instance_attributes id="i"><nvpair id-ref="pair"/></instance_attributes></primitive>`,
    ],
    [
      'meta-attributes, though whose they were is no more',
      `<primitive id="x"><meta_attributes id="m">${PAIR}</meta_attributes></primitive><primitive id="db"><instance_attributes id="i"><nvpair id-ref="pair"/></instance_attributes></primitive>`,
    ],
  ])('are given to no other resource of the same agent: %s', (_, resources) => {
    expect(withSecrets(start, { [ID]: { ...held, owner: 'lender' } }, cibOf(resources))).toEqual({
      ...start,
      withheld: { [REFERENCE]: 'the secret was given for lender, and is not told to db: give its value anew' },
    });
  });
});
