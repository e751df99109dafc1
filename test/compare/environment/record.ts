/**
 * Records what a real Pacemaker tells an agent: `node test/dist/compare/environment/record.js PROGRAM`. PROGRAM runs one: `start 3`, `on NODE CMD…`,
 * `stop`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pacemakerSide } from '../pacemaker-side.js';
import { written } from './calls.js';
import { agentsDirectory, callsOf, clusterCib, environmentDirectory } from './conduct.js';

const [lab = ''] = process.argv.slice(2);
const record = await mkdtemp(join(tmpdir(), 'systole-environment-'));
try {
  const side = await pacemakerSide(lab, await clusterCib(record), {}, agentsDirectory);
  try {
    await writeFile(join(environmentDirectory, 'recorded.txt'), written(await callsOf(side, record)));
  } finally {
    await side.stop();
  }
} finally {
  await rm(record, { recursive: true, force: true });
}
