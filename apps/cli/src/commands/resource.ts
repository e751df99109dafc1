import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { inSession, type Surroundings } from '../session.js';
import { addWriteOptions, showWriteResult, writeParams, type WriteFlags } from './write-options.js';

interface ProbeAgainFlags extends WriteFlags {
  readonly node?: string;
}

export function addResourceCommands(program: Command, surroundings: Surroundings): void {
  const resource = program.command('resource').description('commands on resources');

  addWriteOptions(resource.command('cleanup <resource>'))
    .description("forget a resource's failures, and its history where it failed, so that it is probed again there")
    .option('--node <node>', 'on this node only')
    .action(
      inSession<ProbeAgainFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), resource: name }, ...writeParams(flags) };
        const body = flags.node === undefined ? {} : { node: flags.node };
        const answer = await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/cleanup', { params, body });
        showWriteResult(session, unwrap(answer));
      }),
    );

  addWriteOptions(resource.command('refresh <resource>'))
    .description('forget all that is known of a resource, failed or not, so that it is probed again')
    .option('--node <node>', 'on this node only')
    .action(
      inSession<ProbeAgainFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), resource: name }, ...writeParams(flags) };
        const body = flags.node === undefined ? {} : { node: flags.node };
        const answer = await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/refresh', { params, body });
        showWriteResult(session, unwrap(answer));
      }),
    );
}
