import type { ElementEdit } from '@systole/cib';
import type { Command } from 'commander';
import { advertisedActions, defaultOperations, MONITOR_INTERVAL, type ConfiguredOperation } from '../configuration/default-operations.js';
import { newValues, valuesOf, valuesPatch, type Values } from '../configuration/named-pairs.js';
import { findElement, readElement, type Fields, type Read } from '../configuration/requests.js';
import {
  agentAttributes,
  readResourceWords,
  type OperationWords,
  type ResourceWords,
  type WithinClone,
} from '../configuration/resource-words.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { deletions, placeIn } from './elements.js';
import { editing, type Plan } from './edit-command.js';

const RESOURCES = 'resources';
const GRAMMAR = '[param=value...] [op NAME name=value...] [meta name=value...] [utilization name=value...]';

interface PlaceFlags {
  readonly before?: string;
  readonly after?: string;
}

interface CreateFlags extends PlaceFlags {
  readonly defaultOps: boolean;
}

interface CascadeFlags {
  readonly cascade?: boolean;
}

/** Making and changing resources, as somebody types it who comes from pcs or crmsh. */
export function addResourceConfigurationCommands(resource: Command, surroundings: Surroundings): void {
  resource
    .command('config [id]')
    .description('show the configuration of the resources, or of one')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags, [id]) => {
        await showPart(session, flags, RESOURCES, id);
      }),
    );

  editing<CreateFlags>(
    resource.command('create <id> <agent> [words...]'),
    surroundings,
    ({ session, flags, operands: [id = '', agent = '', ...words] }) => planCreate(session, id, agent, readResourceWords(words), flags),
  )
    .description(
      `make a resource: ${GRAMMAR} [clone [ID]|promotable [ID]|group GROUP|bundle BUNDLE]; the agent is ocf:PROVIDER:TYPE, CLASS:TYPE or @TEMPLATE; operations that are not given are those that the agent advertises`,
    )
    .option('--no-default-ops', 'of the operations that are not given only a monitor')
    .option('--before <id>', 'the sibling that it goes before, in its group or among all')
    .option('--after <id>', 'the sibling that it goes after');

  editing(resource.command('update <id> <words...>'), surroundings, async ({ session, operands: [id = '', ...words] }) =>
    planUpdate(await readElement(session, RESOURCES, id), id, readResourceWords(words)),
  ).description(`change a resource: ${GRAMMAR}; name= takes a value away, an operation is found by its name and interval`);

  editing(resource.command('meta <id> <attributes...>'), surroundings, async ({ session, operands: [id = '', ...words] }) => {
    const read = await readElement(session, RESOURCES, id);
    return { edits: [patched(id, { meta_attributes: valuesPatch(read.value['meta_attributes'], valuesOf(words)) })], tag: read.tag };
  }).description('set meta-attributes of a resource, group, clone or bundle; name= takes one away');

  editing<CascadeFlags>(resource.command('delete <ids...>'), surroundings, ({ flags, operands }) => ({
    edits: deletions('resource', operands, flags.cascade),
  }))
    .description('delete resources; refused with all that refers to them, unless that goes along')
    .option('--cascade', 'take along what refers to them: constraints, references in sets and tags, and what that leaves empty');

  addOperationCommands(resource.command('op').description('operations of resources, and their defaults'), surroundings);
  addGroupCommands(resource, surroundings);
  addCloneCommands(resource, surroundings);
}

async function planCreate(session: Session, id: string, agent: string, words: ResourceWords, flags: CreateFlags): Promise<Plan> {
  const attributes = agentAttributes(agent);
  const { added, notes } = await addedOperations(session, agent, attributes, words, flags);
  const member = { id, ...attributes, ...contentsOf(words, added) };
  return { ...(await planOfCreated(session, member, words.within, flags)), notes };
}

