import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { columns } from '../render/columns.js';
import { nodeRow } from '../render/status.js';
import { inSession, type Surroundings } from '../session.js';
import { confirm } from './confirmation.js';
import { addWriteOptions, showWriteResult, writeParams, type WriteFlags } from './write-options.js';

interface ReasonFlags extends WriteFlags {
  readonly reason?: string;
}

interface ConfirmDownFlags extends ReasonFlags {
  readonly yes?: boolean;
}

export function addNodeCommands(program: Command, surroundings: Surroundings): void {
  const node = program.command('node').description('look at nodes, and take them out of service');

  node
    .command('list')
    .description('list the nodes')
    .action(
      inSession(surroundings, async (session) => {
        const params = { path: { cluster: await session.cluster() } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/nodes', { params }));
        session.show(found, () =>
          found.items.length === 0 ? ['The cluster has no node yet.'] : columns(found.items.map((item) => nodeRow(item, session.paint))),
        );
      }),
    );

  addWriteOptions(node.command('standby <node>'))
    .description('move everything off a node, and keep it off')
    .action(
      inSession<WriteFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), node: name }, ...writeParams(flags) };
        showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/standby', { params })));
      }),
    );

  addWriteOptions(node.command('unstandby <node>'))
    .description('let a node run resources again')
    .action(
      inSession<WriteFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), node: name }, ...writeParams(flags) };
        showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/unstandby', { params })));
      }),
    );

  addWriteOptions(node.command('confirm-down <node>'))
    .description('vouch that a lost node is down, so that its resources start elsewhere; if it is not, data can be destroyed')
    .option('--reason <text>', 'how it is known; kept with the event')
    .option('-y, --yes', 'do not ask')
    .action(
      inSession<ConfirmDownFlags>(surroundings, async (session, flags, [name = '']) => {
        const question = `If ${name} still runs anything, starting it elsewhere can destroy data. Is ${name} switched off?`;
        if (flags.dryRun !== true) await confirm(session.terminal, question, flags.yes);
        const params = { path: { cluster: await session.cluster(), node: name }, ...writeParams(flags) };
        const body = flags.reason === undefined ? {} : { reason: flags.reason };
        const answer = await session.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/confirm-down', { params, body });
        showWriteResult(session, unwrap(answer));
      }),
    );

  addWriteOptions(node.command('allow-fencing <node>'))
    .description('let a node be fenced although many were fenced lately')
    .option('--reason <text>', 'why; kept with the event')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), node: name }, ...writeParams(flags) };
        const body = flags.reason === undefined ? {} : { reason: flags.reason };
        const answer = await session.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/allow-fencing', { params, body });
        showWriteResult(session, unwrap(answer));
      }),
    );
}
