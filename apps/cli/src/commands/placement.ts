import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { inSession, type Surroundings } from '../session.js';
import { addSafeOptions, safeIn, type SafeFlags } from './safe-options.js';
import { addReasonedWriteOptions, because, showWriteResult, writeParams, type ReasonFlags } from './write-options.js';

interface PlacementFlags extends ReasonFlags, SafeFlags {
  readonly promoted?: boolean;
  readonly lifetime?: string;
}

interface ClearFlags extends ReasonFlags {
  readonly promoted?: boolean;
  readonly expired?: boolean;
}

const PLACEMENTS = [
  { name: 'move', description: 'move a resource to a node, or (without one) away from where it runs; it stays so until "clear"' },
  { name: 'ban', description: 'keep a resource away from a node, or (without one) from where it runs; it stays so until "clear"' },
] as const;

export function addPlacementCommands(resource: Command, surroundings: Surroundings): void {
  for (const { name: command, description } of PLACEMENTS) {
    addSafeOptions(addReasonedWriteOptions(resource.command(`${command} <resource> [node]`)))
      .description(description)
      .option('--promoted', 'its promoted role only')
      .option('--lifetime <duration>', 'it ends by itself after this time, an ISO 8601 duration such as PT2H')
      .action(
        inSession<PlacementFlags>(surroundings, async (session, flags, [name = '', node]) => {
          const { query, header } = writeParams(flags);
          const path = { cluster: await session.cluster(), resource: name };
          const params = { path, header, query: { ...query, ...safeIn(flags) } };
          const body = { ...nodeIn(node), ...placementIn(flags), ...because(flags) };
          showWriteResult(
            session,
            unwrap(await session.client.POST(`/v1/clusters/{cluster}/resources/{resource}/commands/${command}`, { params, body })),
          );
        }),
      );
  }

  addReasonedWriteOptions(resource.command('relocate [resource]'))
    .description('move a resource, or all of them, to where they would be if they ran nowhere; waits until that is done')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name]) => {
        const cluster = await session.cluster();
        const body = because(flags);
        const { query, header } = writeParams(flags);
        if (name === undefined) {
          const params = { path: { cluster }, query, header };
          showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/commands/relocate', { params, body })));
          return;
        }
        const params = { path: { cluster, resource: name }, query, header };
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/relocate', { params, body })),
        );
      }),
    );

  addReasonedWriteOptions(resource.command('clear <resource> [node]'))
    .description('remove what "move" and "ban" have left behind: all, or what names a node')
    .option('--promoted', 'what is of its promoted role only')
    .option('--expired', 'what has ended by its lifetime only')
    .action(
      inSession<ClearFlags>(surroundings, async (session, flags, [name = '', node]) => {
        const params = { path: { cluster: await session.cluster(), resource: name }, ...writeParams(flags) };
        const body = {
          ...nodeIn(node),
          ...(flags.promoted === true ? { promoted: true } : {}),
          ...(flags.expired === true ? { expired: true } : {}),
          ...because(flags),
        };
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/clear', { params, body })),
        );
      }),
    );
}

function nodeIn(node: string | undefined): { readonly node?: string } {
  return node === undefined ? {} : { node };
}

function placementIn({ promoted, lifetime }: PlacementFlags): { readonly promoted?: true; readonly lifetime?: string } {
  return { ...(promoted === true ? { promoted } : {}), ...(lifetime === undefined ? {} : { lifetime }) };
}
