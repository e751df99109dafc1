import { sha256 } from '@noble/hashes/sha2.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serializeXml } from '../xml/serialize-xml.js';
import { parseXml } from '../xml/parse-xml.js';
import { sealSecrets, withClearSecrets, type HeldSecret, type Sealed, type SealedFrom, type Sealing } from './seal-secrets.js';
import { secretsIn } from './secret-places.js';
import { heldReference } from './secret-reference.js';

vi.mock('@noble/hashes/sha2.js', async (original) => {
  const hashes = await original<{ readonly sha256: typeof sha256 }>();
  return { ...hashes, sha256: vi.fn(hashes.sha256) };
});

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

describe('many secrets of one resource', () => {
  const MANY = 4_000;
  const numbered = (of: (index: number) => string): readonly string[] => Array.from({ length: MANY }, (_, index) => of(index));
  const sets = (values: readonly string[], ids = 's') =>
    values
      .map(
        (value, index) =>
          `<instance_attributes id="${ids}${String(index)}">${pair(value, `${ids}${String(index)}-p`)}</instance_attributes>`,
      )
      .join('');
  const resource = (inside: string) => cib(`<primitive id="db" class="ocf" provider="heartbeat" type="pgsql">${inside}</primitive>`);
  const referencesIn = (document: Sealed['document']) => secretsIn(document).map(({ value }) => value);
  beforeEach(() => void vi.mocked(sha256).mockClear());

  it('are taken out in a time that grows with them, not with their square', () => {
    const document = resource(sets(numbered(String)));
    const first = sealSecrets(document, sealing(), ALL);
    expect(first.secrets).toHaveLength(MANY);
    const again = sealSecrets(document, sealing(heldOf(first)), { ...ALL, before: first.document });
    expect(again.secrets).toEqual([]);
    expect(referencesIn(again.document)).toEqual(referencesIn(first.document));
    // One for each id that was made, two for each value that was held against the one before.
    expect(vi.mocked(sha256).mock.calls.length).toBeLessThanOrEqual(3 * MANY);
  });

  it('of as many agents are compared with them once', () => {
    const primitives = numbered(
      (index) => `<primitive id="r${String(index)}" class="ocf" provider="heartbeat" type="t${String(index)}"/>`,
    ).join('');
    const group = (more = '') => cib(`<group id="g">${sets(numbered(String))}${more}${primitives}</group>`);
    const first = sealSecrets(group(), sealing(), ALL);
    const again = sealSecrets(group('<meta_attributes id="m"/>'), sealing(heldOf(first)), {
      before: first.document,
      of: 'changed',
      restored: false,
    });
    expect(again.secrets).toEqual([]);
    const clear = sealSecrets(group('<meta_attributes id="m"/>'), sealing(), { before: group(), of: 'changed', restored: false });
    expect(clear.secrets).toHaveLength(MANY);
  });

  it('are no list of guesses: the value that is kept is held against one of them', () => {
    const first = sealSecrets(resource(sets(['n666'])), sealing(), ALL);
    const guessed = (inside: string) =>
      referencesIn(sealSecrets(resource(inside), sealing(heldOf(first)), { ...ALL, before: first.document }).document).filter((value) =>
        referencesIn(first.document).includes(value),
      ).length;
    const guesses = numbered((index) => `n${String(index)}`);
    expect(guessed(sets(guesses))).toBe(0);
    expect(guessed(sets(guesses, 'other'))).toBe(0);
    // Nor is its reference, written many times, many values.
    const reference = referencesIn(first.document).slice(0, 1);
    const repeated = { ...ALL, before: resource(sets(numbered(() => reference[0] ?? ''))) };
    expect(referencesIn(sealSecrets(resource(sets(guesses)), sealing(heldOf(first)), repeated).document)).not.toContain(reference[0]);
    expect(guessed(sets(['n666', ...guesses], 'other'))).toBe(2);
    expect(guessed(sets(['n666']))).toBe(1);
  });

  it('keep their references where they stood, whatever is written before them', () => {
    const first = sealSecrets(resource(sets(['a', 'b'])), sealing(), ALL);
    const next = sealSecrets(resource(sets(['c'], 'new') + sets(['a', 'b'])), sealing(heldOf(first)), { ...ALL, before: first.document });
    expect(next.secrets.map(({ value }) => value)).toEqual(['c']);
    expect(referencesIn(next.document).slice(1)).toEqual(referencesIn(first.document));
    // A pair that is named otherwise, as one that is written anew.
    const renamed = sealSecrets(resource(sets(['a', 'b'], 'new')), sealing(heldOf(first)), { ...ALL, before: first.document });
    expect(referencesIn(renamed.document)).toEqual(referencesIn(first.document));
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
