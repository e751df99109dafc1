import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { SYSTEM_AGENT_DIRECTORIES, tryAgent, type AgentDirectories, type AgentResource, type Check, type TrialReport } from '@systole/ocf';
import { EXIT_CODE } from '../exit-code.js';
import { systemdHere } from '../node/systemd-here.js';

/** How a trial ends, for scripts. */
export const TRIAL_EXIT = {
  /** The agent keeps what its standard demands. */
  KEPT: 0,
  /** It breaks something. */
  BROKEN: 1,
  /** It could not be tried, or not to the end: not installed, running already, interrupted. */
  UNTRIED: 2,
} as const;

interface Flags {
  readonly parameter: Readonly<Record<string, string>>;
  readonly ocfRoot: readonly string[];
  readonly output: 'table' | 'json';
  readonly quiet: boolean;
}

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, resolve(value)];

/**
 * `systole-agent test <agent>`: needs no cluster, and no agent that runs.
 * @param args after `test`
 * @returns how the process ends
 */
export async function testCommand(args: readonly string[]): Promise<number> {
  const command = new Command('systole-agent test')
    .description(
      'Tries a resource agent on this machine as its standard demands, and explains what it breaks. The resource is started, stopped and, where it has processes, killed: it must not be in use.',
    )
    .argument('<agent>', 'ocf:<provider>:<type>, lsb:<script>, systemd:<unit> or service:<name>')
    .addOption(new Option('-p, --parameter <name=value>', 'a parameter of the resource (repeatable)').default({}).argParser(parameter))
    .addOption(new Option('--ocf-root <dir>', 'also look for OCF agents there (repeatable)').default([]).argParser(collected))
    .addOption(new Option('--output <form>', 'how the outcome is shown').choices(['table', 'json']).default('table'))
    .option('-q, --quiet', 'show no progress', false)
    .addHelpText(
      'after',
      '\nEnds with 0 when nothing is broken, 1 when something is, 2 when the agent could not be tried, 64 on wrong usage.',
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODE.USAGE));
  command.parse([...args], { from: 'user' });
  const { parameter: parameters, ocfRoot, output, quiet } = command.opts<Flags>();
  const resource = agentNamed(command.args[0] ?? '');
  if (resource === undefined)
    return usage(`'${command.args[0] ?? ''}' names no agent: ocf:<provider>:<type>, lsb:<script>, systemd:<unit>`);
  if (process.getuid?.() !== 0) return usage('resource agents run as root, and so are they tried');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!stop.signal.aborted) process.stderr.write('what was started is stopped; a moment\n');
      stop.abort();
    });
  const progress = (check: Check): void => {
    if (!quiet) process.stderr.write(`${MARKS[check.outcome].padEnd(6)} ${check.name}\n`);
  };
  const report = await tryAgent({ resource, parameters, directories: directoriesWith(ocfRoot) }, progress, stop.signal);
  process.stdout.write(output === 'json' ? `${JSON.stringify(summaryOf(report), undefined, 2)}\n` : tableOf(report));
  if (report.checks.some(({ outcome }) => outcome === 'broken')) return TRIAL_EXIT.BROKEN;
  return report.untried === undefined ? TRIAL_EXIT.KEPT : TRIAL_EXIT.UNTRIED;
}

function parameter(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) process.exit(usage(`'${text}' is no parameter: give --parameter name=value`));
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function usage(problem: string): number {
  process.stderr.write(`systole-agent test: ${problem}\n`);
  return EXIT_CODE.USAGE;
}

/** What a resource is called while it is tried. */
const ID = 'systole-trial';

function agentNamed(name: string): AgentResource | undefined {
  const [standard = '', ...rest] = name.split(':');
  const named = standard.toLowerCase();
  if (named === 'ocf') {
    const [provider, type, ...more] = rest;
    return provider === undefined || type === undefined || more.length > 0 ? undefined : { id: ID, class: named, provider, type };
  }
  // Names of units may have colons.
  return ['lsb', 'systemd', 'service', 'stonith'].includes(named) && rest.join('') !== ''
    ? { id: ID, class: named, type: rest.join(':') }
    : undefined;
}

function directoriesWith(ocfRoots: readonly string[]): AgentDirectories {
  const systemd = systemdHere();
  const known = [...SYSTEM_AGENT_DIRECTORIES.ocfRoots, ...ocfRoots].filter((root) => existsSync(root));
  return {
    ...SYSTEM_AGENT_DIRECTORIES,
    ocfRoots: known.length === 0 ? SYSTEM_AGENT_DIRECTORIES.ocfRoots : known,
    ...(systemd === undefined ? {} : { systemd }),
  };
}

const MARKS = { kept: 'ok', broken: 'BROKEN', note: 'note', skipped: 'skip' } as const satisfies Record<Check['outcome'], string>;

function countsOf({ checks }: TrialReport): Readonly<Record<Check['outcome'], number>> {
  const count = (wanted: Check['outcome']): number => checks.filter(({ outcome }) => outcome === wanted).length;
  return { kept: count('kept'), broken: count('broken'), note: count('note'), skipped: count('skipped') };
}

function summaryOf(report: TrialReport): TrialReport & { readonly counts: Readonly<Record<Check['outcome'], number>> } {
  return { ...report, counts: countsOf(report) };
}

function tableOf(report: TrialReport): string {
  const width = Math.max(...report.checks.map(({ name }) => name.length), 0);
  const lines = report.checks.flatMap(({ name, outcome, seen, why, output }) => [
    `${MARKS[outcome].padEnd(6)}  ${name.padEnd(width)}  ${seen}`,
    ...(why === undefined ? [] : [`        ${why}`]),
    ...(output === undefined || outcome !== 'broken' ? [] : output.split('\n').map((line) => `        | ${line}`)),
  ]);
  const { kept, broken, note, skipped } = countsOf(report);
  const counts = `${String(kept)} kept, ${String(broken)} broken, ${String(note)} to note, ${String(skipped)} not tried`;
  const end = report.untried === undefined ? counts : `not tried to the end: ${report.untried} (${counts})`;
  return `${[...lines, '', `${report.agent}: ${end}`].join('\n')}\n`;
}
