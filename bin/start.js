import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

// `npm start`: builds what has changed, and runs it; where there is nothing to build it from (an image that has what is compiled only) it runs it. Who only asks how it is called does not wait for that, nor who starts again what is built: agents wait for the server meanwhile.
const checkout = fileURLToPath(new URL('..', import.meta.url));
const program = new URL('dist/start.js', import.meta.url);
/** Written when everything was built; what has changed since is younger. */
const stamp = new URL('dist/.built', import.meta.url);
const MADE_OF = [
  'apps',
  'bin',
  'examples',
  'libs',
  'migrations',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
];
const NOT_SOURCES = new Set(['node_modules', 'dist']);

/** When a file was changed last, or anything below a folder, which is also when something there was deleted; epoch ms. */
function changedAt(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || !status.isDirectory()) return status?.mtimeMs ?? 0;
  const below = readdirSync(path).filter((name) => !NOT_SOURCES.has(name));
  return Math.max(status.mtimeMs, ...below.map((name) => changedAt(join(path, name))));
}

function isBuilt() {
  if (!existsSync(join(checkout, 'tsconfig.json'))) return true;
  if (!existsSync(program) || !existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  return MADE_OF.every((name) => changedAt(join(checkout, name)) <= builtAt);
}

const asksForHelp = process.argv.includes('--help');
if (!(asksForHelp && existsSync(program)) && !isBuilt()) {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: checkout, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
}
await import(program.href);
