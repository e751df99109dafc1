// The agent as a package: one file with all that it depends on, and what it needs beside it. Unpacked anywhere it runs; `systole-agent install` puts it in its place.
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';
import { accountIn, bundledModules } from '../../deploy/packaging/bundled-modules.js';
import { CRM_SIMULATE_ACCOUNT, stageCrmSimulate } from '../../deploy/packaging/crm-simulate.js';
import { refusingOlderNode, StagedPackage } from '../../deploy/packaging/staged-package.js';
import { CHECKOUT } from '../../deploy/packaging/version.js';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));

/** @param {string} root directory that becomes the package */
export async function stageAgent(root) {
  const staged = new StagedPackage(root, 'systole-agent');
  const { metafile } = await build({
    absWorkingDir: CHECKOUT,
    metafile: true,
    // What is a program or a thread of its own stays a file of its own.
    entryPoints: {
      main: path('dist/main.js'),
      'monitor-worker': path('dist/tools/monitor/monitor-worker.js'),
      'document-worker': path('dist/tools/documents/document-worker.js'),
      'node-client': path('dist/tools/node-client.js'),
    },
    outdir: `${root}/lib/agent`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // Some of what it depends on is written for require().
    banner: { js: "import { createRequire as systoleRequire } from 'node:module'; const require = systoleRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  staged.write('lib/agent/start.js', refusingOlderNode('systole-agent', "await import('./main.js');\n"));
  staged.write(
    'bin/systole-agent',
    `#!/bin/sh
program=$(readlink -f "$0")
package=\${program%/bin/*}
# The Node.js that it was installed with, where a service would not find it.
node=$package/lib/node
[ -x "$node" ] || node=node
exec "$node" "$package/lib/agent/start.js" "$@"
`,
    0o755,
  );
  staged.write('bin/systole-tool.js', "#!/usr/bin/env node\nimport '../lib/agent/node-client.js';\n", 0o755);
  staged.copy('apps/agent/bin/systole-tool.pl', 'bin/systole-tool.pl');
  staged.copy('apps/agent/bin/crm_simulate', 'bin/crm_simulate');
  stageCrmSimulate(staged, 'lib/crm-simulate', '../node');
  staged.copy('apps/agent/systole-agent.service', 'share/systole-agent.service');
  staged.copy('agents/ocf', 'share/ocf');
  staged.finish(
    {
      description: 'The agent of a node of a Systole cluster: runs resource agents and fence agents',
      os: ['linux'],
      bin: { 'systole-agent': 'bin/systole-agent' },
    },
    bundledModules([metafile, accountIn(CRM_SIMULATE_ACCOUNT)]),
  );
}
