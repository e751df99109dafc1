/** Pacemaker's tools for people: what `systole` may do, under the names and with the arguments that they have in their notes. */
import { hostname } from 'node:os';
import { runTool } from '../run-tool.js';
import { isInBackground, ownProcess } from './own-process.js';
import { systole } from './systole-program.js';

const [tool = '', ...args] = process.argv.slice(2);
const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Programs that read the CIB themselves, crmsh and pcs of a distribution, may know no newer syntax than that of their Pacemaker. */
const form = env['SYSTOLE_CIB_FOR'] === undefined ? [] : ['--for', env['SYSTOLE_CIB_FOR']];

const { stdout, stderr, exitCode } = await runTool(
  { tool, args, env, cwd: process.cwd(), isAgain: isInBackground(), caller: ownProcess() },
  {
    node: hostname(),
    nodeId: hostname(),
    clusterName: '',
    cib: () => systole('cib', 'export', ...form),
    setAttributes: async (changes) => {
      for (const { node = hostname(), name, value, lifetime } of changes) {
        const until = lifetime === 'reboot' ? ['--reboot'] : [];
        const command = value === null ? ['clear', ...until, '--', node, name] : ['set', ...until, '--', node, name, value];
        await systole('node', 'attribute', ...command);
      }
    },
  },
);
process.stderr.write(stderr);
process.stdout.write(stdout, () => {
  process.exitCode = exitCode;
});
