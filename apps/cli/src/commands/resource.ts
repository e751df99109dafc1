import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { inSession, type Surroundings } from '../session.js';
import { addDebugCommand } from './debug.js';
import { addFailCountCommands } from './failcount.js';
import { failuresMeant, type FailureFlags } from './failures-meant.js';
import { addPlacementCommands } from './placement.js';
import { addDefaultsCommands } from './settings.js';
import { addResourceConfigurationCommands } from './resource-configuration.js';
import { addSafeOptions, safeIn, type SafeFlags } from './safe-options.js';
import { addReasonedWriteOptions, because, milliseconds, showWriteResult, writeParams, type ReasonFlags } from './write-options.js';

interface ForgetFlags extends ReasonFlags {
  readonly node?: string;
}

const MODES = [
  { name: 'enable', description: 'let resources run; several in one event' },
  { name: 'promote', description: 'promote as many instances of a promotable clone as it may have' },
  { name: 'demote', description: 'keep all instances of a promotable clone unpromoted, until it is promoted or enabled' },
  { name: 'manage', description: 'start and stop a resource again as the cluster sees fit' },
  { name: 'unmanage', description: 'leave a resource as it is, but go on monitoring it' },
  { name: 'maintenance', description: 'leave a resource as it is, and do not monitor it' },
  { name: 'unmaintenance', description: 'look after a resource again' },
] as const;

export function addResourceCommands(program: Command, surroundings: Surroundings): void {
  const resource = program.command('resource').description('make, change and steer resources');

  addSafeOptions(addReasonedWriteOptions(resource.command('disable <resources...>')))
    .description('stop resources, and keep them stopped; several in one event')
    .action(
      inSession<ReasonFlags & SafeFlags>(surroundings, async (session, flags, operands) => {
        const { query, ...rest } = writeParams(flags);
        const { resource: name, body } = namesIn(operands);
        const params = { path: { cluster: await session.cluster(), resource: name }, ...rest, query: { ...query, ...safeIn(flags) } };
        showWriteResult(
          session,
          unwrap(
            await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/disable', {
              params,
              body: { ...body, ...because(flags) },
            }),
          ),
        );
      }),
    );

  addReasonedWriteOptions(resource.command('restart <resource>'))
    .description('stop a resource and start it again; it starts again whatever happens meanwhile')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '']) => {
        const params = { path: { cluster: await session.cluster(), resource: name }, ...writeParams(flags) };
        const body = because(flags);
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/restart', { params, body })),
        );
      }),
    );

  for (const { name: mode, description } of MODES) {
    addReasonedWriteOptions(resource.command(`${mode} <resources...>`))
      .description(description)
      .action(
        inSession<ReasonFlags>(surroundings, async (session, flags, operands) => {
          const { resource: name, body } = namesIn(operands);
          const params = { path: { cluster: await session.cluster(), resource: name }, ...writeParams(flags) };
          showWriteResult(
            session,
            unwrap(
              await session.client.POST(`/v1/clusters/{cluster}/resources/{resource}/commands/${mode}`, {
                params,
                body: { ...body, ...because(flags) },
              }),
            ),
          );
        }),
      );
  }

  addReasonedWriteOptions(resource.command('rename <resource> <id>'))
    .description('give a stopped resource another id, and whatever refers to it the new one')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '', to = '']) => {
        const params = { path: { cluster: await session.cluster(), resource: name }, ...writeParams(flags) };
        const body = { to, ...because(flags) };
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/rename', { params, body })),
        );
      }),
    );

  addDebugCommand(resource, surroundings);
  addPlacementCommands(resource, surroundings);

  addReasonedWriteOptions(resource.command('cleanup [resource]'))
    .description("forget a resource's failures (or all), and the history where it failed, so that it is probed again there")
    .option('--node <node>', 'on this node only')
    .option('--operation <operation>', 'what failed in this operation only')
    .option('--interval <duration>', 'of that operation, at this interval only, e.g. 10s; ms where no unit is given', milliseconds)
    .action(
      inSession<ReasonFlags & FailureFlags>(surroundings, async (session, flags, [name]) => {
        const cluster = await session.cluster();
        const { query, header } = writeParams(flags);
        const params = { path: { cluster }, header, query: { ...query, ...failuresMeant(name, flags), ...because(flags) } };
        showWriteResult(session, unwrap(await session.client.DELETE('/v1/clusters/{cluster}/fail-counts', { params })));
      }),
    );

  addReasonedWriteOptions(resource.command('refresh [resource]'))
    .description('forget all that is known of a resource (or of all), failed or not, so that it is probed again')
    .option('--node <node>', 'on this node only')
    .action(
      inSession<ForgetFlags>(surroundings, async (session, flags, [name]) => {
        const cluster = await session.cluster();
        const body = { ...(flags.node === undefined ? {} : { node: flags.node }), ...because(flags) };
        if (name === undefined) {
          const params = { path: { cluster }, ...writeParams(flags) };
          showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/commands/refresh', { params, body })));
          return;
        }
        const params = { path: { cluster, resource: name }, ...writeParams(flags) };
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/refresh', { params, body })),
        );
      }),
    );

  addFailCountCommands(resource, surroundings);
  addResourceConfigurationCommands(resource, surroundings);
  addDefaultsCommands(resource, surroundings);
}

/** What several operands name: the first one stands in the path, the others in the body. */
function namesIn(operands: readonly string[]): { readonly resource: string; readonly body: { readonly also?: string[] } } {
  // Commander gives the rest of the operands as one list.
  const [resource = '', ...also] = operands.flat();
  return { resource, body: also.length === 0 ? {} : { also } };
}
