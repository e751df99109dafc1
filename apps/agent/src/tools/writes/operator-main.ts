/**
 * What runs when an operator calls crm_attribute and its kin: `systole-tool crm_attribute ARGS…`, or by a link of the tool's name. The server, the cluster and the token are those of the environment.
 */
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { runTool, TOOL_NAMES } from '../run-tool.js';
import { EXIT, ToolFailure, type ToolResult } from '../tool.js';
import { operatorAccess, operatorCluster } from './operator-connection.js';

async function run(argv: readonly string[]): Promise<ToolResult> {
  const [, program = '', ...args] = argv;
  const called = basename(program).replace(/\.js$/, '');
  const [tool = '', ...rest] = TOOL_NAMES.includes(called) ? [called, ...args] : args;
  try {
    if (!TOOL_NAMES.includes(tool)) throw new ToolFailure(EXIT.USAGE, `give the name of a tool: ${TOOL_NAMES.join(', ')}`);
    const { cluster, close } = await operatorCluster(operatorAccess(process.env));
    try {
      const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
      return await runTool({ tool, args: rest, env, cwd: process.cwd(), caller: { stdin: () => text(process.stdin) } }, cluster);
    } finally {
      await close();
    }
  } catch (error) {
    const exitCode = error instanceof ToolFailure ? error.exitCode : EXIT.ERROR;
    return { stdout: '', stderr: `${tool === '' ? called : tool}: ${error instanceof Error ? error.message : String(error)}\n`, exitCode };
  }
}

const { stdout, stderr, exitCode } = await run(process.argv);
process.stderr.write(stderr);
process.stdout.write(stdout, () => {
  process.exitCode = exitCode;
});
