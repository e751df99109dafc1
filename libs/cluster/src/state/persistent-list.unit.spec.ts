import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appended, emptyList, itemAt, itemsFrom, type PersistentList } from './persistent-list.js';

interface Item {
  readonly n: number;
}

const listOf = (items: readonly Item[]): PersistentList<Item> => items.reduce<PersistentList<Item>>(appended, emptyList());
const upTo = (length: number): Item[] => Array.from({ length }, (_, n) => ({ n }));

describe('a list that only grows', () => {
  it.each([0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 32_767, 32_768, 32_769, 70_000])('of %i items has them all, in order', (length) => {
    const items = upTo(length);
    const list = listOf(items);
    expect(list.length).toBe(length);
    expect(itemsFrom(list, 0)).toEqual(items);
    expect(itemsFrom(list, length - 3)).toEqual(items.slice(Math.max(0, length - 3)));
    expect([-1, 0, length - 1, length].map((position) => itemAt(list, position))).toEqual(
      [-1, 0, length - 1, length].map((position) => items[position]),
    );
  });

  it('is the same after a way through JSON, and goes on from there', () => {
    fc.assert(
      fc.property(fc.nat(3_000), fc.nat(50), (length, more) => {
        const read = JSON.parse(JSON.stringify(listOf(upTo(length)))) as PersistentList<Item>;
        const grown = upTo(length + more)
          .slice(length)
          .reduce(appended, read);
        expect(grown).toEqual(listOf(upTo(length + more)));
      }),
      { numRuns: 20 },
    );
  });

  it('leaves older versions as they were, whoever goes on from them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 200 }), (from) => {
        const versions: { readonly list: PersistentList<Item>; readonly items: readonly Item[] }[] = [
          { list: listOf(upTo(30)), items: upTo(30) },
        ];
        for (const [n, pick] of from.entries()) {
          const base = versions[pick % versions.length];
          if (base !== undefined) versions.push({ list: appended(base.list, { n }), items: [...base.items, { n }] });
        }
        for (const { list, items } of versions) expect(itemsFrom(list, 0)).toEqual(items);
      }),
      { numRuns: 20 },
    );
  });

  it('makes no more than a few places anew for each item, however long it is', () => {
    const list = listOf(upTo(100_000));
    const next = appended(list, { n: 0 });
    const made = (tree: PersistentList<Item>['tree'], before: PersistentList<Item>['tree'] | undefined): number => {
      if (tree === before) return 0;
      return tree.reduce((sum, child, place) => {
        const old = before?.[place];
        return sum + 1 + (Array.isArray(child) && child !== old ? made(child, Array.isArray(old) ? old : undefined) : 0);
      }, 0);
    };
    expect(made(next.tree, list.tree)).toBeLessThanOrEqual(4 * 32);
  });
});
