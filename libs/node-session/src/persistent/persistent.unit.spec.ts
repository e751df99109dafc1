import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextDue, takenDue, withDue, withoutDue, type DueTimes } from './due-times.js';
import { OrderedMap } from './ordered-map.js';
import { OrderedSet } from './ordered-set.js';

const name = fc.constantFrom(...'a ab abc b ba c ca \u{10000} \uffff'.split(' ').flatMap((word) => [word, `${word}\n1`, `${word}\n2`]));
const change = fc.record({ name, value: fc.integer(), removes: fc.boolean() });

it('an ordered map reads like a Map that was copied at each change, and older versions stay as they were', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      let map = OrderedMap.empty<number>();
      let model = new Map<string, number>();
      const versions: [OrderedMap<number>, ReadonlyMap<string, number>][] = [];
      for (const { name: key, value, removes } of changes) {
        model = new Map(model);
        if (removes) model.delete(key);
        else model.set(key, value);
        map = removes ? map.without(key) : map.with(key, value);
        versions.push([map, model]);
        expect([map.get(key), map.has(key)]).toEqual([model.get(key), model.has(key)]);
      }
      for (const [one, like] of versions) {
        expect([one.size, [...one], [...one.keys()], [...one.values()]]).toEqual([
          like.size,
          [...like],
          [...like.keys()],
          [...like.values()],
        ]);
        expect(one.firstKey()).toBe([...like.keys()][0]);
        const positions = [...one.keys()].map((key) => one.positionOf(key) ?? -1);
        expect(positions).toEqual(positions.toSorted((a, b) => a - b));
        for (const prefix of ['', 'a', 'ab', 'a\n', 'c\n', '\uffff'])
          expect([...one.keysWithPrefix(prefix)].sort()).toEqual([...like.keys()].filter((key) => key.startsWith(prefix)).sort());
      }
    }),
    { numRuns: 50 },
  );
});

it('an ordered set reads like a Set', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const model = new Set<string>();
      let set = OrderedSet.empty();
      for (const { name: item, removes } of changes) {
        if (removes) model.delete(item);
        else model.add(item);
        set = removes ? set.without(item) : set.with(item);
        expect([[...set], set.size, set.first(), set.has(item)]).toEqual([[...model], model.size, [...model][0], model.has(item)]);
      }
    }),
  );
});

it('due times say what a look through all of them says', () => {
  const step = fc.record({ at: fc.nat(20), rank: fc.nat(8), removes: fc.boolean(), now: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let model: { at: number; rank: number }[] = [];
      let times: DueTimes<string> = undefined;
      for (const { at, rank, removes, now } of steps) {
        model = model.filter((one) => one.at !== at || one.rank !== rank);
        if (!removes) model.push({ at, rank });
        times = removes ? withoutDue(times, at, rank) : withDue(times, at, rank, String(rank));
        const later = model.filter((one) => one.at > now).map((one) => one.at);
        expect(nextDue(times, now)).toBe(later.length === 0 ? undefined : Math.min(...later));
        if (now > 5) continue;
        const due = model.filter((one) => one.at <= now).map((one) => one.rank);
        model = model.filter((one) => one.at > now);
        const taken = takenDue(times, now);
        expect(taken.due).toEqual(due.sort((a, b) => a - b).map(String));
        times = taken.rest;
      }
    }),
  );
});
