// The command line as a package: `systole` and `crm_simulate`, each one file with all that it depends on.
import { accountIn, bundledModules } from '../../deploy/packaging/bundled-modules.js';
import { CRM_SIMULATE_ACCOUNT, stageCrmSimulate } from '../../deploy/packaging/crm-simulate.js';
import { StagedPackage } from '../../deploy/packaging/staged-package.js';

/** @param {string} root directory that becomes the package */
export function stageCli(root) {
  const staged = new StagedPackage(root, 'systole');
  stageCrmSimulate(staged, '.');
  staged.copy('apps/cli/bin/systole.js', 'bin/systole.js');
  for (const kind of ['js', 'cache']) staged.copy(`apps/cli/dist/systole.bundle.${kind}`, `dist/systole.bundle.${kind}`);
  staged.copy('apps/cli/man/systole.1', 'man/systole.1');
  staged.finish(
    {
      description: 'The command line of Systole, a high-availability cluster manager, and crm_simulate',
      bin: { systole: 'bin/systole.js', crm_simulate: 'bin/crm_simulate' },
      man: 'man/systole.1',
    },
    bundledModules([accountIn('apps/cli/dist/systole.account.json'), accountIn(CRM_SIMULATE_ACCOUNT)]),
  );
}