async function planOfCreated(
  session: Session,
  member: Fields & { readonly id: string },
  within: ResourceWords['within'],
  flags: PlaceFlags,
): Promise<Plan> {
  const place = placeIn(flags);
  const created = (element: Fields): ElementEdit => ({ edit: 'create', collection: RESOURCES, element, ...place });
  if (within === undefined) return { edits: [created({ element: 'primitive', ...member })] };
  if ('meta' in within) return { edits: [created({ ...cloneFields(member.id, within), primitive: [member] })] };
  const read = await findElement(session, RESOURCES, within.id);
  if (read !== undefined) return { edits: [created({ element: 'primitive', ...member, parent: within.id })], tag: read.tag };
  if (within.kind === 'bundle') throw new UsageError(`there is no bundle ${within.id}: make it first ("systole create bundle -f FILE")`);
  return { edits: [created({ element: 'group', id: within.id, primitive: [member] })] };
}

/** What a resource made of a template does is said there. Of a fence device only the monitor counts: to start and stop one calls nothing. */
async function addedOperations(
  session: Session,
  agent: string,
  { template, class: standard }: Readonly<Record<string, string>>,
  { operations }: ResourceWords,
  { defaultOps }: CreateFlags,
): Promise<{ readonly added: readonly ConfiguredOperation[]; readonly notes: readonly string[] }> {
  if (template !== undefined) return { added: [], notes: [] };
  const advertised = await advertisedActions(session, agent);
  const monitorsOnly = !defaultOps || standard === 'stonith';
  const added = defaultOperations({ advertised, given: operations.map(({ name }) => name), monitorsOnly });
  const why = advertised === undefined ? `no node has told what ${agent} advertises` : `as ${agent} advertises them`;
  return { added, notes: added.length === 0 ? [] : [`Operations that were added, ${why}: ${added.map(operationText).join(', ')}`] };
}

function operationText({ name, ...values }: ConfiguredOperation): string {
  return [name, ...Object.entries(values).flatMap(([field, value]) => (value === '0s' ? [] : [`${field}=${value}`]))].join(' ');
}

function contentsOf({ parameters, operations, meta, utilization }: ResourceWords, added: readonly ConfiguredOperation[]): Fields {
  const sets = { instance_attributes: newValues(parameters), meta_attributes: newValues(meta), utilization: newValues(utilization) };
  return {
    ...Object.fromEntries(Object.entries(sets).filter(([, set]) => Object.keys(set).length > 0)),
    ...(operations.length + added.length === 0 ? {} : { operations: [...operations.map(newOperation), ...added] }),
  };
}

/** An operation without an interval is done once: when it is due; but for a monitor, as pcs has it. */
function newOperation({ name, values }: OperationWords): Fields {
  const { [CHECK_LEVEL]: level, ...attributes } = newValues(values);
  return {
    name,
    interval: intervalOf(name),
    ...attributes,
    ...(level === undefined ? {} : { instance_attributes: { [CHECK_LEVEL]: level } }),
  };
}

/** How deep a monitor looks (OCF): a parameter of the operation, that pcs and crmsh take among its attributes. */
const CHECK_LEVEL = 'OCF_CHECK_LEVEL';

function intervalOf(name: string): string {
  return name === 'monitor' ? MONITOR_INTERVAL : '0s';
}

function cloneFields(id: string, { kind, id: own, meta }: WithinClone): Fields {
  const values = { ...(kind === 'promotable' ? { promotable: 'true' } : {}), ...newValues(meta) };
  return { element: 'clone', id: own ?? `${id}-clone`, ...(Object.keys(values).length === 0 ? {} : { meta_attributes: values }) };
}

function planUpdate({ value: present, tag }: Read<Fields>, id: string, words: ResourceWords): Plan {
  if (words.within !== undefined) throw new UsageError('into a group or a clone: "systole resource group add", "systole resource clone"');
  const sets = { instance_attributes: words.parameters, meta_attributes: words.meta, utilization: words.utilization };
  const changed = Object.entries(sets).flatMap(([field, given]) =>
    given.length === 0 ? [] : [[field, valuesPatch(present[field], valuesOf(given))] as const],
  );
  const operations = words.operations.reduce(
    (list, { name, values }) => withOperation(list, name, valuesOf(values)),
    operationsIn(present),
  );
  const patch = { ...Object.fromEntries(changed), ...(words.operations.length === 0 ? {} : { operations }) };
  if (Object.keys(patch).length === 0) throw new UsageError('what of it? Give name=value, op, meta or utilization');
  return { edits: [patched(id, patch)], tag };
}

