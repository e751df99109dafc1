import { describe, expect, it } from 'vitest';
import { serializeXml } from '../xml/serialize-xml.js';
import { parseXml } from '../xml/parse-xml.js';
import { sealSecrets, withClearSecrets, type HeldSecret, type Sealed, type SealedFrom, type Sealing } from './seal-secrets.js';
import { secretsIn } from './secret-places.js';
import { heldReference } from './secret-reference.js';

const cib = (resources: string) =>
  parseXml(
    `<cib><configuration><nodes><node id="1" uname="n1"><instance_attributes id="n"><nvpair id="np" name="password" value="of-a-node"/></instance_attributes></node></nodes><resources>${resources}</resources></configuration></cib>`,
  );
const pair = (value: string, id = 'p', name = 'passwd') => `<nvpair id="${id}" name="${name}" value="${value}"/>`;
const device = (value: string, { id = 'fence', type = 'fence_ipmilan', more = '' } = {}) =>
  `<primitive id="${id}" class="stonith" type="${type}"><instance_attributes id="${id}-p">${pair(value, `${id}-passwd`)}${more}</instance_attributes></primitive>`;

let seeds = 0;
const sealing = (held: Readonly<Record<string, HeldSecret>> = {}, more: Partial<Sealing> = {}): Sealing => ({
  seed: `seed ${String(++seeds)}`,
  held,
  patterns: [],
  mayKeep: true,
  mayMove: false,
  ...more,
});
const heldOf = ({ secrets }: Sealed): Readonly<Record<string, HeldSecret>> =>
  Object.fromEntries(secrets.map((secret) => [secret.id, secret]));
const ALL: SealedFrom = { before: undefined, of: 'all', restored: false };

describe('sealing a configuration', () => {
  it('takes every secret out, whichever set it stands in', () => {
    const document = cib(
      `<template id="t" class="ocf" provider="heartbeat" type="pgsql"><instance_attributes id="t-p">${pair('in-template', 't1')}</instance_attributes></template>` +
        `<group id="g"><instance_attributes id="g-p">${pair('in-group', 'g1')}</instance_attributes>` +
        `<primitive id="db" template="t"><instance_attributes id="a"><rule id="r" score="INFINITY"/>${pair('by-rule', 'd1')}</instance_attributes><instance_attributes id="b">${pair('other', 'd2', 'user')}</instance_attributes>` +
        `<operations><op id="o" name="monitor" interval="10s"><instance_attributes id="o-p">${pair('of-operation', 'o1', 'monpassword')}</instance_attributes></op></operations></primitive></group>`,
    );
    const sealed = sealSecrets(document, sealing(), ALL);
    expect(sealed.mistakes).toEqual([]);
    expect(sealed.secrets.map(({ owner, parameter, agents, value }) => [owner, parameter, agents, value])).toEqual([
      ['t', 'passwd', ['ocf:heartbeat:pgsql'], 'in-template'],
      ['g', 'passwd', ['ocf:heartbeat:pgsql'], 'in-group'],
      ['db', 'passwd', ['ocf:heartbeat:pgsql'], 'by-rule'],
      ['db', 'monpassword', ['ocf:heartbeat:pgsql'], 'of-operation'],
    ]);
    const text = serializeXml(sealed.document);
    expect(text).not.toMatch(/in-template|in-group|by-rule|of-operation/);
    // Attributes of nodes are no parameters.
    expect(text).toContain('of-a-node');
    const values = Object.fromEntries(sealed.secrets.map(({ id, value }) => [id, value]));
    expect(serializeXml(withClearSecrets(sealed.document, values))).toBe(serializeXml(document));
  });

  it('leaves references to what lies on nodes, empty values and what takes a value away', () => {
    const document = cib(
      ['systole-secret:file:/x', 'lrm://', '', '#default'].map((value, at) => device(value, { id: `d${String(at)}` })).join(''),
    );
    expect(sealSecrets(document, sealing(), ALL)).toEqual({ document, secrets: [], mistakes: [] });
  });

  it('refuses what is no reference, and every clear value where there is no key', () => {
    const sealed = sealSecrets(
      cib(device('systole-secret:nonsense') + device('clear', { id: 'other' })),
      sealing({}, { mayKeep: false }),
      ALL,
    );
    expect(sealed.mistakes.map(({ kind, path }) => [kind, path.split('/').at(-1)])).toEqual([
      ['malformed', "nvpair[@id='fence-passwd']"],
      ['no-key', "nvpair[@id='other-passwd']"],
    ]);
    expect(JSON.stringify(sealed.mistakes)).not.toContain('nonsense');
  });

  it('gives the same value in the same place the same reference, and another one another', () => {
    const first = sealSecrets(cib(device('geheim')), sealing(), ALL);
    const again = sealSecrets(cib(device('geheim')), sealing(heldOf(first)), { ...ALL, before: first.document });
    expect(serializeXml(again.document)).toBe(serializeXml(first.document));
    expect(again.secrets).toEqual([]);
    const changed = sealSecrets(cib(device('anders')), sealing(heldOf(first)), { ...ALL, before: first.document });
    expect(changed.secrets).toHaveLength(1);
    expect(serializeXml(changed.document)).not.toBe(serializeXml(first.document));
  });

  it('leaves what stood in clear where nothing of its resource is written', () => {
    const before = cib(device('old') + device('old', { id: 'other' }));
    const next = cib(device('old') + device('old', { id: 'other', more: '<nvpair id="ip" name="ip" value="10.0.0.9"/>' }));
    const sealed = sealSecrets(next, sealing(), { before, of: 'changed', restored: false });
    expect(sealed.secrets.map(({ owner }) => owner)).toEqual(['other']);
    expect(sealSecrets(next, sealing(), { ...ALL, before }).secrets.map(({ owner }) => owner)).toEqual(['fence', 'other']);
  });
});

