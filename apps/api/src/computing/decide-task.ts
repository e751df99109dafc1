import { decide, readConfiguration, type ConfigurationReading, type Decision } from '@systole/cluster';
import { knownTree } from './known-trees.js';
import type { DecideTask } from './task.js';

/** Documents that are remembered. */
const KEPT = 3;

/** Those that were read last: a command that met a conflict is decided again on the next state, and its document need not be read again. */
const readings = new Map<string, ConfigurationReading>();

/** Decides a command in this thread. */
export function decideTask({ command, state, cib, expected, sealing }: DecideTask): Decision {
  const options = { ...(expected === undefined ? {} : { expected }), ...(sealing === undefined ? {} : { sealing }), read };
  return decide(command, { ...state, cib: knownTree(cib.key) }, options);
}

function read(text: string): ConfigurationReading {
  const reading = readings.get(text) ?? readConfiguration(text);
  readings.delete(text);
  readings.set(text, reading);
  for (const oldest of readings.keys()) {
    if (readings.size <= KEPT) break;
    readings.delete(oldest);
  }
  return reading;
}
