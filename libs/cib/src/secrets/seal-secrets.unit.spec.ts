import * as hashes from '@noble/hashes/sha2.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('are taken out in a time that grows with them, not with their square', async () => {
    const sha256 = vi.fn(hashes.sha256);
    vi.resetModules();
    vi.doMock('@noble/hashes/sha2.js', () => ({ ...hashes, sha256 }));
    onTestFinished(() => {
      vi.doUnmock('@noble/hashes/sha2.js');
      vi.resetModules();
    });
    const { sealSecrets: sealCounted } = await import('./seal-secrets.js');
    const document = resource(sets(numbered(String)));
    const first = sealCounted(document, sealing(), ALL);
    expect(first.secrets).toHaveLength(MANY);
    const again = sealCounted(document, sealing(heldOf(first)), { ...ALL, before: first.document });
    expect(again.secrets).toEqual([]);
    expect(referencesIn(again.document)).toEqual(referencesIn(first.document));
    expect(sha256.mock.calls.length).toBeGreaterThan(0);
    // One for each id that was made, two for each value that was held against the one before.
    expect(sha256.mock.calls.length).toBeLessThanOrEqual(3 * MANY);
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

describe('a secret that another resource takes over by id-ref', () => {
  const first = sealSecrets(cib(device('geheim')), sealing(), ALL);
  const reference = heldReference(first.secrets[0]?.id ?? '');
  const borrower = (inside: string) => `<primitive id="mine" class="stonith" type="fence_ipmilan">${inside}</primitive>`;
  const BORROWED = '<instance_attributes id-ref="fence-p"/>';
  const write = (resources: string, more: Partial<Sealing> = {}, from: Partial<SealedFrom> = {}) =>
    sealSecrets(cib(resources), sealing(heldOf(first), more), { before: first.document, of: 'changed', restored: false, ...from });
  const kinds = ({ mistakes }: Sealed): readonly string[] => mistakes.map(({ kind }) => kind);

  it.each([
    ['as a set', borrower(BORROWED)],
    ['as a pair', borrower('<instance_attributes id="m"><nvpair id-ref="fence-passwd"/></instance_attributes>')],
    [
      'by way of a third one',
      `<template id="t" class="stonith" type="fence_apc"><instance_attributes id="t-p"><nvpair id-ref="fence-passwd"/></instance_attributes></template>${borrower('<instance_attributes id-ref="t-p"/>')}`,
    ],
    ['under a rule', borrower('<instance_attributes id="m"><rule id="r" score="1"/><nvpair id-ref="fence-passwd"/></instance_attributes>')],
    ['in an operation', borrower(`<operations><op id="o" name="monitor" interval="9s">${BORROWED}</op></operations>`)],
    ['in what contains it', `<group id="g">${BORROWED}${borrower('')}</group>`],
    ['in its template', `<template id="t" class="stonith" type="fence_ipmilan">${BORROWED}</template>`],
  ])('is refused to who may not see secrets: %s', (_, resources) => {
    const sealed = write(device(reference) + resources);
    expect([...new Set(kinds(sealed))]).toEqual(['elsewhere']);
    expect(sealed.mistakes[0]?.message).toMatch(/takes over passwd .*fence.*write/);
    expect(sealed.mistakes[0]?.attribute).toBe('id-ref');
    expect(kinds(write(device(reference) + resources, {}, { restored: true, of: 'all' }))).toContain('elsewhere');
    expect(write(device(reference) + resources, { mayMove: true })).toMatchObject({ mistakes: [], secrets: [] });
  });

  it.each([
    ['operations', 'operations id-ref="ops"'],
    ['one operation', 'operations><op id-ref="probe"/></operations'],
  ])('is refused in %s of another resource', (_, takes) => {
    const inOperation = (value: string) =>
      `<primitive id="db" class="ocf" type="x"><operations id="ops"><op id="probe" name="monitor" interval="9s"><instance_attributes id="o-p">${pair(value)}</instance_attributes></op></operations></primitive>`;
    const given = sealSecrets(cib(inOperation('geheim')), sealing(), ALL);
    const value = heldReference(given.secrets[0]?.id ?? '');
    const other = `<primitive id="other" class="ocf" type="x"><${takes.includes('>') ? `${takes}>` : `${takes}/>`}</primitive>`;
    const from = { before: given.document, of: 'changed', restored: false } as const;
    expect(kinds(sealSecrets(cib(inOperation(value) + other), sealing(heldOf(given)), from))).toEqual(['elsewhere']);
  });

  it.each([
    [
      'meta-attributes of another resource',
      '<primitive id="x" class="ocf" type="x"><meta_attributes id="x-m">PAIR</meta_attributes></primitive>',
    ],
    ['its utilization', '<primitive id="x" class="ocf" type="x"><utilization id="x-u">PAIR</utilization></primitive>'],
  ])('is refused by way of %s, where references are nobody’s parameters', (_, hiding) => {
    const hidden = hiding.replace('PAIR', pair(reference, 'hidden'));
    const takes = borrower('<instance_attributes id="m"><nvpair id-ref="hidden"/></instance_attributes>');
    expect(kinds(write(hidden + takes))).toEqual(['elsewhere']);
    expect(kinds(write(hidden + takes, { mayMove: true }))).toEqual(['elsewhere']);
  });

  it('is no news where it was so before, and is again when it is another secret', () => {
    const shared = write(device(reference) + borrower(BORROWED), { mayMove: true }).document;
    const again = write(device(reference) + borrower(`${BORROWED}<meta_attributes id="m"/>`), {}, { before: shared });
    expect(again.mistakes).toEqual([]);
    const other = sealSecrets(cib(device('anders')), sealing(), ALL);
    const held = { ...heldOf(first), ...heldOf(other) };
    const back = heldReference(other.secrets[0]?.id ?? '');
    const from = { before: shared, of: 'changed', restored: false } as const;
    expect(kinds(sealSecrets(cib(device(back) + borrower(BORROWED)), sealing(held), from))).toEqual(['elsewhere']);
  });

  it.each([
    ['may not see secrets', false],
    ['may see them, and is told of it', true],
  ])('is refused where the reference stood there before the secret, whoever gives it: one who %s', (_, mayMove) => {
    const without = `<primitive id="fence" class="stonith" type="fence_ipmilan"><instance_attributes id="fence-p">${pair('10.0.0.1', 'fence-ip', 'ip')}</instance_attributes></primitive>`;
    const before = cib(without + borrower(BORROWED));
    const after = cib(device('geheim', { more: pair('10.0.0.1', 'fence-ip', 'ip') }) + borrower(BORROWED));
    const from = { before, of: 'changed', restored: false } as const;
    const sealed = sealSecrets(after, sealing({}, { mayMove }), from);
    expect(kinds(sealed)).toEqual(['elsewhere']);
    expect(sealed.mistakes[0]?.message).toMatch(/mine .*passwd .*fence/);
    // Without the reference it may be given.
    expect(sealSecrets(cib(device('geheim') + borrower('')), sealing({}, { mayMove }), from).mistakes).toEqual([]);
    // A reference to the secret is the same.
    const back = sealSecrets(cib(device(reference) + borrower(BORROWED)), sealing(heldOf(first), { mayMove }), from);
    expect(kinds(back)).toEqual(['elsewhere']);
  });

  it('is given anew to who was given it before', () => {
    const shared = write(device(reference) + borrower(BORROWED), { mayMove: true }).document;
    expect(write(device('neu') + borrower(BORROWED), {}, { before: shared }).mistakes).toEqual([]);
  });

  it('is shared by who gives its value', () => {
    const imported = sealSecrets(cib(device('geheim') + borrower(BORROWED)), sealing(), ALL);
    expect([imported.mistakes, imported.secrets.map(({ owner }) => owner)]).toEqual([[], ['fence']]);
  });

  it('is shared as it stands by a template, and by what contains resources', () => {
    const shared = (value: string, more = '') =>
      `<template id="t" class="ocf" type="x"><instance_attributes id="t-p">${pair(value)}</instance_attributes></template><primitive id="a" template="t"><instance_attributes id-ref="t-p"/></primitive>${more}`;
    const given = sealSecrets(cib(shared('geheim')), sealing(), ALL);
    const value = heldReference(given.secrets[0]?.id ?? '');
    const next = cib(shared(value, '<primitive id="b" template="t"/>'));
    const from = { before: given.document, of: 'changed', restored: false } as const;
    expect(sealSecrets(next, sealing(heldOf(given)), from).mistakes).toEqual([]);
  });
});

