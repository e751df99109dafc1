import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AgentPrincipal } from '@systole/access';
import { configuredNodes, memberOf } from '@systole/cluster';
import { AgentCatalog } from '@systole/control-plane-postgres';
import {
  parseAgentDescriptionRequest,
  parseInstalledAgentsRequest,
  type AgentDescriptionRequest,
  type InstalledAgentsAnswer,
  type InstalledAgentsRequest,
} from '@systole/protocol';
import { ClusterStates } from '@systole/read-models';
import { CallingAgent } from '../access/access.guard.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { AgentBody, ApiMessages } from './agent-body.js';

/** What agents tell of the resource and fence agents of their nodes. Nothing of the cluster's work depends on it, and nothing waits for it. */
@ApiTags('agent')
@Controller('v1/agent')
export class AgentInventoryController {
  constructor(
    private readonly catalog: AgentCatalog,
    private readonly states: ClusterStates,
  ) {}

  @Post('installed-agents')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentInstalledAgents',
    summary: 'Say which resource and fence agents the node has',
    description: 'All that there are, in the place of what the node told before. The answer names some whose meta-data the server has not.',
  })
  @ApiMessages('AgentInstalledAgentsRequest', 'AgentInstalledAgentsAnswer')
  @ApiProblems(409, 422, 429)
  async installed(
    @AgentBody(parseInstalledAgentsRequest) { incarnation, ...told }: InstalledAgentsRequest,
    @CallingAgent() agent: AgentPrincipal,
  ): Promise<InstalledAgentsAnswer> {
    const nodes = await this.#nodesWith(agent, incarnation);
    return { wanted: await this.catalog.tell(agent.clusterId, agent.node, told, nodes) };
  }

  @Post('agent-descriptions')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentDescribe',
    summary: 'Say what one of these agents says about itself',
    description: 'Its meta-data, or why that can not be read. What is known of the same version already stays.',
  })
  @ApiMessages('AgentDescriptionRequest')
  @ApiProblems(404, 409, 413, 422, 429)
  async describe(
    @AgentBody(parseAgentDescriptionRequest) body: AgentDescriptionRequest,
    @CallingAgent() agent: AgentPrincipal,
  ): Promise<object> {
    await this.#nodesWith(agent, body.incarnation);
    const outcome = await this.catalog.describe(agent.clusterId, agent.node, body);
    if (outcome === 'not-installed') {
      throw new HttpProblem(
        404,
        'agent-not-installed',
        `${agent.node} has not told that it has ${body.type} in this version: tell that first`,
      );
    }
    if (outcome === 'full') {
      const detail =
        "the descriptions of the cluster's agents take all the room that they may: take agents that nobody uses from the nodes";
      throw new HttpProblem(413, 'agent-descriptions-full', detail);
    }
    return {};
  }

  /** The cluster's nodes. @throws {HttpProblem} 409 when the node has joined anew since */
  async #nodesWith({ clusterId, node }: AgentPrincipal, incarnation: number): Promise<readonly string[]> {
    const state = await this.states.load(clusterId);
    if (memberOf(state, node)?.incarnation !== incarnation) {
      throw new HttpProblem(409, 'incarnation-superseded', `incarnation ${incarnation} of ${node} is over: join anew, and tell it again`);
    }
    return [...Object.keys(state.nodes), ...configuredNodes(state.cib).map(({ name }) => name)];
  }
}