describe('a reference that somebody gives', () => {
  const first = sealSecrets(cib(device('geheim')), sealing(), ALL);
  const [secret] = first.secrets;
  const id = secret?.id ?? '';
  const reference = heldReference(id);
  const judge = (resources: string, more: Partial<Sealing> = {}, held = heldOf(first)) =>
    sealSecrets(cib(resources), sealing(held, more), { before: first.document, of: 'changed', restored: false });
  const kinds = ({ mistakes }: Sealed): readonly string[] => mistakes.map(({ kind }) => kind);

  it('may stay where its value was given', () => {
    expect(kinds(judge(device(reference)))).toEqual([]);
  });

  it('is refused in another resource, in another parameter, and for another agent', () => {
    expect(kinds(judge(device(reference) + device(reference, { id: 'mine' })))).toEqual(['elsewhere']);
    expect(kinds(judge(device(reference, { more: pair(reference, 'x', 'login') })))).toEqual(['elsewhere']);
    expect(kinds(judge(device(reference, { type: 'fence_printer' })))).toEqual(['elsewhere']);
  });

  it('makes a secret of its own elsewhere for who may see secrets', () => {
    const moved = judge(device(reference) + device(reference, { id: 'mine' }), { mayMove: true });
    expect(kinds(moved)).toEqual([]);
    expect(moved.secrets).toMatchObject([{ owner: 'mine', value: 'geheim' }]);
    expect(moved.secrets[0]?.id).not.toBe(id);
  });

  it('is refused where this cluster has no such secret, or has erased it', () => {
    const unknown = heldReference('0'.repeat(32));
    expect(kinds(judge(device(unknown)))).toEqual(['unknown']);
    const erased = { [id]: { owner: 'fence', parameter: 'passwd', agents: ['stonith:fence_ipmilan'], erased: true as const } };
    expect(kinds(sealSecrets(cib(device(reference)), sealing(erased), ALL))).toEqual(['erased']);
    // What stands there already keeps nobody from changing something else, and may be brought back.
    expect(kinds(judge(device(reference), {}, erased))).toEqual([]);
    expect(kinds(sealSecrets(cib(device(reference)), sealing(erased), { ...ALL, restored: true }))).toEqual([]);
  });

  it('takes no name of an object for an id', () => {
    const document = cib(
      device('x', { more: '<nvpair id="y" name="__proto__password" value="v"/><nvpair id="z" name="constructor" value="c"/>' }),
    );
    expect(secretsIn(document).map(({ parameter }) => parameter)).toEqual(['passwd', '__proto__password']);
  });
});
