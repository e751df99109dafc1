import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXIT, ToolFailure } from '../tool.js';

const SYSTOLE = fileURLToPath(new URL('../../../../cli/bin/systole.js', import.meta.url));

/** How `systole` ends, and what its callers' callers know that by. */
const ENDS: ReadonlyMap<number | null, number> = new Map([
  [2, EXIT.USAGE],
  [3, EXIT.DISCONNECTED],
  [4, EXIT.DENIED],
]);

/** What `systole` prints for a command: it knows the server, the token and the cluster, from its login or the environment. @throws {ToolFailure} with what it complains of */
export function systole(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SYSTOLE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString('utf8'));
      else reject(new ToolFailure(ENDS.get(code) ?? EXIT.ERROR, Buffer.concat(complaints).toString('utf8').trim()));
    });
  });
}
