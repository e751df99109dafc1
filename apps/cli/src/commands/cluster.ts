import { readFile } from 'node:fs/promises';
import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { allPages } from '../connection.js';
import { documentText } from '../document-text.js';
import { UsageError } from '../exit-code.js';
import { listing } from '../render/columns.js';
import { findingsAfterWrite } from '../render/findings.js';
import { moment } from '../render/moment.js';
import { upgradeAfterWrite } from '../render/upgrade.js';
import { inSession, type Surroundings } from '../session.js';
import { readInput, type Terminal } from '../terminal.js';
import { confirm } from './confirmation.js';
import {
  addForceOption,
  addReasonedWriteOptions,
  because,
  forced,
  showWriteResult,
  writeParams,
  type ForceFlags,
  type ReasonFlags,
} from './write-options.js';

interface CreateFlags extends ForceFlags {
  readonly cib?: string;
  readonly dryRun?: boolean;
  readonly reason?: string;
}

interface DeleteFlags extends ReasonFlags {
  readonly stop?: boolean;
  readonly yes?: boolean;
}

const MODES = [
  { name: 'maintenance', description: 'leave everything in the cluster as it is' },
  { name: 'unmaintenance', description: 'look after everything in the cluster again' },
  {
    name: 'stop-all',
    description: 'stop all resources, and keep them stopped, fence devices among them, which can be used all the same; nodes go on',
  },
  { name: 'start-all', description: 'let all resources run again that stop-all has stopped' },
] as const;

const STANDBY = [
  { name: 'standby', description: 'move everything off all nodes, or these, in one event' },
  { name: 'unstandby', description: 'let all nodes, or these, run resources again, in one event' },
] as const;

/** As people count: k2 comes before k10. */
const BY_NAME = new Intl.Collator('en', { numeric: true });

export function addClusterCommands(program: Command, surroundings: Surroundings): void {
  const cluster = program.command('cluster').description('list, make and delete clusters');

  cluster
    .command('list')
    .description('list the clusters')
    .action(
      inSession(surroundings, async ({ client, show, paint }) => {
        let incomplete: string | undefined;
        const found = await allPages(async (page) => {
          const read = unwrap(await client.GET('/v1/clusters', { params: { query: page } }));
          incomplete = read.incomplete;
          return read;
        });
        const items = found.toSorted((one, other) => BY_NAME.compare(one.name, other.name));
        show({ items, ...(incomplete === undefined ? {} : { incomplete }) }, () => [
          ...(incomplete === undefined ? [] : [paint('red', `INCOMPLETE: ${incomplete}`)]),
          ...listing(
            ['NAME', 'VERSION', 'CREATED', 'ID'].map((title) => paint('bold', title)),
            items.map(({ name, version, createdAt, id }) => [name, String(version), moment(createdAt), id]),
            incomplete === undefined ? 'There is no cluster yet: "systole cluster create <name>".' : 'No cluster is listed.',
          ),
        ]);
      }),
    );

  addForceOption(cluster.command('create <name>'))
    .description('make a cluster')
    .option('--cib <file>', 'with this configuration (- for standard input)')
    .option('--dry-run', 'make nothing; show what would follow')
    .option('--reason <text>', 'why; kept with the event')
    .action(
      inSession<CreateFlags>(surroundings, async (session, { cib: file, dryRun, ...flags }, [name = '']) => {
        const { client, show, terminal, paint } = session;
        const cib = file === undefined ? {} : { cib: await readDocument(file, terminal) };
        const params = { query: { ...forced(flags), ...(dryRun === true ? { dryRun } : {}) } };
        const made = unwrap(await client.POST('/v1/clusters', { params, body: { name, ...cib, ...because(flags) } }));
        if ('dryRun' in made) showWriteResult(session, made);
        else {
          show(made, () => [
            `Made cluster ${made.name} (${made.id}). Next: "systole token create <name> --role agent --node <node>".`,
            ...(made.upgrade === undefined ? [] : upgradeAfterWrite(made.upgrade, paint)),
            ...(made.findings === undefined ? [] : findingsAfterWrite(made.findings, paint)),
          ]);
        }
      }),
    );

  addReasonedWriteOptions(cluster.command('delete <cluster>'))
    .description('delete a cluster; what runs keeps running, unmanaged, and its events stay')
    .option('--stop', 'stop everything first; the cluster is deleted when nothing runs any more')
    .option('-y, --yes', 'do not ask')
    .action(
      inSession<DeleteFlags>(surroundings, async (session, flags, [name = '']) => {
        const question =
          flags.stop === true
            ? `Everything that cluster ${name} runs will be stopped, and then the cluster is deleted.`
            : `Cluster ${name} will be deleted: its agents are locked out, what they run keeps running without anybody who looks after it.`;
        if (flags.dryRun !== true) await confirm(session.terminal, question, flags.yes);
        const { query, ...rest } = writeParams(flags);
        const params = {
          path: { cluster: name },
          ...rest,
          query: { ...query, ...(flags.stop === true ? { stop: true } : {}), ...because(flags) },
        };
        showWriteResult(session, unwrap(await session.client.DELETE('/v1/clusters/{cluster}', { params })));
      }),
    );

  for (const { name: command, description } of MODES) {
    addReasonedWriteOptions(cluster.command(command))
      .description(description)
      .action(
        inSession<ReasonFlags>(surroundings, async (session, flags) => {
          const params = { path: { cluster: await session.cluster() }, ...writeParams(flags) };
          const body = because(flags);
          showWriteResult(session, unwrap(await session.client.POST(`/v1/clusters/{cluster}/commands/${command}`, { params, body })));
        }),
      );
  }

  for (const { name: command, description } of STANDBY) {
    addReasonedWriteOptions(cluster.command(`${command} [nodes...]`))
      .description(description)
      .action(
        inSession<ReasonFlags>(surroundings, async (session, flags, operands) => {
          // Commander gives the rest of the operands as one list.
          const nodes = operands.flat();
          const params = { path: { cluster: await session.cluster() }, ...writeParams(flags) };
          const body = { ...(nodes.length === 0 ? {} : { nodes }), ...because(flags) };
          showWriteResult(session, unwrap(await session.client.POST(`/v1/clusters/{cluster}/commands/${command}`, { params, body })));
        }),
      );
  }

  addReasonedWriteOptions(cluster.command('cancel-deletion <cluster>'))
    .description('call off a deletion that stops everything first; what was stopped may start again')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: name }, ...writeParams(flags) };
        const body = because(flags);
        showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/commands/cancel-deletion', { params, body })));
      }),
    );
}

/** A file's text; `-` is standard input. @throws {UsageError} when it can't be read, or is no text */
export async function readDocument(file: string, terminal: Terminal): Promise<string> {
  if (file === '-') return documentText(await readInput(terminal), 'standard input');
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  return documentText(bytes, file);
}