function patched(id: string, patch: Fields): ElementEdit {
  return { edit: 'patch', collection: RESOURCES, id, patch };
}

/** @throws {UsageError} where they are another resource's, or there are several lists */
function operationsIn(resource: Fields): readonly Fields[] {
  const list = Array.isArray(resource['operations']) ? (resource['operations'] as readonly Fields[]) : [];
  if (list.some((entry) => 'op' in entry || 'id-ref' in entry)) {
    throw new UsageError('its operations are those of another resource: use "systole config edit resource"');
  }
  return list;
}

/** With an operation changed: the one of that name and interval, else the only one of that name; or added. */
function withOperation(operations: readonly Fields[], name: string, values: Values): readonly Fields[] {
  const interval = values.get('interval');
  const named = operations.filter((one) => one['name'] === name);
  const found = named.find((one) => one['interval'] === interval) ?? (named.length === 1 ? named[0] : undefined);
  if (found === undefined && named.length > 1)
    throw new UsageError(`${name} is there ${String(named.length)} times: say which by its interval`);
  const changed = new Map(Object.entries(found ?? { name, interval: intervalOf(name) }));
  const level = values.get(CHECK_LEVEL);
  if (level !== undefined) {
    const parameters = withCheckLevel(found?.['instance_attributes'], level);
    if (Object.keys(parameters).length === 0) changed.delete('instance_attributes');
    else changed.set('instance_attributes', parameters);
  }
  for (const [field, value] of values) {
    if (field === CHECK_LEVEL) continue;
    if (value === null) changed.delete(field);
    else changed.set(field, value);
  }
  const by = Object.fromEntries(changed);
  return found === undefined ? [...operations, by] : operations.map((one) => (one === found ? by : one));
}

/** The parameters of an operation, of which the list holds all. @param level null takes it away @throws {UsageError} where there are several sets */
function withCheckLevel(parameters: unknown, level: string | null): Fields {
  if (Array.isArray(parameters)) throw new UsageError('its parameters have rules, or are several sets: use "systole config edit resource"');
  const others = Object.fromEntries(Object.entries((parameters ?? {}) as Fields).filter(([name]) => name !== CHECK_LEVEL));
  return level === null ? others : { ...others, [CHECK_LEVEL]: level };
}

function addOperationCommands(op: Command, surroundings: Surroundings): void {
  editing(
    op.command('add <id> <operation> [attributes...]'),
    surroundings,
    async ({ session, operands: [id = '', name = '', ...words] }) => {
      const { value, tag } = await readElement(session, RESOURCES, id);
      return { edits: [patched(id, { operations: [...operationsIn(value), newOperation({ name, values: words })] })], tag };
    },
  ).description('add an operation to a resource, e.g. monitor interval=10s timeout=30s');

  editing(
    op.command('delete <id> <operation> [attributes...]'),
    surroundings,
    async ({ session, operands: [id = '', name = '', ...words] }) => {
      const { value, tag } = await readElement(session, RESOURCES, id);
      const given = Object.entries(newValues(words));
      const operations = operationsIn(value);
      const left = operations.filter((one) => one['name'] !== name || given.some(([field, wanted]) => one[field] !== wanted));
      if (left.length === operations.length) throw new UsageError(`${id} has no such operation: see "systole resource config ${id}"`);
      return { edits: [patched(id, { operations: left })], tag };
    },
  ).description('delete the operations of a name from a resource; with attributes (e.g. interval=10s) those that have them');
}

