/**
 * What runs when a resource agent calls crm_attribute and its kin: passes the call to the node agent and prints the answer. Kept free of imports
 * beyond Node's own, because it starts often.
 */
import { connect } from 'node:net';

const EXIT_DISCONNECTED = 102;
const [tool = '', ...args] = process.argv.slice(2);
const path = process.env['SYSTOLE_AGENT_SOCKET'];

function fail(message: string): never {
  process.stderr.write(`${tool}: ${message}\n`);
  process.exit(EXIT_DISCONNECTED);
}

if (path === undefined) fail('SYSTOLE_AGENT_SOCKET is not set: this tool is for resource agents run by systole-agent');

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OCF_RES')));
const socket = connect(path);
let text = '';
socket.setEncoding('utf8');
socket.on('connect', () => socket.write(`${JSON.stringify({ tool, args, env })}\n`));
socket.on('data', (chunk: string) => {
  text += chunk;
});
socket.on('error', (error) => fail(`the node agent does not answer: ${error.message}`));
socket.on('end', () => {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    fail('the node agent broke off');
  }
  const { stdout, stderr, exitCode } = answer as { stdout: string; stderr: string; exitCode: number };
  process.stderr.write(stderr);
  process.stdout.write(stdout, () => {
    process.exitCode = exitCode;
  });
});
