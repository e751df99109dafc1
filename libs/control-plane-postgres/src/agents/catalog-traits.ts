import type { KnownTraits, ParameterTraits, TraitsOf } from '@systole/cluster';
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

/** By agent. Nodes may have different versions: what one of them can't reload asks for a restart, and what one of them calls private is. */
export function traitsIn({ agents }: ToldAgents): KnownTraits {
  const traits = new Map(agents.flatMap((entry) => entryOf(entry)));
  return (agent) => traits.get(keyOf(agent));
}

function entryOf({ agent, versions, operations }: AgentParameters): readonly (readonly [string, ParameterTraits])[] {
  const described = versions.filter((parameters) => parameters !== undefined);
  // Of a version that nobody has described nothing is known.
  if (described.length === 0 || described.length !== versions.length) return [];
  const reloads = operations.every((names) => names?.includes('reload-agent') === true);
  const all = described.flat();
  const restart = namesOf(all.filter(({ reloadable }) => !reloadable));
  const secret = namesOf(all.filter((parameter) => parameter.private === true));
  return [[keyOf(agent), { secret, ...(reloads ? { restart } : {}) }]];
}

function namesOf(parameters: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(parameters.map(({ name }) => name))];
}

function keyOf({ class: standard, provider = '', type }: TraitsOf): string {
  return JSON.stringify([standard, provider, type]);
}
