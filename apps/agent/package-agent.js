// The agent as a package: one file with all that it depends on, and what it needs beside it. Unpacked anywhere it runs; `systole-agent install` puts it in its place.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const { version } = JSON.parse(readFileSync(path('package.json'), 'utf8'));
const name = `systole-agent-${version}`;
const out = process.argv[2] ?? path('dist/package');
const root = join(out, name);

rmSync(root, { recursive: true, force: true });
for (const directory of ['bin', 'lib/agent', 'share']) mkdirSync(join(root, directory), { recursive: true });
await build({
  // What is a program or a thread of its own stays a file of its own.
  entryPoints: {
    main: path('dist/main.js'),
    'monitor-worker': path('dist/tools/monitor/monitor-worker.js'),
    'node-client': path('dist/tools/node-client.js'),
  },
  outdir: join(root, 'lib/agent'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'external',
  // Some of what it depends on is written for require().
  banner: { js: "import { createRequire as systoleRequire } from 'node:module'; const require = systoleRequire(import.meta.url);" },
  logLevel: 'warning',
});
writeFileSync(join(root, 'lib/agent/package.json'), '{"type":"module"}\n');
// Asked before anything is loaded that an older one does not know.
writeFileSync(
  join(root, 'lib/agent/start.js'),
  `const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) await import('./main.js');
else {
  process.stderr.write(\`systole-agent: needs Node.js 20.19 or newer; \${process.execPath} is \${process.versions.node}\\n\`);
  process.exit(64);
}
`,
);
writeFileSync(join(root, 'bin/package.json'), '{"type":"module"}\n');
writeFileSync(
  join(root, 'bin/systole-agent'),
  `#!/bin/sh
program=$(readlink -f "$0")
package=\${program%/bin/*}
# The Node.js that it was installed with, where a service would not find it.
node=$package/lib/node
[ -x "$node" ] || node=node
exec "$node" "$package/lib/agent/start.js" "$@"
`,
);
writeFileSync(join(root, 'bin/systole-tool.js'), "#!/usr/bin/env node\nimport '../lib/agent/node-client.js';\n");
cpSync(path('bin/systole-tool.pl'), join(root, 'bin/systole-tool.pl'));
writeFileSync(
  join(root, 'bin/crm_simulate'),
  '#!/bin/sh\necho "crm_simulate: not part of the agent\'s package: run it where systole is installed" >&2\nexit 69\n',
);
for (const program of ['systole-agent', 'systole-tool.js', 'systole-tool.pl', 'crm_simulate']) chmodSync(join(root, 'bin', program), 0o755);
cpSync(path('systole-agent.service'), join(root, 'share/systole-agent.service'));
cpSync(path('../../LICENSE'), join(root, 'LICENSE'));
cpSync(path('../../agents/ocf'), join(root, 'share/ocf'), { recursive: true });
const packed = spawnSync('tar', ['--owner=0', '--group=0', '-czf', join(out, `${name}.tar.gz`), '-C', out, name], { stdio: 'inherit' });
if (packed.status !== 0) process.exit(1);
process.stdout.write(`${join(out, `${name}.tar.gz`)}\n`);