describe('secrets of alerts', () => {
  const alerts = (path: string, value: string, to = value) =>
    parseXml(
      `<cib><configuration><alerts><alert id="a" path="${path}"><instance_attributes id="ap">${pair(value, 'a1')}</instance_attributes>` +
        `<recipient id="r" value="ops"><instance_attributes id="rp">${pair(to, 'r1')}</instance_attributes></recipient></alert></alerts></configuration></cib>`,
    );
  const kept = sealSecrets(alerts('/p', 'hush', 'hush too'), sealing(), ALL);
  const [own, ofRecipient] = kept.secrets.map(({ id }) => heldReference(id));
  const moved = alerts('/q', own ?? '', ofRecipient);

  it('are told to its program', () => {
    expect(kept.secrets.map(({ owner, agents }) => [owner, agents])).toEqual([
      ['a', ['alert:/p']],
      ['r', ['alert:/p']],
    ]);
  });

  it.each([
    ['', heldOf(kept)],
    [
      ', those of before programs were written down neither',
      Object.fromEntries(Object.entries(heldOf(kept)).map(([id, secret]) => [id, { ...secret, agents: [] }])),
    ],
  ])('are not told to another one%s', (_, held) => {
    const from: SealedFrom = { before: kept.document, of: 'changed', restored: false };
    expect(sealSecrets(kept.document, sealing(held), from)).toMatchObject({ mistakes: [], secrets: [] });
    const refused = sealSecrets(moved, sealing(held), from);
    expect(refused.mistakes.map(({ kind }) => kind)).toEqual(['elsewhere', 'elsewhere']);
    const by = sealSecrets(moved, sealing(held, { mayMove: true }), from);
    expect(by.mistakes).toEqual([]);
    expect(by.secrets.map(({ agents, value }) => [agents, value])).toEqual([
      [['alert:/q'], 'hush'],
      [['alert:/q'], 'hush too'],
    ]);
    expect(sealSecrets(alerts('/q', 'anew', 'anew'), sealing(held), from).mistakes).toEqual([]);
  });

  it('come back with the version that had them, though programs were not written down then', () => {
    const unnamed = Object.fromEntries(Object.entries(heldOf(kept)).map(([id, secret]) => [id, { ...secret, agents: [] }]));
    const now = alerts('/q', '', '');
    const restored = (held: Sealing['held']) => sealSecrets(kept.document, sealing(held), { before: now, of: 'all', restored: true });
    expect(restored(unnamed)).toMatchObject({ mistakes: [], secrets: [], document: kept.document });
    const ofAnother = Object.fromEntries(Object.entries(unnamed).map(([id, secret]) => [id, { ...secret, owner: 'b' }]));
    expect(restored(ofAnother).mistakes.map(({ kind }) => kind)).toEqual(['elsewhere', 'elsewhere']);
    expect(sealSecrets(kept.document, sealing(unnamed), { before: now, of: 'all', restored: false }).mistakes).toHaveLength(2);
  });
});
