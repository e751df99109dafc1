/** Pacemaker's tools for people: what `systole` may do, under the names and with the arguments that they have in their notes. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { failedResult } from '../failures.js';
import { isCalledWithText } from '../plain-text.js';
import { runTool } from '../run-tool.js';
import { EXIT, ToolFailure } from '../tool.js';
import { operatorCluster, type OperatorAccess } from '../writes/operator-connection.js';
import { isInBackground, ownProcess } from './own-process.js';
import { systole } from './systole-program.js';

const [tool = '', ...args] = process.argv.slice(2);
const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

env['CIB_shadow_dir'] ??= process.getuid?.() === 0 ? '/var/lib/pacemaker/cib' : join(homedir(), '.cib');

/** Programs that read the CIB themselves, crmsh and pcs of a distribution, may know no newer syntax than that of their Pacemaker. */
const form = env['SYSTOLE_CIB_FOR'];

const { cluster, close } = operatorCluster(
  async () => JSON.parse(await systole('servers', 'access', '--output', 'json')) as OperatorAccess,
);
const read = form === undefined ? {} : { cib: () => systole('cib', 'export', '--for', form) };
const call = { tool, args, env, cwd: process.cwd(), isAgain: isInBackground(), caller: ownProcess() };
const { stdout, stderr, exitCode } = isCalledWithText()
  ? await runTool(call, { ...cluster, ...read })
  : failedResult(call, new ToolFailure(EXIT.USAGE, 'what it was called with is no UTF-8 text'));
await close();
process.stderr.write(stderr);
process.stdout.write(stdout, () => {
  process.exitCode = exitCode;
});
