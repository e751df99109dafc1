import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { comparedOptions, comparisonTables } from './comparison.js';

const PAGE = fileURLToPath(new URL('../../../../docs/guide/from-pacemaker.md', import.meta.url));
const BLOCK = /(<!-- option by option: [^>]*-->\n)[^]*?(\n<!-- end of option by option -->)/;

describe('what a configuration of Pacemaker may say', () => {
  it('is compared once', () => {
    for (const { title, options } of comparedOptions()) {
      const keys = options.flatMap(({ name, olderNames, on }) => [name, ...olderNames].map((each) => `${each} of ${on.join(', ')}`));
      expect([title, keys.length]).toEqual([title, new Set(keys).size]);
    }
  });

  it('is told apart in words wherever it does not do the same', () => {
    const all = comparedOptions().flatMap(({ options }) => options);
    expect(all.filter(({ conduct, how }) => (conduct === 'same') !== (how === undefined))).toEqual([]);
  });

  it('is what the guide shows', async () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toMatch(BLOCK);
    const fresh = page.replace(BLOCK, (_all, begin: string, end: string) => `${begin}\n${comparisonTables()}${end}`);
    await expect(fresh).toMatchFileSnapshot(PAGE);
  });
});
