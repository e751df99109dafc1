#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { UnfitCertificate } from '@systole/certificates';
import { LIMITS, ON_LEASE_LOSS, printableJson, type OnLeaseLoss } from '@systole/protocol';
import { linesOn, logFormatIn, LOG_FORMATS, OutsideLog, type LogFormat } from '@systole/program-log';
import { AGENT_SETTINGS, unknownSettings } from '@systole/settings';
import { pino } from 'pino';
import { UnusableAlertUser } from './alerts/alert-user.js';
import { AGENT_VERSION, runAgent } from './agent.js';
import {
  DEFAULT_KILL_GRACE_MS,
  DEFAULT_RUN_DIR,
  DEFAULT_STATE_DIR,
  DEFAULT_STOP_TIMEOUT_MS,
  defaultActionLimit,
  type AgentConfiguration,
} from './configuration.js';
import { COMMANDS } from './commands.js';
import { EXIT_CODE } from './exit-code.js';
import { LogIdentity } from './log-identity.js';
import { closeInheritedFiles, limitOpenFiles } from './node/inheritance.js';
import { AllowList, InvalidAllowEntry } from './programs/allow-list.js';
import { CIBSECRET_DIRECTORY, DEFAULT_SECRET_DIRECTORY } from './secrets/secret-sources.js';
import { tokenExposure } from './server/token-exposure.js';

interface Flags {
  readonly server?: string;
  readonly servers?: readonly string[];
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly node?: string;
  readonly remote?: true;
  readonly stateDir: string;
  readonly runDir: string;
  readonly pidFile?: string;
  readonly ocfRoot: readonly string[];
  readonly fenceDir: readonly string[];
  readonly allow: readonly string[];
  readonly alertUser?: string;
  readonly secretDir: readonly string[];
  readonly secretCommand: readonly string[];
  readonly actionLimit: number;
  readonly onLeaseLoss?: OnLeaseLoss | 'ignore';
  readonly watchdog?: string;
  readonly watchdogTimeout?: number;
  readonly panicCommand?: string;
  readonly stopTimeout: number;
  readonly killGrace: number;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
}

/** An option that counts where it is given, else what the environment has. */
function option(flags: string, name: keyof typeof AGENT_SETTINGS): Option {
  return new Option(flags, AGENT_SETTINGS[name].meaning).env(name);
}

const program = new Command('systole-agent')
  .description('Runs resource and fence agents on this node for a Systole cluster.')
  .version(AGENT_VERSION)
  .addOption(option('--server <url>', 'SYSTOLE_SERVER'))
  .addOption(option('--servers <urls>', 'SYSTOLE_SERVERS').argParser(listed))
  .addOption(option('--token-file <file>', 'SYSTOLE_TOKEN_FILE'))
  .addOption(option('--ca-file <file>', 'SYSTOLE_CA_FILE'))
  .addOption(option('--cert-file <file>', 'SYSTOLE_CERT_FILE'))
  .addOption(option('--key-file <file>', 'SYSTOLE_KEY_FILE'))
  .addOption(option('--node <name>', 'SYSTOLE_NODE'))
  .addOption(option('--remote', 'SYSTOLE_REMOTE'))
  .addOption(option('--state-dir <dir>', 'SYSTOLE_STATE_DIR').default(DEFAULT_STATE_DIR))
  .addOption(option('--run-dir <dir>', 'SYSTOLE_RUN_DIR').default(DEFAULT_RUN_DIR))
  .addOption(option('--pid-file <file>', 'SYSTOLE_PID_FILE'))
  .addOption(new Option('--ocf-root <dir>', 'also look for OCF agents there (repeatable)').default([]).argParser(collect))
  .addOption(new Option('--fence-dir <dir>', 'look for fence agents there first (repeatable)').default([]).argParser(collect))
  .addOption(
    option('--allow <agents>', 'SYSTOLE_ALLOW')
      .default([])
      .argParser((value: string, before: readonly string[]) => [...before, ...listed(value)]),
  )
  .addOption(option('--alert-user <name>', 'SYSTOLE_ALERT_USER'))
  .addOption(
    new Option('--secret-dir <dir>', `take secrets from files below this directory (repeatable; default ${DEFAULT_SECRET_DIRECTORY})`)
      .default([])
      .argParser(collect),
  )
  .addOption(
    new Option(
      '--secret-command <name=program>',
      'take secrets from the output of this program, which references call by the name (repeatable)',
    )
      .default([])
      .argParser((value: string, before: readonly string[]) => [...before, value]),
  )
  .addOption(option('--action-limit <n>', 'SYSTOLE_ACTION_LIMIT').default(defaultActionLimit()).argParser(actionLimit))
  .addOption(option('--on-lease-loss <what>', 'SYSTOLE_ON_LEASE_LOSS').choices([...ON_LEASE_LOSS, 'ignore']))
  .addOption(option('--watchdog <device>', 'SYSTOLE_WATCHDOG'))
  .addOption(option('--watchdog-timeout <ms>', 'SYSTOLE_WATCHDOG_TIMEOUT').argParser(positive))
  .addOption(option('--panic-command <program>', 'SYSTOLE_PANIC_COMMAND'))
  .addOption(
    new Option('--stop-timeout <ms>', 'for each resource when the lease is lost').default(DEFAULT_STOP_TIMEOUT_MS).argParser(positive),
  )
  .addOption(
    new Option('--kill-grace <ms>', 'between TERM and KILL of an operation whose time is up')
      .default(DEFAULT_KILL_GRACE_MS)
      .argParser(positive),
  )
  .addOption(option('--log-level <level>', 'SYSTOLE_LOG_LEVEL').default('info'))
  .addOption(option('--log-format <format>', 'SYSTOLE_LOG_FORMAT').choices(LOG_FORMATS).default('text'))
  .configureOutput({
    outputError: (text) => {
      outsideLog().say('fatal', text.trimEnd());
    },
  })
  .addHelpText(
    'after',
    `\nOther commands (systole-agent <command> --help):\n${Object.entries(COMMANDS)
      .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
      .join('\n')}`,
  );

