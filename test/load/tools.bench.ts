/**
 * How long a resource agent waits for one of the cluster's tools: calls one after another, from the start of the process to its end.
 *
 *   node test/dist/load/tools.bench.js [--calls N] DIRECTORY SOCKET
 *
 * with the directory of tools and the socket of a node agent that has joined.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { calls: { type: 'string', default: '200' } }, allowPositionals: true });
const [directory, socket] = positionals;
if (directory === undefined || socket === undefined) throw new Error('give the directory of tools and the socket of a node agent');

const LINES = ['true', 'crm_node -n', 'crm_attribute -G -n pingd -l reboot -q -d 0', 'cibadmin -Q -o nodes', 'crm_mon -1'];

for (const line of LINES) {
  const [tool = '', ...args] = line.split(' ');
  const took: number[] = [];
  for (let call = 0; call < Number(values.calls); call += 1) {
    const begun = performance.now();
    spawnSync(tool === 'true' ? '/bin/true' : join(directory, tool), args, { stdio: 'ignore', env: { SYSTOLE_AGENT_SOCKET: socket } });
    took.push(performance.now() - begun);
  }
  took.sort((a, b) => a - b);
  const at = (share: number): string => (took[Math.floor(share * (took.length - 1))] ?? 0).toFixed(1).padStart(7);
  process.stdout.write(`${line.padEnd(45)} p50 ${at(0.5)} ms   p95 ${at(0.95)} ms\n`);
}
