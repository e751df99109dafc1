import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMap, valueOf, withValue, type PersistentMap } from './persistent-map.js';

/** Names that have one hash. */
const COLLIDING: readonly string[] = ['n89563', 'n282079'];
const names = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('constructor', '__proto__', '', ...COLLIDING));

describe('values by name', () => {
  it('are in each version what was set up to there, whoever went on from an older one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.nat(), fc.nat()), { maxLength: 150 }), (changes) => {
        const versions: { readonly map: PersistentMap<number>; readonly values: ReadonlyMap<string, number> }[] = [
          { map: emptyMap(), values: new Map() },
        ];
        for (const [name, value, pick] of changes) {
          const base = versions[pick % 3 === 0 ? pick % versions.length : versions.length - 1];
          if (base === undefined) throw new Error('no version');
          versions.push({ map: withValue(base.map, name, value), values: new Map(base.values).set(name, value) });
        }
        for (const { map, values } of versions) {
          for (const name of ['constructor', 'toString', '__proto__', ...changes.map(([changed]) => changed)]) {
            expect(valueOf(map, name)).toBe(values.get(name));
          }
        }
      }),
    );
  });

  it('are the same after a way through JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.nat()), { maxLength: 100 }), names, (changes, name) => {
        const map = changes.reduce((of, [set, value]) => withValue(of, set, value), emptyMap<number>());
        const read = JSON.parse(JSON.stringify(map)) as PersistentMap<number>;
        expect(read).toEqual(map);
        expect(withValue(read, name, 1)).toEqual(withValue(map, name, 1));
      }),
    );
  });

  it('stand apart though their names have one hash', () => {
    const map = COLLIDING.reduce((of, name) => withValue(of, name, name), emptyMap<string>());
    expect(COLLIDING.map((name) => valueOf(map, name))).toEqual(COLLIDING);
    const [first = ''] = COLLIDING;
    const set = withValue(map, first, 'else');
    expect(COLLIDING.map((name) => valueOf(set, name))).toEqual(['else', ...COLLIDING.slice(1)]);
  });
});
