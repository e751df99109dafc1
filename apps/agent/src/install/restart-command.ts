import { Command } from 'commander';
import { EXIT_CODE } from '../exit-code.js';
import { installedPlaces, UNIT } from './places.js';
import { restartAgent } from './restart-agent.js';
import { asRoot, isActive, Refused } from './steps.js';

/** `systole-agent restart`: for changed settings, and for packages that have replaced its files. @returns the exit code */
export async function restartCommand(args: readonly string[]): Promise<number> {
  const command = new Command('systole-agent restart')
    .description(`Restarts the agent of ${UNIT}; what it runs runs on, which "systemctl restart" would have it stop.`)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODE.USAGE));
  command.parse([...args], { from: 'user' });
  try {
    asRoot();
    if (!isActive('/', UNIT)) throw new Refused(`${UNIT} does not run: systemctl start ${UNIT}`);
    await restartAgent(installedPlaces());
    return 0;
  } catch (error) {
    process.stderr.write(`systole-agent restart: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_CODE.FAILED;
  }
}
