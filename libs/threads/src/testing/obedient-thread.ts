import { threadId } from 'node:worker_threads';
import { TreesDiverged, serializeXml } from '@systole/cib';
import { knownTree, serveThread, type Performed } from '../serve-thread.js';
import type { Order, Report } from './orders.js';

/** The entry of a thread that does what the tests of pools say. */

let rehearsed = 0;
let diverges = false;
let given: Uint8Array | undefined;

serveThread<Order, Report, string>({
  perform,
  rehearsal: () =>
    Promise.resolve(
      (function* () {
        for (; rehearsed < 100; rehearsed++) yield;
      })(),
    ),
});

function perform(order: Order): Performed<Report, string> {
  switch (order.order) {
    case 'say':
      return { result: { threadId, said: order.text } };
    case 'show': {
      if (diverges) {
        diverges = false;
        throw new TreesDiverged('as it was told to');
      }
      return { result: { threadId, said: serializeXml(knownTree(order.key)) } };
    }
    case 'diverge':
      diverges = true;
      return { result: { threadId, said: 'next time' } };
    case 'give':
      given = new Uint8Array(1_000).fill(7);
      return { result: { threadId, said: 'given', bytes: given }, moved: [given.buffer as ArrayBuffer] };
    case 'left':
      return { result: { threadId, said: String(given?.byteLength) } };
    case 'follow':
      return {
        result: { threadId, said: 'first' },
        later: () => {
          if (order.breaks) throw new Error('nothing follows');
          return { later: 'then' };
        },
      };
    case 'rehearsed':
      return { result: { threadId, said: String(rehearsed) } };
    case 'break':
      throw new Error('it broke');
    case 'exit':
      return process.exit(3);
    case 'fill': {
      const all: number[][] = [];
      for (;;) all.push(Array.from({ length: 100_000 }, Math.random));
    }
    case 'spin':
      for (;;);
  }
}
