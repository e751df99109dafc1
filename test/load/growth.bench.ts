/**
 * How the time of a schedule grows with one thing in the cluster: a group, a chain of colocations, a clone, the histories of one name. Each is scheduled with n, 2n
 * and 4n parts in turns, in one process; the least CPU time of each counts. docs/performance.md says what to expect.
 *
 *     npm run bench:growth [-- --count N] [--only TEXT]
 */
import { parseArgs } from 'node:util';
import { readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { table } from './scheduler/report.js';
import { shapes } from './scheduler/shapes.js';
import { NOW } from './scheduler/states.js';

const { count, only } = parseArgs({
  options: { count: { type: 'string', default: '500' }, only: { type: 'string', default: '' } },
}).values;
const sizes = [1, 2, 4].map((factor) => factor * Number(count));
const ROUNDS = 4;

const rows: string[][] = [];
for (const [name, make] of Object.entries(shapes)) {
  if (!name.includes(only)) continue;
  const cibs = sizes.map((size) => readCib(make(size)));
  const least = sizes.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, cib] of cibs.entries()) {
      const before = process.cpuUsage();
      schedule(cib, { now: NOW, scores: false });
      const { user, system } = process.cpuUsage(before);
      least[index] = Math.min(least[index] ?? Number.POSITIVE_INFINITY, (user + system) / 1_000);
    }
  }
  const [first = 0, , last = 0] = least;
  rows.push([name, ...least.map((milliseconds) => milliseconds.toFixed(0)), (last / first).toFixed(1)]);
  console.error(`${name}: ${rows.at(-1)?.slice(1).join(' ')}`);
}
console.log(table(['ms of CPU time', ...sizes.map((size) => `n = ${size}`), 'last / first'], rows));
