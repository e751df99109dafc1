import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { listing } from '../render/columns.js';
import { inSession, type Surroundings } from '../session.js';
import { addReasonedWriteOptions, because, showWriteResult, writeParams, type ReasonFlags } from './write-options.js';

interface AttributeFlags extends ReasonFlags {
  readonly reboot?: boolean;
}

function lifetimeIn({ reboot }: AttributeFlags): { readonly lifetime?: 'reboot' } {
  return reboot === true ? { lifetime: 'reboot' } : {};
}

export function addNodeAttributeCommands(node: Command, surroundings: Surroundings): void {
  const attribute = node.command('attribute').description('attributes of nodes, which rules and agents read');

  attribute
    .command('list <node>')
    .description('list the attributes that are written for a node')
    .action(
      inSession(surroundings, async (session, _flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), node: name } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/nodes/{node}/attributes', { params }));
        session.show(found, () =>
          listing(
            ['NAME', 'VALUE', 'LASTS'].map((title) => session.paint('bold', title)),
            found.items.map((item) => [item.name, item.value, item.lifetime === 'forever' ? 'for ever' : 'until its reboot']),
            `${name} has no attribute.`,
          ),
        );
      }),
    );

  addReasonedWriteOptions(attribute.command('set <node> <name> <value>'))
    .description('set an attribute, in the configuration')
    .option('--reboot', 'until the node leaves, not in the configuration')
    .action(
      inSession<AttributeFlags>(surroundings, async (session, flags, [of = '', name = '', value = '']) => {
        const params = { path: { cluster: await session.cluster(), node: of, name }, ...writeParams(flags) };
        const body = { value, ...lifetimeIn(flags), ...because(flags) };
        showWriteResult(
          session,
          unwrap(await session.client.PUT('/v1/clusters/{cluster}/nodes/{node}/attributes/{name}', { params, body })),
        );
      }),
    );

  addReasonedWriteOptions(attribute.command('clear <node> <name>'))
    .description('clear an attribute of the configuration')
    .option('--reboot', 'the one that lasts until the node leaves')
    .action(
      inSession<AttributeFlags>(surroundings, async (session, flags, [of = '', name = '']) => {
        const { query, header } = writeParams(flags);
        const path = { cluster: await session.cluster(), node: of, name };
        const params = { path, header, query: { ...query, ...lifetimeIn(flags), ...because(flags) } };
        showWriteResult(session, unwrap(await session.client.DELETE('/v1/clusters/{cluster}/nodes/{node}/attributes/{name}', { params })));
      }),
    );
}

export function addNodeUtilizationCommands(node: Command, surroundings: Surroundings): void {
  const utilization = node.command('utilization').description('what nodes can carry, for the placement strategies that look at it');

  utilization
    .command('list <node>')
    .description('list what a node can carry')
    .action(
      inSession(surroundings, async (session, _flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), node: name } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/nodes/{node}/utilization', { params }));
        session.show(found, () =>
          listing(
            ['NAME', 'VALUE'].map((title) => session.paint('bold', title)),
            found.items.map((item) => [item.name, item.value]),
            `Nothing is said of what ${name} can carry.`,
          ),
        );
      }),
    );

  addReasonedWriteOptions(utilization.command('set <node> <name> <number>'))
    .description('say how much of something a node can carry')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [of = '', name = '', value = '']) => {
        const params = { path: { cluster: await session.cluster(), node: of, name }, ...writeParams(flags) };
        const body = { value, ...because(flags) };
        showWriteResult(
          session,
          unwrap(await session.client.PUT('/v1/clusters/{cluster}/nodes/{node}/utilization/{name}', { params, body })),
        );
      }),
    );

  addReasonedWriteOptions(utilization.command('clear <node> <name>'))
    .description('say nothing more about how much of something a node can carry')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [of = '', name = '']) => {
        const { query, header } = writeParams(flags);
        const params = { path: { cluster: await session.cluster(), node: of, name }, header, query: { ...query, ...because(flags) } };
        showWriteResult(session, unwrap(await session.client.DELETE('/v1/clusters/{cluster}/nodes/{node}/utilization/{name}', { params })));
      }),
    );
}
