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
for (const name of positionals.length === 0 ? Object.keys(STAGES) : positionals) {
  const root = join(out, name);
  await STAGES[name](root);
  const made = values.staged ? [root] : [packForNpm(root, out), makeDebianPackage(name, root, out)];
  process.stdout.write(`${made.join('\n')}\n`);
}

/** @returns the archive */
function packForNpm(root, directory) {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory], { cwd: root, encoding: 'utf8' }),
  );
  return join(directory, filename);
}
