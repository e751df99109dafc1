import { unwrap } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { allPages } from '../connection.js';
import { listing } from '../render/columns.js';
import { moment } from '../render/moment.js';
import { inSession, type Surroundings } from '../session.js';

const ROLES = ['viewer', 'operator', 'admin', 'agent'] as const;

interface CreateFlags {
  readonly role: (typeof ROLES)[number];
  readonly node?: string;
  readonly dryRun?: boolean;
}

interface RevokeFlags {
  readonly dryRun?: boolean;
}

function described({ name, role, node }: { readonly name: string; readonly role: string; readonly node?: string }): string {
  return `${name}: ${role}${node === undefined ? '' : ` of ${node}`}`;
}

export function addTokenCommands(program: Command, surroundings: Surroundings): void {
  const token = program.command('token').description('make, list and revoke access tokens');

  token
    .command('create <name>')
    .description('make a token for a person, a program or a node; its secret is printed, this once')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .option('--node <node>', 'with the role agent: for this node of the cluster')
    .option('--dry-run', 'make nothing; show what it would be')
    .action(
      inSession<CreateFlags>(surroundings, async (session, { role, node, dryRun }, [name = '']) => {
        const place = role === 'agent' ? { cluster: await session.cluster() } : {};
        const body = { role, name, ...place, ...(node === undefined ? {} : { node }) };
        const params = dryRun === true ? { query: { dryRun } } : {};
        const made = unwrap(await session.client.POST('/v1/tokens', { body, params }));
        if ('dryRun' in made) {
          session.show(made, () => [`Dry run: nothing was made. ${described(made)}`]);
          return;
        }
        session.show(made, () => [made.secret ?? '']);
        if (!session.json) session.terminal.complain(`Token ${made.id} for ${made.name} (${made.role}). It is shown only now.`);
      }),
    );

  token
    .command('list')
    .description('list the tokens that are valid')
    .action(
      inSession(surroundings, async ({ client, show, paint }) => {
        const items = await allPages(async (page) => unwrap(await client.GET('/v1/tokens', { params: { query: page } })));
        const clusters = await allPages(async (page) => unwrap(await client.GET('/v1/clusters', { params: { query: page } })));
        const names = new Map(clusters.map(({ id, name }) => [id, name]));
        // Tokens of a cluster that was deleted are shown with its id.
        const clusterOf = (id: string | undefined): string => (id === undefined ? '' : (names.get(id) ?? id));
        show({ items }, () =>
          listing(
            ['ID', 'NAME', 'ROLE', 'CLUSTER', 'NODE', 'CREATED', 'BY'].map((title) => paint('bold', title)),
            items.map(({ id, name, role, clusterId, node, createdAt, createdBy }) => [
              ...[id, name, role, clusterOf(clusterId), node ?? ''],
              ...[moment(createdAt), createdBy],
            ]),
            'There is no token.',
          ),
        );
      }),
    );

  token
    .command('revoke <id>')
    .description('revoke a token, at once')
    .option('--dry-run', 'revoke nothing; show which token it is')
    .action(
      inSession<RevokeFlags>(surroundings, async ({ client, show }, { dryRun }, [id = '']) => {
        if (dryRun === true) {
          const found = unwrap(await client.DELETE('/v1/tokens/{id}', { params: { path: { id }, query: { dryRun } } }));
          show(found, () => (found === undefined ? [] : [`Dry run: nothing was revoked. ${described(found)}`]));
          return;
        }
        unwrap(await client.DELETE('/v1/tokens/{id}', { params: { path: { id } } }));
        show({ id }, () => [`Revoked ${id}.`]);
      }),
    );
}
