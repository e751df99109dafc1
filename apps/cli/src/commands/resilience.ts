import { unwrap, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { resilienceLines } from '../render/resilience.js';
import { inSession, type Surroundings } from '../session.js';

/** What is tried. */
interface Asked {
  readonly by: 'node' | 'pair';
  readonly byAttribute: string | undefined;
  readonly resources: readonly string[] | true | undefined;
}

interface ResilienceFlags {
  readonly by: 'node' | 'pair';
  readonly byAttribute?: string;
  /** Names; true for all. */
  readonly resources?: readonly string[] | true;
}

export function addResilienceCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('resilience [nodes...]')
    .description(
      'try in thought the loss of each node, pair, or group of nodes, or failures of resources: what would stop, move and stay down; nothing is done',
    )
    .addOption(new Option('--by <what>', 'what is lost at once').choices(['node', 'pair']).default('node'))
    .addOption(new Option('--by-attribute <name>', 'lose together the nodes with one value of this attribute, e.g. rack').conflicts('by'))
    .addOption(
      new Option('--resources [ids...]', 'lose nothing, but let each of these resources, or every one, fail where it is active').conflicts([
        'by',
        'byAttribute',
      ]),
    )
    .action(
      inSession<ResilienceFlags>(surroundings, async (session, { by, byAttribute, resources }, [nodes]) => {
        const path = { cluster: await session.cluster() };
        const only = Array.isArray(nodes) && nodes.length > 0 ? { nodes: nodes.map(String) } : {};
        const body = bodyOf({ by, byAttribute, resources }, only);
        const found = unwrap(await session.client.POST('/v1/clusters/{cluster}/resilience', { params: { path }, body }));
        if (typeof found === 'string') throw new Error('the server answered line by line, which was not asked for');
        session.show(found, () => resilienceLines(found, session.paint));
      }),
    );
}

function bodyOf({ by, byAttribute, resources }: Asked, only: { readonly nodes?: string[] }): components['schemas']['ResilienceBody'] {
  if (resources !== undefined) return { by: 'resource', ...(resources === true ? {} : { resources: [...resources] }), ...only };
  return byAttribute === undefined ? { by, ...only } : { by: 'attribute', attribute: byAttribute, ...only };
}
