import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from './cluster-option-definitions.js';
import { isValidOption } from './option-type.js';
import { optionsPage } from './options-page.js';

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

  it('is what the reference page shows', async () => {
    await expect(optionsPage()).toMatchFileSnapshot(PAGE);
  });
});
