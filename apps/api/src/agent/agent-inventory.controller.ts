import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AgentPrincipal } from '@systole/access';
import { clusterNodes, configuredNodes, isInContainer, memberOf, type ClusterState } from '@systole/cluster';
import { AgentCatalog, type TellingNodes } from '@systole/control-plane-postgres';
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

/**
 * What agents tell of the resource and fence agents of their nodes. Nothing waits for it. That in a container tells nothing: what an image has says nothing about the nodes, and whoever holds the token of a container decides nothing for
 * the others. It is answered as one of which everything is known, which costs it no further request.
 */
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
    return { wanted: nodes === undefined ? [] : await this.catalog.tell(agent.clusterId, agent.node, told, nodes) };
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
    const nodes = await this.#nodesWith(agent, body.incarnation);
    if (nodes === undefined) return {};
    const outcome = await this.catalog.describe(agent.clusterId, agent.node, body, nodes.cluster);
    if (outcome === 'not-installed') {
      throw new HttpProblem(
        404,
        'agent-not-installed',
        `${agent.node} has not told that it has ${body.type} in this version: tell that first`,
      );
    }
    if (outcome === 'full') {
      const detail = `the descriptions of agents that ${agent.node}, or all nodes of its kind (cluster nodes, or remote nodes and guests), have told take all the room that they may: take agents that nobody uses from the nodes`;
      throw new HttpProblem(413, 'agent-descriptions-full', detail);
    }
    return {};
  }

  /** @returns the nodes that tell; undefined when this one is a container @throws {HttpProblem} 409 when the node has joined anew since */
  async #nodesWith({ clusterId, node, inContainer }: AgentPrincipal, incarnation: number): Promise<TellingNodes | undefined> {
    const state = await this.states.load(clusterId);
    if (memberOf(state, node)?.incarnation !== incarnation) {
      throw new HttpProblem(409, 'incarnation-superseded', `incarnation ${incarnation} of ${node} is over: join anew, and tell it again`);
    }
    return inContainer === true || isInContainer(state, node) ? undefined : tellingNodes(state);
  }
}

function tellingNodes(state: ClusterState): TellingNodes {
  const named = [...Object.keys(state.nodes), ...configuredNodes(state.cib).map(({ name }) => name)];
  return { all: named.filter((node) => !isInContainer(state, node)), cluster: clusterNodes(state) };
}
