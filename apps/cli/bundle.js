// One file for each program instead of hundreds, with the code that V8 makes of it: loading and compiling modules would take more time than most of what is asked of them.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { devNull } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, URL } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
// As the loader does: V8 refuses code that was made with other settings.
import './bin/v8-settings.cjs';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const cib = path('warm-up.cib.xml');

/** @param warmUps arguments of what is usually run: V8 keeps the code of functions that ran */
async function bundle(name, entry, warmUps) {
  const { outputFiles, metafile } = await build({
    // The account names files from there.
    absWorkingDir: path('../..'),
    metafile: true,
    entryPoints: [path(entry)],
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
    // There only where somebody has installed it, and then for nobody who works on a bundle.
    external: ['pg-native'],
    logLevel: 'warning',
  });
  const [{ text }] = outputFiles;
  // By the digest at the beginning of both the loader (bin/run-bundle.cjs) sees that bundle and code belong together; V8 itself checks its version.
  const digest = createHash('sha256').update(text).digest('hex');
  const source = `//${digest}\n${text}`;
  const script = new Script(source, { filename: path(`dist/${name}.bundle.js`) });
  for (const [args, expected] of warmUps) await warmUp(script, name, args, expected);
  writeFileSync(path(`dist/${name}.bundle.js`), source);
  // For whoever packs it: of whom it has something.
  writeFileSync(path(`dist/${name}.account.json`), JSON.stringify(metafile));
  writeFileSync(path(`dist/${name}.bundle.cache`), Buffer.concat([Buffer.from(digest), script.createCachedData()]));
}

/** Runs the program in this process, without what it prints. */
async function warmUp(script, name, args, expected) {
  const [node] = process.argv;
  const write = { out: process.stdout.write, err: process.stderr.write };
  process.argv = [node, name, ...args];
  process.exitCode = undefined;
  process.stdout.write = process.stderr.write = () => true;
  try {
    script.runInThisContext()(createRequire(import.meta.url), {});
    for (let waited = 0; process.exitCode === undefined && waited < 10_000; waited += 10) await sleep(10);
  } finally {
    process.stdout.write = write.out;
    process.stderr.write = write.err;
  }
  if (process.exitCode !== expected) throw new Error(`${name} ${args.join(' ')} ended with exit code ${process.exitCode}`);
  process.exitCode = 0;
}

await bundle('crm-simulate', 'dist/crm-simulate/main.js', [
  [['-x', cib, '--output-to', devNull, '-S'], 0],
  [['-x', cib, '--output-to', devNull, '-sSQ', '-D', devNull, '-G', devNull], 0],
  [['-x', cib, '--output-to', devNull, '-R', '--output-as=xml'], 0],
]);
process.env.SYSTOLE_CONFIG = path('dist/no-such-config.json');
// A port that was free a moment ago.
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const NOBODY = `http://127.0.0.1:${server.address().port}`;
await new Promise((resolve) => {
  server.close(resolve);
});
await bundle('systole', 'dist/main.js', [
  [['--version'], 0],
  [['status', '--help'], 0],
  [['--server', NOBODY, '--token', 'none', '--cluster', 'none', 'status'], 3],
]);
