import { Command } from 'commander';
import { EXIT_CODE } from '../exit-code.js';
import { DEFAULT_TIMEOUT_S, leaveCluster } from './leave-cluster.js';
import { installedPlaces } from './places.js';
import { asRoot, Refused } from './steps.js';

interface Flags {
  readonly force: boolean;
  readonly timeout: number;
}

/** `systole-agent leave`: what `uninstall` does before it removes anything; for packages whose files somebody else removes. @returns the exit code */
export async function leaveCommand(args: readonly string[]): Promise<number> {
  const command = new Command('systole-agent leave')
    .description('Has the node leave its cluster, its resources stopped, and looks that nothing runs on.')
    .option('--force', 'succeed also when something may run on that nobody will look after', false)
    .option('--timeout <seconds>', 'how long the resources may take to stop', Number, DEFAULT_TIMEOUT_S)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODE.USAGE));
  command.parse([...args], { from: 'user' });
  try {
    asRoot();
    await leaveCluster({ places: installedPlaces(), root: '/', ...command.opts<Flags>() });
    return 0;
  } catch (error) {
    process.stderr.write(`systole-agent leave: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Refused ? EXIT_CODE.LEFT_UNCLEAN : EXIT_CODE.FAILED;
  }
}
