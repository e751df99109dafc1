import { tryLosses, type components, type LossesTried } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { resilienceLines } from '../render/resilience.js';
import { inSession, type Surroundings } from '../session.js';
import type { Terminal } from '../terminal.js';

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
        const cluster = await session.cluster();
        const only = Array.isArray(nodes) && nodes.length > 0 ? { nodes: nodes.map(String) } : {};
        const body = bodyOf({ by, byAttribute, resources }, only);
        const found = await tryLosses(session.client, cluster, body, progressOn(session.terminal));
        session.show(found, () => resilienceLines(found, session.paint));
      }),
    );
}

/** Where somebody looks on, a line that is drawn over, and is gone when all is done. */
function progressOn({ interactive, write }: Terminal): (tried: LossesTried) => void {
  if (!interactive) return () => undefined;
  return ({ done, of }) => {
    write(done < of ? `\r\x1b[KTried ${String(done)} of ${String(of)} …` : '\r\x1b[K');
  };
}

function bodyOf({ by, byAttribute, resources }: Asked, only: { readonly nodes?: string[] }): components['schemas']['ResilienceBody'] {
  if (resources !== undefined) return { by: 'resource', ...(resources === true ? {} : { resources: [...resources] }), ...only };
  return byAttribute === undefined ? { by, ...only } : { by: 'attribute', attribute: byAttribute, ...only };
}
