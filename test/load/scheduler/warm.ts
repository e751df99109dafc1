/**
 * Schedules the same CIB again and again in one process, as a worker does, and prints a line of JSON: what each run took once the engine has compiled what
 * it wants to. The CIB is read before: model in, schedule out.
 *
 *     node warm.js FILE RUNS [scores]
 */
import { readFileSync } from 'node:fs';
import { parseXml, readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { NOW } from './states.js';

const [file = '', runs, scores] = process.argv.slice(2);
const cib = readCib(parseXml(readFileSync(file, 'utf8'), { maxBytes: Number.POSITIVE_INFINITY }));
const usages: { cpu: number; wall: number }[] = [];
for (let run = 0; run < Number(runs); run++) {
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  schedule(cib, { now: NOW, scores: scores === 'scores' });
  const wall = (performance.now() - begin) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  usages.push({ cpu: (user + system) / 1_000_000, wall });
}
// The first third is warming up.
console.log(JSON.stringify(usages.slice(Math.ceil(usages.length / 3))));
