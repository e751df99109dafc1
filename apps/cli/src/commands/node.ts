import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { columns } from '../render/columns.js';
import { nodeRow } from '../render/status.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { confirm } from './confirmation.js';
import { addNodeAttributeCommands, addNodeUtilizationCommands } from './node-attribute.js';
import { addReasonedWriteOptions, addWriteOptions, because, showWriteResult, writeParams, type ReasonFlags } from './write-options.js';

interface ConfirmedFlags extends ReasonFlags {
  readonly yes?: boolean;
}

interface RemoveFlags extends ConfirmedFlags {
  readonly cascade?: boolean;
}

const MODES = [
  { name: 'standby', description: 'move everything off a node, and keep it off' },
  { name: 'unstandby', description: 'let a node run resources again' },
  { name: 'maintenance', description: 'leave everything on a node as it is' },
  { name: 'unmaintenance', description: 'manage what runs on a node again' },
] as const;

type NodeCommand = (typeof MODES)[number]['name'] | 'fence' | 'confirm-down' | 'allow-fencing';

interface ModeFlags extends ReasonFlags {
  readonly reboot?: boolean;
}

async function command(session: Session, name: NodeCommand, node: string, flags: ModeFlags): Promise<void> {
  const params = { path: { cluster: await session.cluster(), node }, ...writeParams(flags) };
  const body = { ...because(flags), ...(flags.reboot === true ? { lifetime: 'reboot' as const } : {}) };
  showWriteResult(session, unwrap(await session.client.POST(`/v1/clusters/{cluster}/nodes/{node}/commands/${name}`, { params, body })));
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

  for (const { name, description } of MODES) {
    const mode = addReasonedWriteOptions(node.command(`${name} <node>`)).description(description);
    if (name === 'standby') mode.option('--reboot', 'only until the node leaves, is fenced or boots anew');
    mode.action(
      inSession<ModeFlags>(surroundings, async (session, flags, [operand = '']) => {
        await command(session, name, operand, flags);
      }),
    );
  }

  addWriteOptions(node.command('fence <node>'))
    .description('fence a node, as "pcs stonith fence" does: what runs there is cut off')
    .option('--reason <text>', 'why; kept with the event')
    .option('-y, --yes', 'do not ask')
    .action(
      inSession<ConfirmedFlags>(surroundings, async (session, flags, [name = '']) => {
        if (flags.dryRun !== true) await confirm(session.terminal, `${name} will be fenced: what runs there is cut off.`, flags.yes);
        await command(session, 'fence', name, flags);
      }),
    );

  addWriteOptions(node.command('confirm-down <node>'))
    .description('vouch that a lost node is down, so that its resources start elsewhere; if it is not, data can be destroyed')
    .option('--reason <text>', 'how it is known; kept with the event')
    .option('-y, --yes', 'do not ask')
    .action(
      inSession<ConfirmedFlags>(surroundings, async (session, flags, [name = '']) => {
        const question = `If ${name} still runs anything, starting it elsewhere can destroy data. Is ${name} switched off?`;
        if (flags.dryRun !== true) await confirm(session.terminal, question, flags.yes);
        await command(session, 'confirm-down', name, flags);
      }),
    );

  addWriteOptions(node.command('allow-fencing <node>'))
    .description('let a node be fenced although many were fenced lately')
    .option('--reason <text>', 'why; kept with the event')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '']) => {
        await command(session, 'allow-fencing', name, flags);
      }),
    );

  addReasonedWriteOptions(node.command('remove <node>'))
    .description('take a node that runs nothing out of the configuration, with its attributes; revoke its token, or it may join again')
    .option('--cascade', 'take along the location constraints and fencing levels that name it alone')
    .option('-y, --yes', 'do not ask')
    .action(
      inSession<RemoveFlags>(surroundings, async (session, flags, [name = '']) => {
        if (flags.dryRun !== true) await confirm(session.terminal, `${name} will be taken out of the configuration.`, flags.yes);
        const { query, header } = writeParams(flags);
        const cascade = flags.cascade === true ? { cascade: true } : {};
        const path = { cluster: await session.cluster(), node: name };
        const params = { path, header, query: { ...query, ...cascade, ...because(flags) } };
        showWriteResult(session, unwrap(await session.client.DELETE('/v1/clusters/{cluster}/nodes/{node}', { params })));
      }),
    );

  addNodeAttributeCommands(node, surroundings);
  addNodeUtilizationCommands(node, surroundings);
}
