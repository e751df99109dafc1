import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { URL } from 'node:url';

// `npm start`: builds what has changed, and runs it. Who only asks how it is called does not wait for that.
const program = new URL('dist/start.js', import.meta.url);
const asksForHelp = process.argv.includes('--help');
if (!asksForHelp || !existsSync(program)) {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
await import(program.href);