function addGroupCommands(resource: Command, surroundings: Surroundings): void {
  const group = resource.command('group').description('put resources into groups, and take them out');

  editing<PlaceFlags>(group.command('add <group> <ids...>'), surroundings, async ({ session, flags, operands: [group = '', ...ids] }) => {
    const read = await findElement(session, RESOURCES, group);
    if (read === undefined)
      return {
        edits: [{ edit: 'create', collection: RESOURCES, element: { element: 'group', id: group, members: ids }, ...placeIn(flags) }],
      };
    const { before, after } = placeIn(flags);
    return {
      edits: ids.map((id, index) => {
        const last = index === 0 ? after : after === undefined ? undefined : ids[index - 1];
        return {
          edit: 'move',
          collection: RESOURCES,
          id,
          parent: group,
          ...(before === undefined ? {} : { before }),
          ...(last === undefined ? {} : { after: last }),
        };
      }),
      tag: read.tag,
    };
  })
    .description('put resources into a group, in this order; the group is made if there is none')
    .option('--before <id>', 'the member that they go before')
    .option('--after <id>', 'the member that they go after');

  editing<CascadeFlags>(
    group.command('remove <group> <ids...>'),
    surroundings,
    async ({ session, flags, operands: [group = '', ...ids] }) => {
      const read = await readElement(session, RESOURCES, group);
      const members = membersIn(read.value);
      const strangers = ids.filter((id) => !members.includes(id));
      if (strangers.length > 0) throw new UsageError(`${strangers.join(', ')}: not in ${group}, which has ${members.join(', ')}`);
      return {
        edits: [
          ...taken(group, read.value, ids),
          ...(members.every((id) => ids.includes(id)) ? deletions('resource', [group], flags.cascade) : []),
        ],
        tag: read.tag,
      };
    },
  )
    .description('take resources out of a group; with the last of them it goes')
    .option('--cascade', 'when the group goes, take along what refers to it');

  addDissolving(resource, surroundings, 'ungroup <group>', 'take all resources out of a group, and delete it');
}

function addCloneCommands(resource: Command, surroundings: Surroundings): void {
  for (const kind of ['clone', 'promotable'] as const) {
    editing(resource.command(`${kind} <id> [words...]`), surroundings, ({ operands: [id = '', ...words] }) => {
      const isId = words[0] !== undefined && !words[0].includes('=') && words[0] !== 'meta';
      const within = { kind, id: isId ? words[0] : undefined, meta: (isId ? words.slice(1) : words).filter((word) => word !== 'meta') };
      return { edits: [{ edit: 'create', collection: RESOURCES, element: { ...cloneFields(id, within), members: [id] } }] };
    }).description(`make a ${kind === 'clone' ? '' : 'promotable '}clone of a resource or group: [CLONE-ID] [meta-attribute=value...]`);
  }
  addDissolving(resource, surroundings, 'unclone <clone>', 'take a resource out of its clone, and delete that');
}

function addDissolving(resource: Command, surroundings: Surroundings, usage: string, description: string): void {
  editing<CascadeFlags>(resource.command(usage), surroundings, async ({ session, flags, operands: [id = ''] }) => {
    const outer = await containerOf(session, id);
    const { value, tag } = outer;
    const container = String(value['id']);
    const members = membersIn(value);
    if (members.length === 0) throw new UsageError(`${container} is not what holds other resources`);
    return { edits: [...taken(container, value, members), ...deletions('resource', [container], flags.cascade)], tag };
  })
    .description(description)
    .option('--cascade', 'take along what refers to it');
}

/** What was named, or what that is the only member of: pcs takes either name for a clone. */
async function containerOf(session: Session, id: string): Promise<Read<Fields>> {
  const named = await readElement(session, RESOURCES, id);
  const { parent } = named.value;
  if (membersIn(named.value).length > 0 || typeof parent !== 'string') return named;
  return readElement(session, RESOURCES, parent);
}

/** Members go out to where their container stands: in front of it, in their order. */
function taken(container: string, value: Fields, ids: readonly string[]): readonly ElementEdit[] {
  const { parent } = value;
  // What stands in a clone has no room for others beside it.
  const place = typeof parent === 'string' ? {} : { before: container };
  return ids.map((id) => ({ edit: 'move', collection: RESOURCES, id, ...place }));
}

function membersIn(resource: Fields): readonly string[] {
  return ['primitive', 'group'].flatMap((field) => {
    const list = Array.isArray(resource[field]) ? (resource[field] as readonly Fields[]) : [];
    return list.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  });
}
