import { COLLECTIONS, type ElementEdit } from '@systole/cib';
import type { Command } from 'commander';
import { contentOf } from '../configuration/file.js';
import { collectionNamed, kindNamed } from '../configuration/kinds.js';
import { valuesOf } from '../configuration/named-pairs.js';
import type { Fields } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Surroundings } from '../session.js';
import { readDocument } from './cluster.js';
import { outputOption, showPart } from './config.js';
import { editing } from './edit-command.js';

interface PlaceFlags {
  readonly before?: string;
  readonly after?: string;
}

interface CreateFlags extends PlaceFlags {
  readonly file?: string;
  readonly parent?: string;
}

interface PatchFlags {
  readonly patch?: string;
}

/** The same verbs for everything that a configuration holds; what is done often has shorter spellings elsewhere. */
export function addElementCommands(program: Command, surroundings: Surroundings): void {
  program
    .command('get <kind> [id]')
    .description('show an element of the configuration, or all of a kind (as "config show" does)')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags, [kind = '', id]) => {
        await showPart(session, flags, kind, id);
      }),
    );

  const create = program.command('create <kind> [id] [attributes...]');
  editing<CreateFlags>(create, surroundings, async ({ session, flags, operands: [kind = '', ...words] }) => {
    const { collection, element } = collectionNamed(kind);
    const place = placeIn(flags);
    const isId = words[0] !== undefined && !words[0].includes('=');
    const own = isId ? { id: words[0] } : {};
    if (flags.file !== undefined) {
      if (words.length > (isId ? 1 : 0)) throw new UsageError('give either attributes or --file');
      const content = contentOf(await readDocument(flags.file, session.terminal), flags.file);
      const what =
        content.kind === 'xml' ? { xml: content.text } : { element: { ...withName(content.json, element, flags.parent), ...own } };
      return { edits: [{ edit: 'create', collection, ...place, ...what }] };
    }
    const name = element ?? onlyOf(COLLECTIONS[collection].elements, kind);
    const attributes = valuesOf(isId ? words.slice(1) : words);
    const fields = { element: name, ...own, ...Object.fromEntries(attributes) };
    return { edits: [{ edit: 'create', collection, ...place, element: withName(fields, name, flags.parent) }] };
  })
    .description('add an element: with attributes (name=value), or as a file has it (YAML, JSON, XML)')
    .option('-f, --file <file>', 'the element (- for standard input)')
    .option('--parent <id>', 'the group, clone or bundle that it becomes a member of')
    .option('--before <id>', 'the sibling that it goes before')
    .option('--after <id>', 'the sibling that it goes after');

  const patch = program.command('patch <kind> [id] [attributes...]');
  editing<PatchFlags>(patch, surroundings, async ({ session, flags, operands: [word = '', ...words] }) => {
    const kind = kindNamed(word);
    const id = 'settings' in kind ? undefined : words[0];
    const attributes = 'settings' in kind ? words : words.slice(1);
    const patched =
      flags.patch === undefined ? Object.fromEntries(valuesOf(attributes)) : await patchIn(flags.patch, attributes, session.terminal);
    if ('settings' in kind) return { edits: [{ edit: 'patch', collection: kind.settings, patch: patched }] };
    if (id === undefined) throw new UsageError(`which ${word}? Give its id`);
    return { edits: [{ edit: 'patch', collection: kind.collection, id, patch: patched }] };
  })
    .description('change an element: attributes (name=value; name= takes one away), or a merge patch, or a JSON Patch')
    .option('-p, --patch <patch>', 'a merge patch (an object) or a JSON Patch (a list), as YAML or JSON; @file or @- for one in a file');

  const remove = program.command('delete <kind> <ids...>');
  editing<{ readonly cascade?: boolean }>(remove, surroundings, ({ flags, operands: [kind = '', ...ids] }) => ({
    edits: deletions(kind, ids, flags.cascade),
  }))
    .description('delete elements; refused with all that refers to them, unless that goes along')
    .option('--cascade', 'take along what refers to them');

  const move = program.command('move <kind> <id>');
  editing<PlaceFlags & { readonly parent?: string }>(move, surroundings, ({ flags, operands: [kind = '', id = ''] }) => {
    const { collection } = collectionNamed(kind);
    const parent = flags.parent === undefined ? {} : { parent: flags.parent };
    return { edits: [{ edit: 'move', collection, id, ...parent, ...placeIn(flags) }] };
  })
    .description('move an element in the configuration: among its siblings, into a group, clone or bundle, or (without options) out of it')
    .option('--parent <id>', 'the group, clone or bundle that it becomes a member of')
    .option('--before <id>', 'the sibling that it goes before')
    .option('--after <id>', 'the sibling that it goes after');
}

/** @throws {UsageError} for both */
export function placeIn({ before, after }: PlaceFlags): { readonly before?: string; readonly after?: string } {
  if (before !== undefined && after !== undefined) throw new UsageError('give either --before or --after');
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** Deletions of elements of a kind, all or none. */
export function deletions(kind: string, ids: readonly string[], cascade: boolean | undefined): readonly ElementEdit[] {
  const { collection } = collectionNamed(kind);
  return ids.map((id) => ({ edit: 'delete', collection, id, ...(cascade === undefined ? {} : { cascade }) }));
}

function onlyOf(elements: readonly string[], kind: string): string {
  const [only, ...more] = elements;
  if (only !== undefined && more.length === 0) return only;
  throw new UsageError(`what of ${kind}? Give one of ${elements.join(', ')}`);
}

/** An element of a file with what the command line says of it. @throws {UsageError} for what is no element */
function withName(json: unknown, element: string | undefined, parent: string | undefined): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new UsageError('an element is an object');
  return { ...(element === undefined ? {} : { element }), ...json, ...(parent === undefined ? {} : { parent }) };
}

/** @throws {UsageError} for what is no patch */
async function patchIn(option: string, attributes: readonly string[], terminal: Parameters<typeof readDocument>[1]): Promise<unknown> {
  if (attributes.length > 0) throw new UsageError('give either attributes or --patch');
  const content = contentOf(option.startsWith('@') ? await readDocument(option.slice(1), terminal) : option, '--patch');
  if (content.kind === 'json' && typeof content.json === 'object' && content.json !== null) return content.json;
  throw new UsageError('a merge patch is an object, a JSON Patch a list of operations');
}
