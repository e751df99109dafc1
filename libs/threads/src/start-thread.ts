import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { ThreadMemory } from './thread.js';

/**
 * @param memory `firstRoomMib` is a flag of the process, which a thread reads as it begins: threads that begin meanwhile have it, too, and none that begin
 * later
 * @throws {Error} when the machine lets no more threads begin
 */
export function startThread(entry: URL, { oldMib, youngMib, firstRoomMib }: ThreadMemory): Worker {
  const resourceLimits = {
    ...(oldMib === undefined ? {} : { maxOldGenerationSizeMb: oldMib }),
    ...(youngMib === undefined ? {} : { maxYoungGenerationSizeMb: youngMib }),
  };
  if (firstRoomMib !== undefined) setFlagsFromString(`--min-semi-space-size=${String(firstRoomMib)}`);
  const begun = (): void => {
    // As V8 has it by itself.
    if (firstRoomMib !== undefined) setFlagsFromString('--min-semi-space-size=0');
  };
  let worker: Worker;
  try {
    worker = new Worker(entry, { resourceLimits });
  } catch (error) {
    begun();
    throw error;
  }
  worker.unref();
  worker.once('online', begun);
  worker.once('exit', begun);
  return worker;
}
