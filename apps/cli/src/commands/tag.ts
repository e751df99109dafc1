import type { Command } from 'commander';
import { readElement, type Fields } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { editing } from './edit-command.js';
import { deletions } from './elements.js';

/** Names for several elements at once. */
export function addTagCommands(program: Command, surroundings: Surroundings): void {
  const tag = program.command('tag').description('names for several elements at once');

  tag
    .command('list')
    .description('list the tags')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags) => {
        await showPart(session, flags, 'tag', undefined);
      }),
    );

  editing(tag.command('create <tag> <ids...>'), surroundings, ({ operands: [id, ...ids] }) => ({
    edits: [{ edit: 'create', collection: 'tags', element: { element: 'tag', id, obj_ref: references(ids) } }],
  })).description('make a tag');

  editing(tag.command('add <tag> <ids...>'), surroundings, async ({ session, operands: [id = '', ...ids] }) => {
    const { value, tag: read } = await readElement(session, 'tags', id);
    const present = idsIn(value);
    return { edits: [patch(id, [...present, ...ids.filter((one) => !present.includes(one))])], tag: read };
  }).description('tag elements with a tag that is there');

  editing(tag.command('remove <tag> <ids...>'), surroundings, async ({ session, operands: [id = '', ...ids] }) => {
    const { value, tag: read } = await readElement(session, 'tags', id);
    const present = idsIn(value);
    const strangers = ids.filter((one) => !present.includes(one));
    if (strangers.length > 0) throw new UsageError(`${strangers.join(', ')}: not tagged with ${id}`);
    const left = present.filter((one) => !ids.includes(one));
    return { edits: left.length === 0 ? deletions('tag', [id], undefined) : [patch(id, left)], tag: read };
  }).description('take a tag off elements; with the last of them it goes');

  editing<{ readonly cascade?: boolean }>(tag.command('delete <tags...>'), surroundings, ({ flags, operands }) => ({
    edits: deletions('tag', operands, flags.cascade),
  }))
    .description('delete tags, and nothing that they stand for')
    .option('--cascade', 'take along what refers to them');
}

function references(ids: readonly string[]): readonly Fields[] {
  return ids.map((id) => ({ id }));
}

function idsIn(tag: Fields): readonly string[] {
  return ((tag['obj_ref'] ?? []) as readonly Fields[]).map(({ id }) => String(id));
}

function patch(id: string, ids: readonly string[]) {
  return { edit: 'patch', collection: 'tags', id, patch: { obj_ref: references(ids) } } as const;
}
