import { unwrap } from '@systole/api-client';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { allPages } from '../connection.js';
import { listing } from '../render/columns.js';
import { moment } from '../render/moment.js';
import { inSession, type Surroundings } from '../session.js';
import { because } from './write-options.js';

const ROLES = ['viewer', 'operator', 'admin', 'agent'] as const;

interface CreateFlags {
  readonly role: (typeof ROLES)[number];
  readonly node?: string;
  readonly only?: readonly string[];
  readonly seesSecrets?: boolean;
  readonly expires?: Date;
  readonly dryRun?: boolean;
  readonly reason?: string;
}

interface RevokeFlags {
  readonly dryRun?: boolean;
  readonly reason?: string;
}

/** What is known of a token, made or to be made. */
interface Described {
  readonly name: string;
  readonly role: string;
  readonly node?: string;
  readonly clusters?: readonly string[];
  readonly seesSecrets?: boolean;
  readonly expiresAt?: string;
}

function described({ name, role, node, clusters, seesSecrets, expiresAt }: Described): string {
  const rights = [
    `${role}${node === undefined ? '' : ` of ${node}`}`,
    ...(clusters === undefined ? [] : [`only in ${clusters.join(', ')}`]),
    ...(seesSecrets === true ? ['sees secrets'] : []),
    ...(expiresAt === undefined ? [] : [`until ${moment(expiresAt)}`]),
  ];
  return `${name}: ${rights.join(', ')}`;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A moment, or so long from now. @throws {InvalidArgumentError} */
function ending(text: string): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const end = count === undefined ? Date.parse(text) : Date.now() + Number(count) * (UNITS[unit] ?? 0);
  if (Number.isNaN(end)) throw new InvalidArgumentError('give a time such as 2027-01-31T12:00:00Z, or 30m, 12h, 90d from now');
  return new Date(end);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function addTokenCommands(program: Command, surroundings: Surroundings): void {
  const token = program.command('token').description('make, list and revoke access tokens');

  token
    .command('create <name>')
    .description('make a token for a person, a program or a node; its secret is printed, this once')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .option('--node <node>', 'with the role agent: for this node of the cluster')
    .addOption(
      new Option('--only <cluster>', 'for this cluster only, by name or id (repeatable); for all when left out').argParser(collect),
    )
    .option('--sees-secrets', 'it may be shown secrets in configurations')
    .addOption(new Option('--expires <when>', 'when it ends by itself: a time, or 30m, 12h, 90d from now').argParser(ending))
    .option('--dry-run', 'make nothing; show what it would be')
    .option('--reason <text>', 'why; kept in the audit')
    .action(
      inSession<CreateFlags>(surroundings, async (session, { role, node, only, seesSecrets, expires, dryRun, ...flags }, [name = '']) => {
        const place = role === 'agent' ? { cluster: await session.cluster() } : {};
        const rights = {
          ...(only === undefined ? {} : { clusters: [...only] }),
          ...(seesSecrets === undefined ? {} : { seesSecrets }),
          ...(expires === undefined ? {} : { expiresAt: expires.toISOString() }),
        };
        const body = { role, name, ...place, ...(node === undefined ? {} : { node }), ...rights, ...because(flags) };
        const params = dryRun === true ? { query: { dryRun } } : {};
        const made = unwrap(await session.client.POST('/v1/tokens', { body, params }));
        if ('dryRun' in made) {
          session.show(made, () => [`Dry run: nothing was made. ${described(made)}`]);
          return;
        }
        session.show(made, () => [made.secret ?? '']);
        if (!session.json) session.terminal.complain(`Token ${made.id} for ${described(made)}. It is shown only now.`);
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
            ['ID', 'NAME', 'ROLE', 'CLUSTER', 'NODE', 'SECRETS', 'CREATED', 'BY', 'UNTIL'].map((title) => paint('bold', title)),
            items.map(({ id, name, role, clusterId, clusters: only = [], node, seesSecrets, createdAt, createdBy, expiresAt }) => [
              ...[
                id,
                name,
                role,
                [clusterId, ...only]
                  .map(clusterOf)
                  .filter((text) => text !== '')
                  .join(', '),
                node ?? '',
              ],
              ...[seesSecrets === true ? 'yes' : '', moment(createdAt), createdBy, expiresAt === undefined ? '' : moment(expiresAt)],
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
    .option('--reason <text>', 'why; kept in the audit')
    .action(
      inSession<RevokeFlags>(surroundings, async ({ client, show }, { dryRun, ...flags }, [id = '']) => {
        if (dryRun === true) {
          const found = unwrap(await client.DELETE('/v1/tokens/{id}', { params: { path: { id }, query: { dryRun } } }));
          show(found, () => (found === undefined ? [] : [`Dry run: nothing was revoked. ${described(found)}`]));
          return;
        }
        unwrap(await client.DELETE('/v1/tokens/{id}', { params: { path: { id }, query: because(flags) } }));
        show({ id }, () => [`Revoked ${id}.`]);
      }),
    );
}
