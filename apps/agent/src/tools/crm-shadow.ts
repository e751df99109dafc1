import { firstChildNamed, patchBetween, parseXml, serializeXml, type XmlElement } from '@systole/cib';
import { flag, optional, type OptionSpec, parseArguments, type ParsedArguments, undone, value } from './arguments.js';
import { EMPTY_CIB } from './empty-cib.js';
import { fileOf, parsedXml } from './input.js';
import { shadowFile } from './shadow-file.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';
import { callerOf } from './writes/command-line.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('which', '-w', '--which'),
  flag('display', '-p', '--display'),
  flag('diff', '-d', '--diff'),
  flag('file', '-F', '--file'),
  value('create', '-c', '--create'),
  value('createEmpty', '-e', '--create-empty'),
  value('reset', '-r', '--reset'),
  value('switch', '-s', '--switch'),
  value('commit', '-C', '--commit'),
  value('delete', '-D', '--delete'),
  flag('force', '-f', '--force'),
  flag('batch', '-b', '--batch'),
  optional('validateWith', '-v', '--validate-with'),
  undone('edit the file that --file names', '-E', '--edit'),
  undone('the status is what agents report: only the configuration is committed', '-a', '--all'),
  flag('verbose', '-V', '--verbose'),
];

const COMMANDS = ['which', 'display', 'diff', 'file', 'create', 'createEmpty', 'reset', 'switch', 'commit', 'delete'] as const;

type Command = (typeof COMMANDS)[number];

/** `crm_shadow`: copies of the configuration that all tools ask and change in the place of the cluster, where `CIB_shadow` names one. It starts no shell: what to paste into one is printed. */
export async function crmShadow(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const parsed = parseArguments(call.args, OPTIONS);
  const asked = COMMANDS.filter((name) => parsed.options[name] !== undefined);
  const [command] = asked;
  if (command === undefined || asked.length > 1 || parsed.operands.length > 0)
    throw new ToolFailure(EXIT.USAGE, 'one of -w -p -d -F -c -e -r -s -C -D is needed, and one only');
  if (parsed.options['validateWith'] !== undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, '--validate-with is not done here: a copy is of the schema that the cluster has');
  return isQuestion(command) ? answer(command, call, cluster) : change(command, parsed, call, cluster);
}

type Question = Extract<Command, 'which' | 'display' | 'diff' | 'file'>;

function isQuestion(command: Command): command is Question {
  return command === 'which' || command === 'display' || command === 'diff' || command === 'file';
}

const said = (stdout: string, exitCode: number = EXIT.OK): ToolResult => ({ stdout, stderr: '', exitCode });

async function answer(command: Question, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { CIB_shadow: name = '' } = call.env;
  if (name === '') throw new ToolFailure(EXIT.NO_SUCH, 'No active shadow configuration defined');
  const file = shadowFile(call, name);
  if (command === 'which') return said(`${name}\n`);
  if (command === 'file') return said(`${file}\n`);
  const copy = await copyNamed(name, call);
  if (command === 'display') return said(copy);
  const patch = patchBetween(parseXml(await cluster.cib()), parsedCopy(copy), { version: false });
  return patch === undefined ? said('') : said(serializeXml(patch), EXIT.ERROR);
}

async function change(
  command: Exclude<Command, Question>,
  { options }: ParsedArguments,
  call: ToolCall,
  cluster: ToolCluster,
): Promise<ToolResult> {
  const name = options[command] ?? '';
  const file = shadowFile(call, name);
  const isForced = options['force'] !== undefined;
  const { caller } = call;
  if (caller === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, `${file} can't be written here`);
  switch (command) {
    case 'create':
    case 'createEmpty':
    case 'reset': {
      const isThere = await exists(name, call);
      if (command === 'reset' ? !isThere : isThere && !isForced) throw command === 'reset' ? absent(name) : present(name);
      caller.create(file, command === 'createEmpty' ? EMPTY_CIB : await cluster.cib());
      return said(`Setting up shadow instance\nA new shadow instance was created.  ${pasted('To begin using it', name)}`);
    }
    case 'switch':
      await copyNamed(name, call);
      return said(`Setting up shadow instance\n${pasted('To switch to the named shadow instance,', name)}`);
    case 'commit': {
      if (!isForced) throw dangerous();
      const xml = configurationIn(parsedCopy(await copyNamed(name, call)));
      await cluster.request({ ask: 'change-document', changes: [{ operation: 'replace', xml }] }, callerOf(call));
      return said(leaving(name, call));
    }
    case 'delete':
      if (!isForced) throw dangerous();
      if (await exists(name, call)) caller.remove(file);
      return said(leaving(name, call));
  }
}

function configurationIn(copy: XmlElement): string {
  const configuration = firstChildNamed(copy, 'configuration');
  if (configuration === undefined) throw new ToolFailure(EXIT.CONFIG, 'the copy has no configuration');
  return serializeXml(configuration);
}

function copyNamed(name: string, call: ToolCall): Promise<string> {
  return fileOf(call, shadowFile(call, name)).catch(() => {
    throw absent(name);
  });
}

async function exists(name: string, call: ToolCall): Promise<boolean> {
  return fileOf(call, shadowFile(call, name)).then(
    () => true,
    () => false,
  );
}

const parsedCopy = (copy: string): XmlElement => parsedXml(copy, EXIT.CONFIG, "the copy can't be read");

function pasted(what: string, name: string): string {
  return `${what} paste the following into your shell:\n  CIB_shadow=${name} ; export CIB_shadow\n`;
}

/** Who still has a copy that was committed, or is gone, goes on with that. */
function leaving(name: string, { env }: ToolCall): string {
  if (env['CIB_shadow'] !== name) return '';
  return 'Please remember to unset the CIB_shadow variable by pasting the following into your shell:\n  unset CIB_shadow\n';
}

function absent(name: string): ToolFailure {
  return new ToolFailure(EXIT.NO_SUCH, `Could not access shadow instance '${name}': No such file or directory`);
}

function present(name: string): ToolFailure {
  return new ToolFailure(
    EXIT.CANT_CREATE,
    `A shadow instance '${name}' already exists.\n  To prevent accidental destruction of the cluster, the --force flag is required in order to proceed.`,
  );
}

function dangerous(): ToolFailure {
  return new ToolFailure(
    EXIT.USAGE,
    'The supplied command is considered dangerous.  To prevent accidental destruction of the cluster, the --force flag is required in order to proceed.',
  );
}
