import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import type { Side } from '../pacemaker-side.js';
import { callOf, type Call } from './calls.js';

/** Of this comparison: configuration, agent, what a real Pacemaker was recorded to do. */
export const environmentDirectory = join(checkout, 'test/compare/environment');
/** Where `ocf:test:Environment` is: an OCF root for Systole's agents. */
export const agentsDirectory = join(environmentDirectory, 'agents');

/** What is done to the cluster, by what its calls are found under. */
const STEPS: readonly (readonly [name: string, command: string])[] = [
  ['start', 'crm_attribute -t rsc_defaults -n target-role -v Started'],
  ['ban promoted', 'crm_resource -r pair-clone --ban -N node1 --promoted'],
  ['standby', 'crm_attribute -N node1 -n standby -v on'],
  ['online', 'crm_resource -r pair-clone --clear; crm_attribute -N node1 -n standby -v off'],
  ['reload', 'crm_resource -r mover -p light -v off'],
  ['stop', 'crm_attribute -t rsc_defaults -n target-role -v Stopped'],
];

/** The configuration. @param record directory in which the agent writes down its calls */
export async function clusterCib(record: string): Promise<string> {
  return (await readFile(join(environmentDirectory, 'cluster.cib.xml'), 'utf8')).replaceAll('@RECORD@', record);
}

/** Goes through the steps, each of them to its end. @throws when a command fails */
export async function callsOf(side: Side, record: string): Promise<readonly Call[]> {
  const calls: Call[] = [];
  // Probes, as nodes come: in one run together, in another one after the other.
  for (const file of await readdir(record)) await rm(join(record, file));
  for (const [step, command] of STEPS) {
    const { code, out, err } = await side.run(`set -e; ${command}; crm_resource --wait --timeout 60s`);
    if (code !== 0) throw new Error(`${step}: ${code} ${out} ${err}`);
    for (const file of (await readdir(record)).filter((name) => !name.startsWith('.'))) {
      const path = join(record, file);
      calls.push(callOf(step, await readFile(path, 'utf8'), record));
      await rm(path);
    }
  }
  return calls;
}
