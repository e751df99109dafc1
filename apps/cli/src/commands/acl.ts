import type { Command } from 'commander';
import { readElement, type Fields } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Surroundings } from '../session.js';
import { outputOption, showParts } from './config.js';
import { editing } from './edit-command.js';
import { deletions } from './elements.js';

const PERMISSIONS = ['read', 'write', 'deny'];

/** Roles of Pacemaker's access control lists, as the configuration has them; who may do what here is said by tokens. */
export function addAclCommands(program: Command, surroundings: Surroundings): void {
  const acl = program.command('acl').description("Pacemaker's access control lists in the configuration; here tokens say who may do what");

  acl
    .command('list')
    .description('list roles, users and groups')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags) => {
        await showParts(session, flags, ['acl-role', 'acl-user', 'acl-group']);
      }),
    );

  const role = acl.command('role').description('what may be read and written');
  editing(role.command('create <role> [permissions...]'), surroundings, ({ operands: [id, ...words] }) => ({
    edits: [{ edit: 'create', collection: 'acl-roles', element: { element: 'acl_role', id, ...permissionsField(permissionsIn(words)) } }],
  })).description('make a role: read|write|deny xpath QUERY|id ID ...');
  editing(role.command('delete <roles...>'), surroundings, ({ operands }) => ({
    edits: deletions('acl-role', operands, undefined),
  })).description('delete roles');

  const permission = acl.command('permission').description('permissions of roles');
  editing(permission.command('add <role> <permissions...>'), surroundings, async ({ session, operands: [id = '', ...words] }) => {
    const { value, tag } = await readElement(session, 'acl-roles', id);
    const present = (value['acl_permission'] ?? []) as readonly Fields[];
    return { edits: [{ edit: 'patch', collection: 'acl-roles', id, patch: permissionsField([...present, ...permissionsIn(words)]) }], tag };
  }).description('add permissions to a role: read|write|deny xpath QUERY|id ID ...');

  for (const [name, element] of [
    ['user', 'acl_target'],
    ['group', 'acl_group'],
  ] as const) {
    const collection = name === 'user' ? 'acl-targets' : 'acl-groups';
    const target = acl.command(name).description(`which roles a ${name} of the system has`);
    editing(target.command(`create <${name}> [roles...]`), surroundings, ({ operands: [id, ...roles] }) => ({
      edits: [
        {
          edit: 'create',
          collection,
          element: { element, id, ...(roles.length === 0 ? {} : { role: roles.map((one) => ({ id: one })) }) },
        },
      ],
    })).description(`give roles to a ${name}`);
    editing(target.command(`delete <${name}s...>`), surroundings, ({ operands }) => ({
      edits: deletions(`acl-${name}`, operands, undefined),
    })).description(`delete ${name}s`);
  }
}

function permissionsField(permissions: readonly Fields[]): Fields {
  return permissions.length === 0 ? {} : { acl_permission: permissions };
}

/** @throws {UsageError} for words that are no permissions */
function permissionsIn(words: readonly string[]): readonly Fields[] {
  const permissions: Fields[] = [];
  for (let at = 0; at < words.length; at += 3) {
    const [kind = '', by = '', what] = words.slice(at, at + 3);
    if (!PERMISSIONS.includes(kind) || !['xpath', 'id'].includes(by) || what === undefined) {
      throw new UsageError(`"${words.slice(at, at + 3).join(' ')}" is no permission: give read, write or deny, then xpath QUERY or id ID`);
    }
    permissions.push({ kind, ...(by === 'xpath' ? { xpath: what } : { reference: what }) });
  }
  return permissions;
}
