import { parameterTraits, type KnownTraits, type ParameterTraits, type TraitsOf } from '@systole/cluster';
import type { AgentTraits, Report } from '@systole/control-plane';
import type { AgentCatalog, AgentParameters, ToldAgents } from './agent-catalog.js';

/** What the catalog knows of the agents' parameters. */
export class CatalogTraits implements AgentTraits {
  private readonly known = new WeakMap<ToldAgents, KnownTraits>();

  constructor(
    private readonly catalog: Pick<AgentCatalog, 'told'>,
    private readonly report: Pick<Report, 'warn'>,
  ) {}

  async of(clusterId: string): Promise<KnownTraits> {
    let told: ToldAgents | undefined;
    try {
      told = await this.catalog.told(clusterId);
    } catch (error) {
      this.report.warn(
        { err: error, cluster: clusterId },
        "what nodes have told of their agents can't be read: changes of parameters will restart",
      );
    }
    if (told === undefined) return () => undefined;
    const known = this.known.get(told) ?? traitsIn(told);
    this.known.set(told, known);
    return known;
  }
}

/** By agent. Nodes may have different versions: what holds for all of them counts. */
export function traitsIn({ agents }: ToldAgents): KnownTraits {
  const traits = new Map(agents.flatMap((entry) => entryOf(entry)));
  return (agent) => traits.get(keyOf(agent));
}

function entryOf({ agent, versions, operations }: AgentParameters): readonly (readonly [string, ParameterTraits])[] {
  const described = versions.flatMap((parameters, index) =>
    parameters === undefined ? [] : [{ parameters, actions: operations[index] ?? [] }],
  );
  // Of a version that nobody has described nothing is known.
  if (described.length === 0 || described.length !== versions.length) return [];
  return [[keyOf(agent), parameterTraits(described)]];
}

function keyOf({ class: standard, provider = '', type }: TraitsOf): string {
  return JSON.stringify([standard, provider, type]);
}
