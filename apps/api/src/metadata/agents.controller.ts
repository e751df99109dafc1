import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { agentNameOf, nearMatches } from '@systole/cib';
import { AgentCatalog, type AgentOnNodes } from '@systole/control-plane-postgres';
import type { AgentName } from '@systole/protocol';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { AgentDto, AgentListDto, type AgentEntryDto, type AgentNameDto, type AgentVersionDto } from './agents.dto.js';

/** Characters of a name that an answer repeats. */
const LONGEST_SHOWN = 80;

/** Which resource and fence agents a cluster's nodes have, and what these say about themselves. */
@ApiTags('metadata')
@Controller('v1/clusters/:cluster/metadata/agents')
export class AgentsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly catalog: AgentCatalog,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listAgents',
    summary: "List the resource and fence agents that the cluster's nodes have",
    description: 'As the nodes have told, each with its versions and the nodes that have them.',
  })
  @ApiOkResponse({ type: AgentListDto })
  @ApiProblems(404)
  async list(@Param('cluster') cluster: string): Promise<AgentListDto> {
    const { id } = await this.lookup.find(cluster);
    const [agents, tellings] = await Promise.all([this.catalog.list(id), this.catalog.tellings(id)]);
    const items = new Map<string, AgentEntryDto>();
    for (const agent of agents) {
      const named = nameOf(agent);
      const { shortDescription, versions } = items.get(named.name) ?? { shortDescription: agent.shortDescription, versions: [] };
      items.set(named.name, {
        ...named,
        ...(shortDescription === undefined ? {} : { shortDescription }),
        versions: [...versions, versionOf(agent)],
      });
    }
    return { items: [...items.values()], tellings };
  }

  @Get(':agent')
  @ApiOperation({
    operationId: 'getAgent',
    summary: 'Get what an agent says about itself',
    description: 'Its parameters and actions with their descriptions, in each version that nodes have.',
  })
  @ApiParam({ name: 'agent', description: 'Its whole name.', example: 'ocf:heartbeat:IPaddr2' })
  @ApiOkResponse({ type: AgentDto })
  @ApiProblems(404)
  async get(@Param('cluster') cluster: string, @Param('agent') name: string): Promise<AgentDto> {
    const { id } = await this.lookup.find(cluster);
    const agent = agentNamed(name);
    const versions = agent === undefined ? [] : await this.catalog.versions(id, agent);
    if (agent === undefined || versions.length === 0) throw await this.#unknown(id, name);
    return {
      ...nameOf(agent),
      versions: versions.map((version) => ({
        ...versionOf(version),
        ...(version.metadata === undefined ? {} : { metadata: version.metadata }),
      })),
    };
  }

  async #unknown(id: string, name: string): Promise<HttpProblem> {
    const told = await this.catalog.told(id);
    const shown = name.slice(0, LONGEST_SHOWN);
    if (told === undefined)
      return new HttpProblem(404, 'agent-not-found', `no node has told which agents it has, so nothing is known of ${shown}`);
    const near =
      name.length > LONGEST_SHOWN
        ? []
        : nearMatches(
            name,
            told.agents.map(({ agent }) => agentNameOf(agent)),
          );
    const advice = near.length === 0 ? 'see the list of agents' : `did you mean ${near.join(' or ')}?`;
    return new HttpProblem(404, 'agent-not-found', `no node that has told has the agent ${shown}: ${advice}`);
  }
}

/** What a whole name names: `ocf:heartbeat:IPaddr2`, or without a provider `stonith:fence_ipmilan`. Undefined when it is none. */
function agentNamed(name: string): AgentName | undefined {
  const [standard = '', ...rest] = name.split(':');
  if (standard === '' || rest.length === 0) return undefined;
  if (standard !== 'ocf') return { class: standard, type: rest.join(':') };
  const [provider = '', ...type] = rest;
  return type.length === 0 ? undefined : { class: standard, provider, type: type.join(':') };
}

function nameOf({ class: standard, provider, type }: AgentName): Pick<AgentNameDto, keyof AgentNameDto> {
  const agent = { class: standard, ...(provider === undefined ? {} : { provider }), type };
  return { name: agentNameOf(agent), ...agent };
}

function versionOf({ digest, nodes, problem }: AgentOnNodes): Pick<AgentVersionDto, keyof AgentVersionDto> {
  return { digest, nodes, ...(problem === undefined ? {} : { problem }) };
}
