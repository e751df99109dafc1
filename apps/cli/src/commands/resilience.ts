import { unwrap } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { resilienceLines } from '../render/resilience.js';
import { inSession, type Surroundings } from '../session.js';

interface ResilienceFlags {
  readonly by: 'node' | 'pair';
  readonly byAttribute?: string;
}

export function addResilienceCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('resilience [nodes...]')
    .description('try in thought the loss of each node, pair, or group of nodes: what would stop, move and stay down; nothing is done')
    .addOption(new Option('--by <what>', 'what is lost at once').choices(['node', 'pair']).default('node'))
    .addOption(new Option('--by-attribute <name>', 'lose together the nodes with one value of this attribute, e.g. rack').conflicts('by'))
    .action(
      inSession<ResilienceFlags>(surroundings, async (session, { by, byAttribute }, [nodes]) => {
        const path = { cluster: await session.cluster() };
        const only = Array.isArray(nodes) && nodes.length > 0 ? { nodes: nodes.map(String) } : {};
        const body = byAttribute === undefined ? { by, ...only } : { by: 'attribute' as const, attribute: byAttribute, ...only };
        const found = unwrap(await session.client.POST('/v1/clusters/{cluster}/resilience', { params: { path }, body }));
        if (typeof found === 'string') throw new Error('the server answered line by line, which was not asked for');
        session.show(found, () => resilienceLines(found, session.paint));
      }),
    );
}
