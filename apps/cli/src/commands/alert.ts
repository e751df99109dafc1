import type { Command } from 'commander';
import { addAlertRunCommands } from './alert-runs.js';
import { newValues } from '../configuration/named-pairs.js';
import { readElement, type Fields } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { collected, editing, given } from './edit-command.js';
import { deletions } from './elements.js';

interface AlertFlags {
  readonly id?: string;
  readonly option?: readonly string[];
  readonly meta?: readonly string[];
  readonly select?: readonly string[];
}

/** What an alert can be about, as the command line names it. */
const KINDS: Readonly<Record<string, string>> = { nodes: 'select_nodes', fencing: 'select_fencing', resources: 'select_resources' };

/** Programs that are told of what happens. */
export function addAlertCommands(program: Command, surroundings: Surroundings): void {
  const alert = program.command('alert').description('programs that are told of what happens, as the configuration has them');

  alert
    .command('list')
    .description('list the alerts')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags) => {
        await showPart(session, flags, 'alert', undefined);
      }),
    );

  withValueOptions(
    editing<AlertFlags>(alert.command('create <path>'), surroundings, ({ flags, operands: [path] }) => ({
      edits: [
        {
          edit: 'create',
          collection: 'alerts',
          element: { element: 'alert', ...given({ id: flags.id, path }), ...setsOf(flags), ...selectOf(flags) },
        },
      ],
    })),
  )
    .description('add an alert: the program that is called')
    .option(
      '--select <kind>',
      'nodes, fencing, resources, attributes or attribute=NAME; can be given several times. Left out: all but attributes',
      collected,
    );

  editing(alert.command('delete <ids...>'), surroundings, ({ operands }) => ({
    edits: deletions('alert', operands, undefined),
  })).description('delete alerts');

  addAlertRunCommands(alert, surroundings);

  const recipient = alert.command('recipient').description('whom an alert is for');
  withValueOptions(
    editing<AlertFlags>(recipient.command('add <alert> <value>'), surroundings, async ({ session, flags, operands: [id = '', value] }) => {
      const { value: present, tag } = await readElement(session, 'alerts', id);
      return { edits: [patch(id, [...recipientsIn(present), { ...given({ id: flags.id, value }), ...setsOf(flags) }])], tag };
    }),
  ).description('add a recipient to an alert');
  editing(recipient.command('remove <alert> <recipients...>'), surroundings, async ({ session, operands: [id = '', ...names] }) => {
    const { value: present, tag } = await readElement(session, 'alerts', id);
    const recipients = recipientsIn(present);
    const left = recipients.filter((one) => !names.includes(String(one['id'])) && !names.includes(String(one['value'])));
    if (left.length === recipients.length) throw new UsageError(`${names.join(', ')}: not a recipient of ${id}`);
    return { edits: [patch(id, left)], tag };
  }).description('take recipients from an alert, by id or value');
}

function withValueOptions(command: Command): Command {
  return command
    .option('--id <id>', 'its id; made when left out')
    .option('--option <name=value>', 'a value in its environment; can be given several times', collected)
    .option('--meta <name=value>', 'a meta-attribute, e.g. timeout=30s; can be given several times', collected);
}

function setsOf({ option = [], meta = [] }: AlertFlags): Fields {
  return {
    ...(option.length === 0 ? {} : { instance_attributes: newValues(option) }),
    ...(meta.length === 0 ? {} : { meta_attributes: newValues(meta) }),
  };
}

function selectOf({ select = [] }: AlertFlags): Fields {
  if (select.length === 0) return {};
  const names = select.flatMap((text) => (text.startsWith('attribute=') ? [text.slice('attribute='.length)] : []));
  const others = select.filter((text) => !text.startsWith('attribute='));
  const wrong = others.find((text) => text !== 'attributes' && !Object.hasOwn(KINDS, text));
  if (wrong !== undefined) throw new UsageError(`--select ${wrong}: give nodes, fencing, resources, attributes or attribute=NAME`);
  const kinds = others.flatMap((text) => KINDS[text] ?? []);
  const attributes = names.length > 0 || others.includes('attributes');
  return {
    select: [
      {
        ...Object.fromEntries(kinds.map((kind) => [kind, [{}]])),
        ...(attributes ? { select_attributes: [names.length === 0 ? {} : { attribute: names.map((name) => ({ name })) }] } : {}),
      },
    ],
  };
}

function recipientsIn(alert: Fields): readonly Fields[] {
  return (alert['recipient'] ?? []) as readonly Fields[];
}

function patch(id: string, recipient: readonly Fields[]) {
  return { edit: 'patch', collection: 'alerts', id, patch: { recipient: recipient.length === 0 ? null : recipient } } as const;
}
