import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  NODE_ATTRIBUTES,
  OPERATION_ATTRIBUTES,
  OTHER_OPERATION_ATTRIBUTES,
  OTHER_RESOURCE_ATTRIBUTES,
  RESOURCE_ATTRIBUTES,
} from './attribute-definitions.js';
import { attributesPage } from './attributes-page.js';
import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from './cluster-option-definitions.js';
import { CONNECTION_PARAMETERS } from './connection-definitions.js';
import { FENCE_DEVICE_PARAMETERS } from './fence-device-definitions.js';
import { refusedOption } from './option-mistake.js';
import { isValidOption } from './option-type.js';
import { optionsPage } from './options-page.js';

const ATTRIBUTES_PAGE = fileURLToPath(new URL('../../../../docs/guide/attributes.md', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../../docs/guide/cluster-options.md', import.meta.url));

describe('the table of options', () => {
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;

  it('has a name, and an older one, only once', () => {
    const names = all.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
    expect(new Set(names).size).toBe(names.length);
  });

  it('has defaults that pass their own test', () => {
    expect(all.filter(({ type, default: text }) => text !== undefined && !isValidOption(type, text))).toEqual([]);
  });

  it('refuses what asks for more than what happens anyway, and nothing else', () => {
    expect(refusedOption('enable-acl', 'true')).toMatch(/tokens/);
    expect(refusedOption('pe-input-series-max', '10')).toMatch(/every plan/);
    for (const [name, value] of [
      ['enable-acl', 'false'],
      ['enable-acl', 'no'],
      ['election-timeout', '120s'],
      ['pe-input-series-max', '-1'],
      ['pe-input-series-max', '4000'],
      ['dc-version', '3.0.1'],
      ['last-lrm-refresh', '1700000000'],
      ['no-quorum-policy', 'freeze'],
      ['stonith-watchdog-timeout', '10s'],
      ['hana_glob', 'x'],
    ] as const)
      expect([name, value, refusedOption(name, value)]).toEqual([name, value, undefined]);
  });

  it('is what the reference page shows', async () => {
    await expect(optionsPage()).toMatchFileSnapshot(PAGE);
  });
});

describe('the tables of attributes', () => {
  const resources = [...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES];
  const operations = [...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES];

  it.each([
    { all: resources },
    { all: operations },
    { all: NODE_ATTRIBUTES },
    { all: FENCE_DEVICE_PARAMETERS },
    { all: CONNECTION_PARAMETERS },
  ])('have a name only once, defaults that pass their own test, and newer names that are there', ({ all }) => {
    const names = new Set(all.map(({ name }) => name));
    expect(names.size).toBe(all.length);
    expect(all.filter(({ type, default: text }) => text !== undefined && !isValidOption(type, text))).toEqual([]);
    expect(all.filter(({ newer }) => newer !== undefined && !names.has(newer))).toEqual([]);
  });

  it('are what the reference page shows', async () => {
    await expect(attributesPage()).toMatchFileSnapshot(ATTRIBUTES_PAGE);
  });
});
