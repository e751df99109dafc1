import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MinHeap } from './min-heap.js';

it('a heap gives back what it was given, the least first, whatever is put in between', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(50), fc.constant('pop' as const)), { maxLength: 60 }), fc.array(fc.nat(50)), (steps, first) => {
      const heap = new MinHeap(first);
      let model = first.toSorted((a, b) => a - b);
      for (const step of steps) {
        if (step === 'pop') expect(heap.pop()).toBe(model.shift());
        else {
          heap.push(step);
          model = [...model, step].toSorted((a, b) => a - b);
        }
      }
      for (const least of model) expect(heap.pop()).toBe(least);
      expect(heap.pop()).toBeUndefined();
    }),
  );
});
