// `npm run package [-- [--out <directory>] [--staged] [name …]]`: every package that users install, from what is built. Prints the files that it made.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { stageAgent } from '../../apps/agent/package-agent.js';
import { stageCli } from '../../apps/cli/package-cli.js';
import { stageServer } from '../../bin/package-server.js';
import { makeDebianPackage } from './debian-package.js';
import { CHECKOUT } from './version.js';

const STAGES = { systole: stageCli, 'systole-server': stageServer, 'systole-agent': stageAgent };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: join(CHECKOUT, 'packages') },
    // Directories only, as npm and Debian's packages have them inside.
    staged: { type: 'boolean', default: false },
  },
});
const unknown = positionals.find((name) => !(name in STAGES));
if (unknown !== undefined) {
  process.stderr.write(`There is no package ${unknown}: there are ${Object.keys(STAGES).join(', ')}\n`);
  process.exit(64);
}
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const names = positionals.length === 0 ? Object.keys(STAGES) : positionals;
const roots = names.map((name) => join(out, name));
for (const [index, name] of names.entries()) await STAGES[name](roots[index]);
const made = values.staged ? roots : [...packForNpm(roots, out), ...names.map((name, index) => makeDebianPackage(name, roots[index], out))];
process.stdout.write(`${made.join('\n')}\n`);

/** @returns the archives */
function packForNpm(directories, destination) {
  const options = ['--json', '--loglevel=error', '--ignore-scripts', '--pack-destination', destination];
  const packed = JSON.parse(
    execFileSync('npm', ['pack', ...options, ...directories], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  return packed.map(({ filename }) => join(destination, filename));
}
