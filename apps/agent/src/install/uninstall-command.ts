import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT_CODE } from '../exit-code.js';
import { DEFAULT_TIMEOUT_S, leaveCluster } from './leave-cluster.js';
import { placesBelow, UNIT } from './places.js';
import { asRoot, notOfDebian, Refused, say, systemctl } from './steps.js';

interface Flags {
  readonly purge: boolean;
  readonly force: boolean;
  readonly timeout: number;
  readonly root: string;
}

/** `systole-agent uninstall`: the node leaves its cluster first. As long as anything may run, nothing is removed. */
export async function uninstallCommand(args: readonly string[]): Promise<number> {
  const command = new Command('systole-agent uninstall')
    .description('Has the node leave its cluster, its resources stopped, and removes the agent.')
    .option('--purge', 'remove settings, token, and what the agent remembers, too', false)
    .option('--force', 'also when something may run on that nobody will look after', false)
    .option('--timeout <seconds>', 'how long the resources may take to stop', Number, DEFAULT_TIMEOUT_S)
    .option('--root <dir>', 'remove it from below this directory, of an image', '/')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODE.USAGE));
  command.parse([...args], { from: 'user' });
  try {
    await uninstall(command.opts<Flags>());
    return 0;
  } catch (error) {
    process.stderr.write(`systole-agent uninstall: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Refused ? EXIT_CODE.LEFT_UNCLEAN : EXIT_CODE.FAILED;
  }
}

async function uninstall({ purge, force, timeout, root: given }: Flags): Promise<void> {
  asRoot();
  const root = resolve(given);
  notOfDebian(root, 'remove it with apt-get remove systole-agent (or purge)');
  const places = placesBelow(root);
  await leaveCluster({ places, root, timeout, force });
  if (existsSync(places.unit)) systemctl(root, 'disable', UNIT);
  for (const path of [places.unit, places.program, places.library]) rmSync(path, { recursive: true, force: true });
  rmSync(places.runDir, { recursive: true, force: true });
  systemctl(root, 'daemon-reload');
  if (purge) {
    for (const path of [places.stateDir, places.settings, places.token]) rmSync(path, { recursive: true, force: true });
    removeIfEmpty(places.configuration);
    say('removed, with its settings and what it remembered');
  } else say(`removed; ${places.configuration} and ${places.stateDir} stay (--purge)`);
}

function removeIfEmpty(directory: string): void {
  if (existsSync(directory) && readdirSync(directory).length === 0) rmdirSync(directory);
}
