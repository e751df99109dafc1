import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Expiries } from './expiries.js';

it('the earliest expiry is the least of those that were added and not removed', () => {
  const steps = fc.array(fc.record({ moment: fc.nat(6), adds: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (script) => {
      const expiries = new Expiries();
      const model: number[] = [];
      for (const { moment, adds } of script) {
        const at = model.indexOf(moment);
        if (adds) {
          expiries.add(moment);
          model.push(moment);
        } else if (at >= 0) {
          expiries.remove(moment);
          model.splice(at, 1);
        }
        expect(expiries.earliest).toBe(model.length === 0 ? undefined : Math.min(...model));
      }
    }),
  );
});
