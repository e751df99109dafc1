// The program crm_simulate, as the packages of the command line and of the agent have it: the bundle of docs/decisions/0013.

/** Of what is in the bundle. */
export const CRM_SIMULATE_ACCOUNT = 'apps/cli/dist/crm-simulate.account.json';

/**
 * @param {import('./staged-package.js').StagedPackage} staged
 * @param {string} directory in the package, of which it is `bin/crm_simulate`
 * @param {string} [ownNode] from that directory: a Node.js that may be there, and goes before that of PATH
 */
export function stageCrmSimulate(staged, directory, ownNode) {
  for (const file of ['run-bundle.cjs', 'v8-settings.cjs', 'crm-simulate.cjs'])
    staged.copy(`apps/cli/bin/${file}`, `${directory}/bin/${file}`);
  // The code that V8 made of it is for the version of Node.js that built it; others do without.
  for (const kind of ['js', 'cache'])
    staged.copy(`apps/cli/dist/crm-simulate.bundle.${kind}`, `${directory}/dist/crm-simulate.bundle.${kind}`);
  const findNode = ownNode === undefined ? 'node=node\n' : `node=\${program%/bin/*}/${ownNode}\n[ -x "$node" ] || node=node\n`;
  staged.write(
    `${directory}/bin/crm_simulate`,
    `#!/bin/sh
program=$(readlink -f "$0")
${findNode}# It talks to nobody; but Node 20 parses these certificates before anything else, which may take longer than the rest of its start.
unset NODE_EXTRA_CA_CERTS
exec "$node" "\${program%/*}/crm-simulate.cjs" "$@"
`,
    0o755,
  );
}
