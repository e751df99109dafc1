import { decide, type Decision } from '@systole/cluster';
import { knownTree } from '@systole/threads/inside';
import { rememberedReading } from './remembered-readings.js';
import type { DecideTask } from './task.js';

/** Decides a command in this thread. */
export function decideTask({ command, state, cib, expected, sealing }: DecideTask): Decision {
  const options = {
    ...(expected === undefined ? {} : { expected }),
    ...(sealing === undefined ? {} : { sealing }),
    read: rememberedReading,
  };
  return decide(command, { ...state, cib: knownTree(cib.key) }, options);
}
