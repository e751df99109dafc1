import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineLimits } from './engine-types.js';
import { Occupancy } from './occupancy.js';
import { ReadyActions } from './ready-actions.js';

const NODES = ['n1', 'n2', 'n3'];
const LARGE = 1_000;

const actions = fc.array(
  fc.record({ node: fc.constantFrom(...NODES), migration: fc.boolean(), large: fc.constantFrom(false, false, true) }),
  { minLength: 1, maxLength: 30 },
);

const limits: fc.Arbitrary<EngineLimits> = fc.record({
  batch: fc.integer({ min: 1, max: 6 }),
  actionsPerNode: fc.integer({ min: 1, max: 3 }),
  migrationsPerNode: fc.integer({ min: 1, max: 2 }),
  bulk: fc.constantFrom(1, LARGE + 1, 10 * LARGE),
  networkAllowanceMs: fc.constant(0),
  activationHeld: fc.constant(false),
});

/** Some become ready, or one that is in flight is over; and each time all that has room is taken. */
const steps = fc.array(fc.oneof(fc.record({ ready: fc.nat(29) }), fc.record({ over: fc.nat(30) })), { maxLength: 60 });

it('what is taken is whatever has room when all that is ready is looked at in order', () => {
  fc.assert(
    fc.property(actions, limits, steps, (all, engineLimits, script) => {
      const occupancy = new Occupancy(engineLimits);
      const ready = new ReadyActions([], occupancy);
      const waiting = new Set<number>();
      const inFlight: number[] = [];
      const of = (position: number) => all[position] ?? { node: '', migration: false, large: false };
      const hasRoom = ({ node, migration, large }: ReturnType<typeof of>, room: Occupancy): boolean =>
        room.inAll(large) && room.on(node, migration);
      const bulkOf = ({ large }: ReturnType<typeof of>): number => (large ? LARGE : 0);

      /** All that waits, looked at in order. */
      const expected = (): number[] => {
        const room = new Occupancy(engineLimits);
        for (const { node, migration, ...rest } of inFlight.map(of)) room.add(node, migration, bulkOf({ node, migration, ...rest }));
        return [...waiting]
          .sort((a, b) => a - b)
          .filter((position) => {
            const action = of(position);
            const taken = hasRoom(action, room);
            if (taken) room.add(action.node, action.migration, bulkOf(action));
            return taken;
          });
      };
      const look = (): number[] => {
        const taken: number[] = [];
        for (let position = ready.next(); position !== undefined; position = ready.next()) {
          const action = of(position);
          if (hasRoom(action, occupancy)) {
            occupancy.add(action.node, action.migration, bulkOf(action));
            taken.push(position);
          } else ready.waitForRoom(position, action.node, action.migration, action.large);
        }
        return taken;
      };

      const known = new Set<number>();
      for (const step of script) {
        if ('ready' in step) {
          const position = step.ready % all.length;
          if (known.has(position)) continue;
          known.add(position);
          ready.add(position);
          waiting.add(position);
        } else {
          const [over] = inFlight.splice(step.over % Math.max(1, inFlight.length), 1);
          if (over === undefined) continue;
          const action = of(over);
          occupancy.remove(action.node, action.migration, bulkOf(action));
          ready.roomOn(action.node);
        }
        const taken = expected();
        expect(look()).toEqual(taken);
        for (const position of taken) waiting.delete(position);
        inFlight.push(...taken);
        expect(ready.positions()).toEqual([...waiting].sort((a, b) => a - b));
      }
    }),
    { numRuns: 300 },
  );
});