/** Also while the command line is still being read. */
function outsideLog(): OutsideLog {
  const { logFormat } = program.opts<Partial<Flags>>();
  const asked = program.getOptionValueSource('logFormat') === 'default' ? logFormatIn(process.env['SYSTOLE_LOG_FORMAT']) : logFormat;
  return new OutsideLog('systole-agent', asked ?? 'text');
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, resolve(value)];
}

function listed(value: string): string[] {
  return value.split(',').map((url) => url.trim());
}

/** Both settings count; each server once. */
function serverUrls({ server, servers = [] }: Flags): readonly string[] {
  const urls = [...new Set([...(server === undefined ? [] : [server]), ...servers].map((url) => url.replace(/\/+$/, '')))];
  if (urls.length === 0) program.error('no server: give --server or --servers', { exitCode: EXIT_CODE.USAGE });
  const wrong = urls.find((url) => !URL.canParse(url) || !/^https?:/.test(url));
  if (wrong !== undefined) program.error(`'${wrong}' is not the URL of a server`, { exitCode: EXIT_CODE.USAGE });
  return urls;
}

/** Whoever gives certificates does not mean plain HTTP. */
function tlsFilesOf({ caFile, certFile, keyFile }: Flags, urls: readonly string[]): Pick<AgentConfiguration, 'tlsFiles'> {
  const files = {
    ...(caFile === undefined ? {} : { authorities: resolve(caFile) }),
    ...(certFile === undefined ? {} : { certificate: resolve(certFile) }),
    ...(keyFile === undefined ? {} : { key: resolve(keyFile) }),
  };
  if (Object.keys(files).length === 0) return {};
  const plain = urls.find((url) => !url.startsWith('https:'));
  if (plain !== undefined) {
    program.error(`'${plain}' is plain HTTP: with --ca-file, --cert-file and --key-file all servers are https://`, {
      exitCode: EXIT_CODE.USAGE,
    });
  }
  return { tlsFiles: files };
}

/** No entry at all is no list. */
function allowedIn({ allow }: Flags): Pick<AgentConfiguration, 'allowed'> {
  const entries = allow.filter((text) => text !== '');
  if (entries.length === 0) return {};
  try {
    return { allowed: new AllowList(entries) };
  } catch (error) {
    if (!(error instanceof InvalidAllowEntry)) throw error;
    return program.error(error.message, { exitCode: EXIT_CODE.USAGE });
  }
}

function secretsIn({ secretDir, secretCommand }: Flags): AgentConfiguration['secrets'] {
  const commands = secretCommand.map((text) => {
    const [, name, file] = /^([A-Za-z_][A-Za-z0-9_.-]{0,63})=(\/.+)$/s.exec(text) ?? [];
    if (name !== undefined && file !== undefined) return [name, file] as const;
    return program.error(`'${text}' is no command: give --secret-command name=/path/to/program`, { exitCode: EXIT_CODE.USAGE });
  });
  return {
    directories: secretDir.length === 0 ? [DEFAULT_SECRET_DIRECTORY] : secretDir,
    commands: Object.fromEntries(commands),
    cibsecretDirectory: CIBSECRET_DIRECTORY,
  };
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value <= 0) throw new InvalidArgumentError('must be a positive whole number');
  return value;
}

