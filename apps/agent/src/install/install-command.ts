import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT_CODE } from '../exit-code.js';
import { ownPackage, placesBelow, SERVICE_PATH, UNIT, type Places } from './places.js';
import { restartAgent } from './restart-agent.js';
import { asRoot, isActive, notOfDebian, Refused, say, systemctl } from './steps.js';

interface Flags {
  readonly server?: string;
  readonly tokenFile?: string;
  readonly watchdog?: string;
  readonly start: boolean;
  readonly root: string;
}

/**
 * `systole-agent install`: puts the package that this program is of in its place, with its unit and its settings. Done again it is an update: settings that are there stay, and the
 * resources run on while the agent is restarted.
 */
export async function installCommand(args: readonly string[]): Promise<number> {
  const command = new Command('systole-agent install')
    .description('Installs the agent from its unpacked package as a service of systemd. An installed one is updated; its settings stay.')
    .option('--server <url>', 'URL of the Systole server, or several, separated by commas')
    .option('--token-file <file>', "the node's agent token; it is copied")
    .option('--watchdog <device>', 'feed this watchdog')
    .option('--start', 'enable and start it', false)
    .option('--root <dir>', 'install below this directory, to make an image', '/')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODE.USAGE));
  command.parse([...args], { from: 'user' });
  try {
    await install(command.opts<Flags>());
    return 0;
  } catch (error) {
    process.stderr.write(`systole-agent install: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Refused ? EXIT_CODE.USAGE : EXIT_CODE.FAILED;
  }
}

async function install({ server, tokenFile, watchdog, start, root: given }: Flags): Promise<void> {
  asRoot();
  const root = resolve(given);
  notOfDebian(root, 'its settings are in /etc/systole/agent.env; a newer package updates it');
  if (start && root !== '/')
    throw new Refused(`--start is for the machine itself: what is installed below ${root} is started where it is booted`);
  const from = ownPackage();
  if (!existsSync(join(from, 'share', UNIT)))
    throw new Refused('this is no package: make one with "npm run package", unpack it, and run its bin/systole-agent');
  const token = tokenFile === undefined ? undefined : readFileSync(tokenFile, 'utf8').trim();
  if (token === '') throw new Refused(`${tokenFile ?? ''} is empty`);
  const places = placesBelow(root);
  putLibrary(from, places);
  putNode(places, root);
  for (const directory of [places.configuration, dirname(places.unit)]) mkdirSync(directory, { recursive: true, mode: 0o755 });
  mkdirSync(places.stateDir, { recursive: true, mode: 0o700 });
  putFile(places.unit, readFileSync(join(from, 'share', UNIT), 'utf8'), 0o644);
  if (token !== undefined) putFile(places.token, `${token}\n`, 0o600);
  putSettings(places, root, server, watchdog);
  say(`installed ${places.program}, ${places.unit}`);
  const isKnown = systemctl(root, 'daemon-reload');
  if (!start) {
    say(`settings: ${places.settings}; then: systemctl enable --now ${UNIT}`);
    return;
  }
  if (!isKnown)
    throw new NotStarted(
      `it is installed, and was not started: no systemd runs here. Start ${places.program} by what starts services on this machine, with the settings of ${places.settings} in its environment`,
    );
  systemctl(root, 'enable', UNIT);
  // One that runs takes up the new program.
  if (isActive(root, UNIT)) await restartAgent(places);
  else systemctl(root, 'start', UNIT);
  say(`${UNIT} is enabled, and runs`);
}

/** Everything is in its place, but it does not run. */
class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** The old one stays whole until the new one is there. */
function putLibrary(from: string, { library, program }: Places): void {
  const fresh = `${library}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(dirname(library), { recursive: true });
  cpSync(from, fresh, { recursive: true });
  rmSync(`${library}.old`, { recursive: true, force: true });
  if (existsSync(library)) renameSync(library, `${library}.old`);
  renameSync(fresh, library);
  rmSync(`${library}.old`, { recursive: true, force: true });
  mkdirSync(dirname(program), { recursive: true });
  rmSync(program, { force: true });
  symlinkSync(relative(dirname(program), join(library, 'bin/systole-agent')), program);
}

/** A service has a PATH of its own: where that has no Node.js the one that runs this is taken. */
function putNode({ library }: Places, root: string): void {
  if (SERVICE_PATH.some((directory) => existsSync(join(root, directory, 'node')))) return;
  if (root === '/') {
    symlinkSync(process.execPath, join(library, 'lib/node'));
    say(`${process.execPath} will run it, as there is no node in ${SERVICE_PATH.join(':')}`);
  } else say(`there is no node in ${SERVICE_PATH.join(':')} of ${root}: it takes one to run`);
}

/** What somebody wrote there stays; what is given now is changed. */
function putSettings(places: Places, root: string, server: string | undefined, watchdog: string | undefined): void {
  const before = existsSync(places.settings)
    ? readFileSync(places.settings, 'utf8')
    : '# Settings of systole-agent: SYSTOLE_* as its --help names them.\n';
  const given = new Map<string, string>();
  if (server !== undefined) given.set('SYSTOLE_SERVERS', server);
  if (watchdog !== undefined) given.set('SYSTOLE_WATCHDOG', watchdog);
  if (existsSync(places.token)) given.set('SYSTOLE_TOKEN_FILE', join('/', relative(root, places.token)));
  for (const [name, value] of given) if (/[\r\n]/.test(value)) throw new Refused(`${name} can't be of several lines`);
  const kept = before.split('\n').filter((line) => !given.has(line.split('=')[0]?.trim() ?? ''));
  const text = [
    ...kept.filter((line, index) => line !== '' || index < kept.length - 1),
    ...[...given].map(([name, value]) => `${name}=${value}`),
    '',
  ].join('\n');
  putFile(places.settings, text, 0o600);
}

function putFile(path: string, content: string, mode: number): void {
  const fresh = `${path}.new`;
  writeFileSync(fresh, content, { mode });
  chmodSync(fresh, mode);
  renameSync(fresh, path);
}
