import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type ApiUnderTest } from '../testing/api-under-test.js';

interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly allowed?: readonly string[];
  readonly default?: string;
  readonly meaning: string;
  readonly olderNames: readonly string[];
  readonly readOn?: readonly string[];
}

describe('what may stand in a configuration', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
  }, 60_000);
  afterAll(() => under.close());

  const list = async (what: string): Promise<readonly Entry[]> => {
    const { status, json } = await under.call('GET', `/v1/metadata/${what}`);
    expect(status).toBe(200);
    return json['items'] as readonly Entry[];
  };
  const named = (entries: readonly Entry[], name: string): Entry | undefined => entries.find((entry) => entry.name === name);

  it.each([
    ...['cluster-options', 'resource-meta-attributes', 'operation-attributes', 'node-attributes', 'fence-device-parameters'],
    ...['constraint-attributes', 'alert-meta-attributes'],
  ])('is told of %s: each once, with what it takes and does', async (what) => {
    const entries = await list(what);
    expect(entries.length).toBeGreaterThan(1);
    const names = entries.flatMap(({ name, olderNames, readOn = [] }) => [name, ...olderNames].map((one) => `${one} ${readOn.join(' ')}`));
    expect(new Set(names).size).toBe(names.length);
    expect(entries.filter(({ meaning }) => meaning.length < 12)).toEqual([]);
    expect(entries.filter(({ kind, allowed }) => (kind === 'select') !== (allowed !== undefined))).toEqual([]);
  });

  it('has values, defaults and older names', async () => {
    const options = await list('cluster-options');
    expect(named(options, 'fencing-enabled')).toMatchObject({
      kind: 'boolean',
      default: 'true',
      olderNames: ['stonith-enabled'],
      own: false,
    });
    expect(named(options, 'no-quorum-policy')?.allowed).toContain('freeze');
    expect(named(options, 'enable-acl')).toMatchObject({ refused: expect.stringMatching(/tokens/) as string });
    const attributes = await list('resource-meta-attributes');
    expect(named(attributes, 'promoted-max')).toMatchObject({ kind: 'integer', default: '1', olderNames: ['master-max'] });
    expect(named(attributes, 'master-max')).toBeUndefined();
    expect(named(await list('fence-device-parameters'), 'pcmk_action_limit')).toMatchObject({ kind: 'integer', default: '1' });
    expect(named(await list('operation-attributes'), 'on-fail')?.allowed).toContain('standby');
  });
});
