/** What runs as crm_attribute and its kin where there is no Perl: slower to start, and for calls that end; it can't go to the background. */
import { createReadStream } from 'node:fs';
import { connect } from 'node:net';
import { encodeFrame, FrameReader, type Frame } from './frames.js';
import { isCalledWithText } from './plain-text.js';

const EXIT_UNIMPLEMENTED = 3;
const EXIT_DISCONNECTED = 102;
const EXIT_TIMEOUT = 124;
const EXIT_USAGE = 64;
const PATIENCE_MS = 30_000;
const TOLD = /^(OCF_RESOURCE_INSTANCE|OCF_RESKEY_CRM_meta_.*|OCF_RA_VERSION_.*|CIB_.*|PCMK_.*|SYSTOLE_REASON|TZ|USER|LOGNAME)$/s;
const [tool = '', ...args] = process.argv.slice(2);
const path = process.env['SYSTOLE_AGENT_SOCKET'] || '/run/systole-agent/tools.sock';

function fail(code: number, message: string): never {
  process.stderr.write(`${tool}: ${message}\n`);
  process.exit(code);
}

if (!isCalledWithText()) fail(EXIT_USAGE, 'what it was called with is no UTF-8 text');

const reader = new FrameReader(Number.MAX_SAFE_INTEGER);
const socket = connect(path);
socket.setTimeout(PATIENCE_MS, () => fail(EXIT_TIMEOUT, 'the node agent is silent'));
socket.on('connect', () => {
  const variables = Object.entries(process.env).filter(([name]) => TOLD.test(name));
  const frames = [
    encodeFrame('tool', tool),
    ...args.map((arg) => encodeFrame('arg', arg)),
    ...variables.map(([name, value = '']) => encodeFrame('env', `${name}=${value}`)),
    ...(process.env['CIB_shadow_dir'] === undefined ? [encodeFrame('env', `CIB_shadow_dir=${shadowDirectory()}`)] : []),
    encodeFrame('cwd', process.cwd()),
    encodeFrame('end'),
  ];
  socket.write(Buffer.concat(frames));
});
socket.on('data', (chunk) => {
  for (const frame of reader.push(chunk)) take(frame);
});
socket.on('error', (error) => fail(EXIT_DISCONNECTED, `the node agent does not answer at ${path}: ${error.message}`));
socket.on('end', () => {
  if (process.exitCode === undefined) fail(EXIT_DISCONNECTED, 'the node agent broke off');
});

/** Where Pacemaker keeps shadow copies, too. */
function shadowDirectory(): string {
  return process.getuid?.() === 0 ? '/var/lib/pacemaker/cib' : `${process.env['HOME'] ?? ''}/.cib`;
}

function take({ kind, bytes }: Frame): void {
  switch (kind) {
    case 'out':
      process.stdout.write(bytes);
      return;
    case 'err':
      process.stderr.write(bytes);
      return;
    case 'exit':
      process.exitCode = Number(bytes.toString());
      return;
    case 'stdin':
      process.stdin.on('data', (chunk) => socket.write(encodeFrame('stdin', Buffer.from(chunk))));
      process.stdin.on('end', () => socket.write(encodeFrame('eof')));
      return;
    case 'read':
      sendFile(bytes.toString());
      return;
    case 'detach':
    case 'file':
    case 'create':
    case 'remove':
    case 'overwrite':
    case 'run':
      fail(EXIT_UNIMPLEMENTED, 'this needs Perl, which this machine does not have: apt-get install perl-base');
  }
}

/** Of what is open here alone, too, such as bash's `<(…)`. */
function sendFile(path: string): void {
  createReadStream(path)
    .on('data', (chunk) => socket.write(encodeFrame('stdin', chunk)))
    .on('end', () => socket.write(encodeFrame('eof')))
    .on('error', ({ message }) => socket.write(encodeFrame('unread', message)));
}
