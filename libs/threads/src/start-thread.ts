import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { ThreadMemory } from './thread.js';

/**
 * @param memory `firstRoomMib` is a flag of the process, which a thread reads as it begins: threads that begin meanwhile have it, too, and none that begin
 * later
 */
export function startThread(entry: URL, { oldMib, youngMib, firstRoomMib }: ThreadMemory): Worker {
  if (firstRoomMib !== undefined) setFlagsFromString(`--min-semi-space-size=${String(firstRoomMib)}`);
  const worker = new Worker(entry, {
    resourceLimits: {
      ...(oldMib === undefined ? {} : { maxOldGenerationSizeMb: oldMib }),
      ...(youngMib === undefined ? {} : { maxYoungGenerationSizeMb: youngMib }),
    },
  });
  worker.unref();
  if (firstRoomMib !== undefined) {
    const begun = (): void => {
      // As V8 has it by itself.
      setFlagsFromString('--min-semi-space-size=0');
    };
    worker.once('online', begun);
    worker.once('exit', begun);
  }
  return worker;
}
