import { SETTINGS, type SettingsName } from '@systole/cib';
import type { Command } from 'commander';
import { valuesOf, valuesPatch, withoutValues, type Values } from '../configuration/named-pairs.js';
import { readSettings } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { editing, type Plan } from './edit-command.js';

/** The sets that each section of options holds. */
const SETS: Readonly<Record<SettingsName, string>> = {
  properties: 'cluster_property_set',
  'rsc-defaults': 'meta_attributes',
  'op-defaults': 'meta_attributes',
};

/** Options of the cluster. */
export function addPropertyCommands(program: Command, surroundings: Surroundings): void {
  addSettings(program.command('property').description('options of the cluster'), 'properties', surroundings);
}

/** Defaults of resources, and of operations. */
export function addDefaultsCommands(resource: Command, surroundings: Surroundings): void {
  addSettings(resource.command('defaults').description('defaults of the meta-attributes of resources'), 'rsc-defaults', surroundings);
  const op = resource.commands.find((command) => command.name() === 'op') ?? resource.command('op');
  addSettings(op.command('defaults').description('defaults of operations'), 'op-defaults', surroundings);
}

function addSettings(parent: Command, name: SettingsName, surroundings: Surroundings): void {
  parent
    .command('list')
    .description('list those that are set')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags) => {
        await showPart(session, flags, name, undefined);
      }),
    );
  editing(parent.command('set <values...>'), surroundings, ({ session, operands }) => plan(session, name, valuesOf(operands))).description(
    'set name=value; name= takes one away, so that the default counts',
  );
  editing(parent.command('unset <names...>'), surroundings, ({ session, operands }) =>
    plan(session, name, withoutValues(operands)),
  ).description('take options away, so that their defaults count');
}

async function plan(session: Session, name: SettingsName, values: Values): Promise<Plan> {
  const { value, tag } = await readSettings(session, name);
  const set = SETS[name];
  const patch = valuesPatch(value[set], values);
  if (patch === undefined) throw new UsageError(`${[...values.keys()].join(', ')}: not set in <${SETTINGS[name]}>`);
  return { edits: [{ edit: 'patch', collection: name, patch: { [set]: patch } }], tag };
}
