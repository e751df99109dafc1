import { unwrap } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { UsageError } from '../exit-code.js';
import { columns } from '../render/columns.js';
import { nodeRow } from '../render/status.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { confirm } from './confirmation.js';
import { showTried } from './debug.js';
import { addNodeAttributeCommands, addNodeUtilizationCommands } from './node-attribute.js';
import {
  addReasonedWriteOptions,
  addWriteOptions,
  because,
  ifVersionOption,
  showWriteResult,
  writeParams,
  type ReasonFlags,
} from './write-options.js';

interface ConfirmedFlags extends ReasonFlags {
  readonly yes?: boolean;
}

interface RemoveFlags extends ConfirmedFlags {
  readonly cascade?: boolean;
}

const MODES = [
  { name: 'standby', ofSeveral: 'standby', description: 'move everything off nodes, and keep it off; several in one event' },
  { name: 'unstandby', ofSeveral: 'unstandby', description: 'let nodes run resources again' },
  { name: 'maintenance', ofSeveral: 'maintain-nodes', description: 'leave everything on nodes as it is' },
  { name: 'unmaintenance', ofSeveral: 'unmaintain-nodes', description: 'manage what runs on nodes again' },
] as const;

type NodeCommand = (typeof MODES)[number]['name'] | 'confirm-down' | 'allow-fencing';

interface ModeFlags extends ReasonFlags {
  readonly reboot?: boolean;
  readonly all?: boolean;
}

interface FenceFlags extends ConfirmedFlags {
  readonly off?: boolean;
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

  for (const { name, description, ofSeveral } of MODES) {
    const mode = addReasonedWriteOptions(node.command(`${name} [nodes...]`))
      .description(description)
      .option('--all', 'all nodes of the cluster');
    if (name === 'standby') mode.option('--reboot', 'only until the node leaves, is fenced or boots anew; of one node');
    mode.action(
      inSession<ModeFlags>(surroundings, async (session, flags, operands) => {
        // Commander gives the rest of the operands as one list.
        const nodes = operands.flat();
        const [only = '', ...more] = nodes;
        if (flags.all === true ? nodes.length > 0 : nodes.length === 0) throw new UsageError('give the names of nodes, or --all');
        if (flags.all !== true && more.length === 0) {
          await command(session, name, only, flags);
          return;
        }
        if (flags.reboot === true) throw new UsageError('--reboot is for one node: until then only one that is online can be in standby');
        const params = { path: { cluster: await session.cluster() }, ...writeParams(flags) };
        const body = { ...(flags.all === true ? {} : { nodes }), ...because(flags) };
        showWriteResult(session, unwrap(await session.client.POST(`/v1/clusters/{cluster}/commands/${ofSeveral}`, { params, body })));
      }),
    );
  }

  addWriteOptions(node.command('fence <node>'))
    .description('fence a node, as "pcs stonith fence" does: what runs there is cut off; by the option fencing-action, or as is said here')
    .option('--off', 'switch it off, and leave it so')
    .addOption(new Option('--restart', 'have it start again').conflicts('off'))
    .option('--reason <text>', 'why; kept with the event')
    .option('-y, --yes', 'do not ask')
    .action(
      inSession<FenceFlags & { readonly restart?: boolean }>(surroundings, async (session, flags, [name = '']) => {
        const then = flags.off === true ? ' It stays off.' : '';
        if (flags.dryRun !== true) await confirm(session.terminal, `${name} will be fenced: what runs there is cut off.${then}`, flags.yes);
        const params = { path: { cluster: await session.cluster(), node: name }, ...writeParams(flags) };
        const action = flags.off === true ? { action: 'off' as const } : flags.restart === true ? { action: 'reboot' as const } : {};
        const body = { ...action, ...because(flags) };
        showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/fence', { params, body })));
      }),
    );

  node
    .command('power-on <node>')
    .description('switch a node that is off on, by a fence device; its agent joins when it has come up')
    .option('--dry-run', 'do nothing; say whether it would be refused')
    .addOption(ifVersionOption())
    .option('--reason <text>', 'why; kept with the event')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), node: name }, ...writeParams(flags) };
        const body = because(flags);
        showTried(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/power-on', { params, body })));
      }),
    );

  addReasonedWriteOptions(node.command('rename <node> <name>'))
    .description('give a node that runs nothing another name, and whatever names it the new one; its agent needs a token for that')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '', to = '']) => {
        const params = { path: { cluster: await session.cluster(), node: name }, ...writeParams(flags) };
        const body = { to, ...because(flags) };
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/rename', { params, body })),
        );
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