function actionLimit(text: string): number {
  const value = positive(text);
  if (value > LIMITS.actionsAtATime) throw new InvalidArgumentError(`must be at most ${String(LIMITS.actionsAtATime)}`);
  return value;
}

function configurationOf(flags: Flags): AgentConfiguration {
  if (flags.onLeaseLoss === 'watchdog' && flags.watchdog === undefined) {
    program.error('--on-lease-loss=watchdog needs --watchdog <device>', { exitCode: EXIT_CODE.USAGE });
  }
  const urls = serverUrls(flags);
  return {
    serverUrls: urls,
    ...tlsFilesOf(flags, urls),
    token: readToken(flags.tokenFile),
    ...(flags.node === undefined ? {} : { nodeName: flags.node }),
    ...(flags.remote === undefined ? {} : { remote: flags.remote }),
    stateDir: resolve(flags.stateDir),
    runDir: resolve(flags.runDir),
    ...(flags.pidFile === undefined ? {} : { pidFile: resolve(flags.pidFile) }),
    ocfRoots: flags.ocfRoot,
    fenceDirs: flags.fenceDir,
    ...allowedIn(flags),
    ...(flags.alertUser === undefined ? {} : { alertUser: flags.alertUser }),
    secrets: secretsIn(flags),
    actionLimit: flags.actionLimit,
    ...(flags.onLeaseLoss === undefined ? {} : { onLeaseLoss: flags.onLeaseLoss === 'ignore' ? 'keep' : flags.onLeaseLoss }),
    ...(flags.watchdog === undefined ? {} : { watchdog: flags.watchdog }),
    ...(flags.watchdogTimeout === undefined ? {} : { watchdogTimeoutMs: flags.watchdogTimeout }),
    ...(flags.panicCommand === undefined ? {} : { panicCommand: resolve(flags.panicCommand) }),
    stopTimeoutMs: flags.stopTimeout,
    killGraceMs: flags.killGrace,
    logLevel: flags.logLevel,
  };
}

function readToken(file: string | undefined): string {
  const inEnvironment = process.env['SYSTOLE_TOKEN'];
  if (file === undefined) {
    if (inEnvironment !== undefined && inEnvironment !== '') return inEnvironment.trim();
    return program.error('no token: give --token-file, or set SYSTOLE_TOKEN', { exitCode: EXIT_CODE.USAGE });
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    return program.error(`can not read the token: ${error instanceof Error ? error.message : String(error)}`, {
      exitCode: EXIT_CODE.USAGE,
    });
  }
}

/** The first signal asks for an orderly shutdown, the second ends at once. */
function onSignals(stop: AbortController): void {
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(EXIT_CODE.INTERRUPTED);
    stop.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function main(): Promise<void> {
  const [word = '', ...args] = process.argv.slice(2);
  const command = COMMANDS[word];
  if (command !== undefined) process.exit(await command.run(args));
  program.parse();
  const flags = program.opts<Flags>();
  const { tokenFile } = flags;
  const configuration = configurationOf(flags);
  outsideLog().takeOver();
  const identity = new LogIdentity();
  const mixin = (): object => identity.known;
  const standardError = linesOn(2);
  // Lines name what resource agents print and what others are called; whoever reads them does so in a terminal.
  const log = { write: (line: string): void => void standardError.write(printableJson(line)) };
  const logger = pino({ level: configuration.logLevel, name: 'systole-agent', mixin }, log);
  const exposure = tokenFile === undefined ? undefined : tokenExposure(tokenFile);
  if (exposure !== undefined) logger.warn(exposure);
  for (const unknown of unknownSettings(process.env)) logger.warn(unknown);
  closeInheritedFiles();
  const problem = limitOpenFiles(configuration.actionLimit);
  if (problem !== undefined) logger.warn({ problem }, 'the number of open files stays as it is, for resources, too');
  const stop = new AbortController();
  onSignals(stop);
  try {
    const end = await runAgent(configuration, logger, stop.signal, identity);
    if (end === 'hangs') {
      logger.fatal('the disk hangs: this process can not end in order, and is killed');
      process.kill(process.pid, 'SIGKILL');
      return;
    }
    process.exitCode = end;
  } catch (error) {
    if (error instanceof UnfitCertificate || error instanceof UnusableAlertUser) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'systole-agent ends');
    process.exitCode = error instanceof UnfitCertificate || error instanceof UnusableAlertUser ? EXIT_CODE.USAGE : EXIT_CODE.FAILED;
  }
  process.exit();
}

await main();
