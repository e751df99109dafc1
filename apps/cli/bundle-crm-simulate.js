// One file instead of two hundred, with the code that V8 makes of it: loading and compiling modules would take more time than most simulations.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
// As the loader does: V8 refuses code that was made with other settings.
import './bin/v8-settings.cjs';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));

const { outputFiles } = await build({
  entryPoints: [path('dist/crm-simulate/main.js')],
  write: false,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Names stay, for the sake of stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'inline',
  banner: { js: '(function (require, module) {' },
  footer: { js: '})' },
  logLevel: 'warning',
});
const [{ text }] = outputFiles;
// By the digest at the beginning of both the loader (bin/crm-simulate.cjs) sees that bundle and code belong together; V8 itself checks its version.
const digest = createHash('sha256').update(text).digest('hex');
const source = `//${digest}\n${text}`;
const script = new Script(source, { filename: path('dist/crm-simulate.bundle.js') });

// V8 keeps the code of functions that ran: of what is usually run.
const cib = path('warm-up.cib.xml');
const [node, program] = process.argv;
for (const options of [['-S'], ['-sSQ', '-D', devNull, '-G', devNull], ['-R', '--output-as=xml']]) {
  process.argv = [node, program, '-x', cib, '--output-to', devNull, ...options];
  script.runInThisContext()(createRequire(import.meta.url), {});
  if (process.exitCode !== 0) throw new Error(`crm_simulate ${options.join(' ')} ended with exit code ${process.exitCode}`);
}
writeFileSync(path('dist/crm-simulate.bundle.js'), source);
writeFileSync(path('dist/crm-simulate.bundle.cache'), Buffer.concat([Buffer.from(digest), script.createCachedData()]));
