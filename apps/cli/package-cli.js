// The command line as a package: `systole` and `crm_simulate`, each one file with all that it depends on.
import { productionModules } from '../../deploy/packaging/production-modules.js';
import { StagedPackage } from '../../deploy/packaging/staged-package.js';

/** @param {string} root directory that becomes the package */
export function stageCli(root) {
  const staged = new StagedPackage(root, 'systole');
  for (const file of ['systole.js', 'run-bundle.cjs', 'v8-settings.cjs', 'crm-simulate.cjs'])
    staged.copy(`apps/cli/bin/${file}`, `bin/${file}`);
  for (const program of ['systole', 'crm-simulate'])
    // The code that V8 made of it is for the version of Node.js that built it; others do without.
    for (const kind of ['js', 'cache']) staged.copy(`apps/cli/dist/${program}.bundle.${kind}`, `dist/${program}.bundle.${kind}`);
  staged.write(
    'bin/crm_simulate',
    `#!/bin/sh
program=$(readlink -f "$0")
# It talks to nobody; but Node 20 parses these certificates before anything else, which may take longer than the rest of its start.
unset NODE_EXTRA_CA_CERTS
exec node "\${program%/*}/crm-simulate.cjs" "$@"
`,
    0o755,
  );
  staged.copy('apps/cli/man/systole.1', 'man/systole.1');
  staged.finish(
    {
      description: 'The command line of Systole, a high-availability cluster manager, and crm_simulate',
      bin: { systole: 'bin/systole.js', crm_simulate: 'bin/crm_simulate' },
      man: 'man/systole.1',
    },
    productionModules(['apps/cli']),
  );
}
