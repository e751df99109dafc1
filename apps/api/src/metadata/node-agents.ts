import { Injectable, Logger } from '@nestjs/common';
import { agentNameOf, type KnownAgents, type KnownParameter } from '@systole/cib';
import { AgentCatalog, type ToldAgents } from '@systole/control-plane-postgres';

/** What nodes have told of their resource agents, as findings read it. */
@Injectable()
export class NodeAgents {
  readonly #log = new Logger(NodeAgents.name);
  readonly #known = new WeakMap<ToldAgents, KnownAgents>();

  constructor(private readonly catalog: AgentCatalog) {}

  /** The same object as long as nothing else was told; undefined when nothing was, or when it can't be read: findings are no reason to refuse anything else. */
  async known(clusterId: string): Promise<KnownAgents | undefined> {
    const told = await this.catalog.told(clusterId).catch((error: unknown) => {
      this.#log.warn(`what nodes have told of their agents can't be read: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    });
    if (told === undefined) return undefined;
    const known = this.#known.get(told) ?? knownOf(told);
    this.#known.set(told, known);
    return known;
  }
}

function knownOf({ classes, agents }: ToldAgents): KnownAgents {
  return {
    classes,
    agents: Object.fromEntries(
      agents.map(({ agent, versions }) => [agentNameOf(agent), versions.map((parameters) => parameters?.map(parameterOf))]),
    ),
  };
}

/** One that has a default is required of nobody. An empty default is none: agents write `<content default=""/>` for "there is no default". */
export function parameterOf(parameter: KnownParameter & { readonly default?: string }): KnownParameter {
  const { name, required, deprecated, obsoletes, default: fallback = '' } = parameter;
  return { name, required: required && fallback === '', deprecated, ...(obsoletes === undefined ? {} : { obsoletes }) };
}
