import { parseInterval } from '@systole/cib';
import { DEFAULT_SECTIONS, MONITOR_SECTIONS, sectionsNamed, type MonitorSection } from '@systole/simulator';
import { flag, optional, type OptionSpec, parseArguments, type ParsedArguments, undone, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { fencingOfAll } from './fencing-questions.js';
import { inDirectory } from './input.js';
import { asHtml } from './monitor/html.js';
import { keepShowing, type Output } from './monitor/keep-showing.js';
import { performMonitor, type MonitorForm, type MonitorTask } from './monitor/tasks.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

/** The version that the output of old claims; agents choose among spellings by it. */
const VERSION = '2.1.5';
const DEFAULT_INTERVAL_MS = 5_000;

const OPTIONS: readonly OptionSpec[] = [
  flag('once', '-1', '--one-shot'),
  flag('inactive', '-r', '--inactive'),
  flag('byNode', '-n', '--group-by-node'),
  flag('attributes', '-A', '--show-node-attributes'),
  flag('failcounts', '-f', '--failcounts'),
  flag('operations', '-o', '--operations'),
  flag('timing', '-t', '--timing-details'),
  flag('tickets', '-c', '--tickets'),
  optional('bans', '-L', '--neg-locations'),
  optional('fencing', '-m', '--fence-history'),
  flag('detail', '-R', '--show-detail'),
  flag('brief', '-b', '--brief'),
  flag('bare', '-D', '--hide-headers'),
  flag('line', '-s', '--simple-status'),
  flag('pending', '-j', '--pending'),
  value('include', '-I', '--include'),
  value('exclude', '-U', '--exclude'),
  value('node', '--node'),
  value('resource', '--resource'),
  flag('oldXml', '-X', '--as-xml'),
  value('format', '--output-as'),
  value('file', '--output-to'),
  value('page', '-h', '--as-html'),
  value('interval', '-i', '--interval'),
  flag('background', '-d', '--daemonize'),
  value('pidFile', '-p', '--pid-file'),
  value('program', '-E', '--external-agent'),
  value('recipient', '-e', '--external-recipient'),
  flag('watchFencing', '-W', '--watch-fencing'),
  flag('plain', '-N', '--disable-ncurses'),
  undone('a page is written to a file (--as-html), or printed (--output-as=html)', '-w', '--web-cgi'),
  flag('quiet', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
  flag('help', '-?', '--help', '--help-all'),
  flag('version', '-$', '--version'),
];

const HELP = `Usage: crm_mon [OPTION...]\n\n${OPTIONS.map(({ spellings, kind }) => `  ${spellings.join(', ')}${kind === 'value' ? ' VALUE' : ''}\n`).join('')}`;

type Options = ParsedArguments['options'];

/** `crm_mon`: the status, once, again and again, or in the background with a file that it keeps and a program that it tells of operations. */
export async function crmMon(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options, operands, given } = parseArguments(call.args, OPTIONS);
  if (options['version'] !== undefined) return { stdout: `Pacemaker ${VERSION} (as Systole does it)\n`, stderr: '', exitCode: EXIT.OK };
  if (options['help'] !== undefined) return { stdout: HELP, stderr: '', exitCode: EXIT.OK };
  const [stranger] = operands;
  if (stranger !== undefined) throw new ToolFailure(EXIT.USAGE, `what is '${stranger}' for? crm_mon takes options only`);
  if (options['watchFencing'] !== undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, '--watch-fencing is not done here: subscribe to the events of the API, or use alerts');
  const output = outputOf(options);
  const task = taskOf(call, options, sectionsOf(given), output);
  const fencing = isFencingAsked(given) && cluster.fencing !== undefined ? () => fencingOfAll(cluster) : undefined;
  const showing = { task, output, perform: (one: MonitorTask) => (cluster.monitor ?? inThisThread)(one), cib: cluster.cib };
  if (options['background'] !== undefined && output.file === undefined && options['program'] === undefined)
    throw new ToolFailure(EXIT.USAGE, '--daemonize requires at least one of --output-to and --external-agent');
  if (isOnce(options)) {
    const selected = selectionOf(options, await cluster.cib());
    const told = fencing === undefined ? {} : { fencing: await fencing() };
    const { text, isWell = true } = await showing.perform({ ...selected, ...task, ...told, cib: await cluster.cib(), now: nowSeconds() });
    const shown = output.kind === 'html' ? asHtml(text, undefined) : text;
    if (output.file === undefined) return { stdout: shown, stderr: '', exitCode: isWell ? EXIT.OK : EXIT.ERROR };
    callerOf(call).create(inDirectory(call, output.file), shown);
    return { stdout: '', stderr: '', exitCode: isWell ? EXIT.OK : EXIT.ERROR };
  }
  const caller = callerOf(call);
  if (options['background'] !== undefined && call.isAgain !== true)
    caller.detach(options['pidFile'] === undefined ? '' : inDirectory(call, options['pidFile']));
  // A server that is away comes back; one that does not know of it would leave nothing shown for ever.
  await fencing?.().catch((error: unknown) => {
    if (error instanceof ToolFailure) throw error;
  });
  const program = options['program'];
  await keepShowing({
    ...showing,
    ...(fencing === undefined ? {} : { fencing }),
    caller,
    output: output.file === undefined ? output : { ...output, file: inDirectory(call, output.file) },
    isPrinted: options['background'] === undefined && output.file === undefined,
    intervalMs: intervalOf(options['interval']),
    ...(program === undefined ? {} : { program, recipient: options['recipient'] ?? '' }),
    selection: (cib) => selectionOf(options, cib),
  });
  return { stdout: '', stderr: '', exitCode: EXIT.OK };
}

function inThisThread(task: MonitorTask): Promise<ReturnType<typeof performMonitor>> {
  return Promise.resolve().then(() => performMonitor(task));
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function callerOf({ caller }: ToolCall): NonNullable<ToolCall['caller']> {
  if (caller === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, 'files and the background are not to be had here: use -1');
  return caller;
}

function isOnce(options: Options): boolean {
  const { once, oldXml, line, background, page, file, program, format } = options;
  if (background !== undefined) return false;
  if (once !== undefined || oldXml !== undefined || line !== undefined) return true;
  return format === 'xml' && page === undefined && file === undefined && program === undefined;
}

function outputOf(options: Options): Output {
  const { format, page } = options;
  const file = page ?? options['file'];
  const kind = page !== undefined ? 'html' : (format ?? 'text');
  const toFile = file === undefined || file === '-' ? {} : { file };
  switch (kind) {
    case 'html':
    case 'text':
    case 'xml':
      return { kind, ...toFile };
    case 'console':
      return { kind: 'text', ...toFile };
    case 'none':
      return { kind: 'text', file: '/dev/null' };
    default:
      throw new ToolFailure(EXIT.USAGE, `--output-as=${kind} is unknown: text, xml, html`);
  }
}

function intervalOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_INTERVAL_MS;
  const ms = parseInterval(text);
  if (ms === undefined || ms < 1_000) throw new ToolFailure(EXIT.USAGE, `--interval=${text} is no time of at least a second`);
  return ms;
}

function taskOf(
  { args }: ToolCall,
  options: Options,
  sections: readonly MonitorSection[],
  output: Output,
): Omit<MonitorTask, 'cib' | 'now'> {
  return { request: ['crm_mon', ...args].join(' '), form: formOf(options, sections, output) };
}

function formOf(options: Options, sections: readonly MonitorSection[], output: Output): MonitorForm {
  if (options['line'] !== undefined) return { kind: 'line' };
  if (options['oldXml'] !== undefined) return { kind: 'old-xml', version: VERSION };
  if (output.kind === 'xml') return { kind: 'xml' };
  const prefix = banPrefixOf(options);
  return {
    kind: 'text',
    sections,
    options: {
      byNode: options['byNode'] !== undefined,
      inactive: options['inactive'] !== undefined,
      brief: options['brief'] !== undefined,
      detail: options['detail'] !== undefined,
      timing: options['timing'] !== undefined,
      localOffsetSeconds: -new Date().getTimezoneOffset() * 60,
      ...(prefix === undefined ? {} : { banPrefix: prefix }),
    },
  };
}

function banPrefixOf({ bans, include = '' }: Options): string | undefined {
  return include.split(',').flatMap((word) => (word.startsWith('bans:') ? [word.slice('bans:'.length)] : []))[0] ?? bans;
}

const SUMMARY: readonly MonitorSection[] = ['stack', 'dc', 'times', 'counts', 'options', 'maint-mode'];

/** Which parts are shown: what is shown always, what flags add, what `--include` adds and `--exclude` takes away. */
function sectionsOf(given: ParsedArguments['given']): readonly MonitorSection[] {
  const sections = new Set<MonitorSection>(DEFAULT_SECTIONS);
  const added = new Map<string, readonly MonitorSection[]>([
    ['attributes', ['attributes']],
    ['failcounts', ['failcounts']],
    ['operations', ['operations']],
    ['timing', ['operations']],
    ['tickets', ['tickets']],
    ['bans', ['bans']],
  ]);
  // Each in its turn: what is included after all was excluded is shown.
  for (const [name, text] of given) {
    for (const one of added.get(name) ?? []) sections.add(one);
    if (name === 'bare') for (const one of SUMMARY) sections.delete(one);
    if (name === 'fencing') addFencing(text, sections);
    if (name === 'include') includeSections(text, sections);
    if (name === 'exclude') excludeSections(text, sections);
  }
  return [...sections];
}

function includeSections(words: string, sections: Set<MonitorSection>): void {
  for (const word of wordsOf(words)) {
    if (word === 'none' || word === 'default' || word === 'defaults') sections.clear();
    for (const one of namedSections('--include', word.replace(/^bans:.*/s, 'bans'))) sections.add(one);
  }
}

function excludeSections(words: string, sections: Set<MonitorSection>): void {
  for (const word of wordsOf(words)) {
    if (word === 'none') throw new ToolFailure(EXIT.USAGE, '--exclude=none excludes nothing: leave it out');
    for (const one of namedSections('--exclude', word)) sections.delete(one);
  }
}

function wordsOf(text: string): readonly string[] {
  return text.split(',').filter((word) => word !== '');
}

/** Whether the history of fencing is asked for by name: that costs another question to the server, which nobody else pays. */
function isFencingAsked(given: ParsedArguments['given']): boolean {
  const isOfFencing = (word: string): boolean => sectionsNamed(word)?.some((one) => one.startsWith('fencing')) === true;
  return given.some(([name, text]) => (name === 'fencing' && text !== '0') || (name === 'include' && wordsOf(text).some(isOfFencing)));
}

/** `-m` without a level is 2. */
function addFencing(level: string, sections: Set<MonitorSection>): void {
  if (!/^[0-3]?$/.test(level)) throw new ToolFailure(EXIT.USAGE, `--fence-history=${level} is no level: 0 to 3`);
  if (level === '0') for (const one of sectionsNamed('fencing') ?? []) sections.delete(one);
  if (level === '' || Number(level) >= 2) sections.add('fencing-succeeded');
}

function namedSections(option: string, word: string): readonly MonitorSection[] {
  const named = sectionsNamed(word);
  if (named === undefined)
    throw new ToolFailure(
      EXIT.USAGE,
      `${option} options: all, default, none, summary, fencing, ${[...MONITOR_SECTIONS].sort().join(', ')}`,
    );
  return named;
}

/** A name may be a tag's, too: then all that have it are meant. */
function selectionOf({ node, resource }: Options, cib: string): Pick<MonitorTask, 'nodes' | 'resources'> {
  if (node === undefined && resource === undefined) return {};
  const view = CibView.parse(cib);
  return {
    ...(node === undefined ? {} : { nodes: view.tagged(node) ?? [node] }),
    ...(resource === undefined ? {} : { resources: view.tagged(resource) ?? [resource] }),
  };
}
