import type { Command } from 'commander';
import { readWhole, type Fields } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { editing, given } from './edit-command.js';
import { deletions } from './elements.js';

interface LevelFlags {
  readonly id?: string;
  readonly pattern?: boolean;
}

/** Which devices fence which nodes, one level after the other. */
export function addFencingCommands(program: Command, surroundings: Surroundings): void {
  const fencing = program.command('fencing').description('fencing topology ("node fence" fences a node)');
  const level = fencing.command('level').alias('levels').description('which devices fence a node, one level after the other');

  level
    .command('list')
    .description('list the levels')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags) => {
        await showPart(session, flags, 'fencing-level', undefined);
      }),
    );

  editing<LevelFlags>(
    level.command('add <index> <target> <devices...>'),
    surroundings,
    ({ flags, operands: [index, target, ...devices] }) => {
      const who = flags.pattern === true ? { 'target-pattern': target } : targetOf(target);
      const element = { element: 'fencing-level', ...given({ id: flags.id, ...who, index, devices: devices.join(',') }) };
      return { edits: [{ edit: 'create', collection: 'fencing-levels', element }] };
    },
  )
    .description('add a level (1 is tried first) for a node, or for nodes with an attribute (rack=r1); its devices all have to succeed')
    .option('--pattern', 'the target is a regular expression that names of nodes match')
    .option('--id <id>', 'its id; made of target and index when left out');

  editing(level.command('delete <id-or-index> [target]'), surroundings, async ({ session, operands: [first = '', target] }) => {
    if (target === undefined) return { edits: deletions('fencing-level', [first], undefined) };
    const { value, tag } = await readWhole(session);
    const levels = (value['fencing-levels'] ?? []) as readonly Fields[];
    const wanted = Object.entries(targetOf(target));
    const ids = levels.flatMap((one) =>
      one['index'] === first && (one['target-pattern'] === target || wanted.every(([field, text]) => one[field] === text))
        ? [String(one['id'])]
        : [],
    );
    if (ids.length === 0) throw new UsageError(`there is no level ${first} of ${target}: see "systole fencing level list"`);
    return { edits: deletions('fencing-level', ids, undefined), tag };
  }).description('delete a level, by its id, or by index and target');
}

/** A node by its name, or nodes by an attribute. */
function targetOf(target = ''): Readonly<Record<string, string>> {
  const at = target.indexOf('=');
  return at <= 0 ? { target } : { 'target-attribute': target.slice(0, at), 'target-value': target.slice(at + 1) };
}
