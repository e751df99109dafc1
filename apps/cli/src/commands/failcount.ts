import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { listing } from '../render/columns.js';
import { moment } from '../render/moment.js';
import { inSession, type Surroundings } from '../session.js';
import { failuresMeant, type FailureFlags } from './failures-meant.js';
import { milliseconds } from './write-options.js';

export function addFailCountCommands(resource: Command, surroundings: Surroundings): void {
  resource
    .command('failcount [resource]')
    .description('how often operations failed, by resource, node and operation; "cleanup" forgets it')
    .option('--node <node>', 'on this node only')
    .option('--operation <operation>', 'in this operation only')
    .option('--interval <duration>', 'at this interval only, e.g. 10s; ms where no unit is given', milliseconds)
    .action(
      inSession<FailureFlags>(surroundings, async (session, flags, [name]) => {
        const params = { path: { cluster: await session.cluster() }, query: failuresMeant(name, flags) };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/fail-counts', { params }));
        session.show(found, () =>
          listing(
            ['RESOURCE', 'NODE', 'OPERATION', 'COUNT', 'LAST'].map((title) => session.paint('bold', title)),
            found.items.map((count) => [
              ...[count.resource, count.node, `${count.operation} every ${count.intervalMs} ms`.replace(' every 0 ms', '')],
              ...[count.count, count.lastFailure === undefined ? '' : moment(count.lastFailure)],
            ]),
            'Nothing has failed.',
          ),
        );
      }),
    );
}
