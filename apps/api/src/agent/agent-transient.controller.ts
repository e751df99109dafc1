import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AgentPrincipal } from '@systole/access';
import { memberOf, transientByNode, type ClusterState } from '@systole/cluster';
import { PrivateAttributes } from '@systole/control-plane-postgres';
import { parsePrivateAttributesRequest, schemaReference, type AttributesAnswer, type PrivateAttributesRequest } from '@systole/protocol';
import { ClusterStates } from '@systole/read-models';
import { CallingAgent } from '../access/access.guard.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { AgentAttributesQuery } from './agent-attributes.query.js';
import { AgentBody, ApiMessages } from './agent-body.js';

/** What resource agents on one node know of another one until its reboot. */
@ApiTags('agent')
@ApiProblems(404, 410)
@Controller('v1/agent')
export class AgentTransientController {
  constructor(
    private readonly told: PrivateAttributes,
    private readonly states: ClusterStates,
  ) {}

  @Post('private-attributes')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentPrivateAttributes',
    summary: 'Say which attributes are private on the node, for the agents of other nodes',
    description:
      'All that there are, in the place of what the node told before. Neither the CIB nor the event log has them, and nobody but agents of the cluster reads them; they are gone when this life of the node ends.',
  })
  @ApiMessages('AgentPrivateAttributesRequest')
  @ApiProblems(409, 422, 429)
  async tell(
    @AgentBody(parsePrivateAttributesRequest) { incarnation, revision, attributes }: PrivateAttributesRequest,
    @CallingAgent() { clusterId, node }: AgentPrincipal,
  ): Promise<object> {
    if (memberOf(await this.states.load(clusterId), node)?.incarnation !== incarnation) {
      throw new HttpProblem(409, 'incarnation-superseded', `incarnation ${incarnation} of ${node} is over: join anew, and tell it again`);
    }
    await this.told.tell(clusterId, { node, incarnation, attributes }, revision);
    return {};
  }

  @Get('attributes')
  @ApiOperation({
    operationId: 'agentReadAttributes',
    summary: 'List transient attributes as agents said them last, also those that are held back and not in the CIB yet',
    description: 'For `attrd_updater --query`. Private ones of other nodes are among them.',
  })
  @ApiOkResponse({ schema: { $ref: schemaReference('AgentAttributesAnswer') } })
  @ApiProblems(400, 429)
  async read(@CallingAgent() agent: AgentPrincipal, @Query() query: AgentAttributesQuery): Promise<AttributesAnswer> {
    const state = await this.states.load(agent.clusterId);
    const known = transientByNode(state, query);
    const hidden = await this.#privateOfOthers(agent, state, query);
    const keyOf = ({ node, name }: { readonly node: string; readonly name: string }): string => JSON.stringify([node, name]);
    const hiddenKeys = new Set(hidden.map(keyOf));
    return { attributes: [...known.filter((one) => !hiddenKeys.has(keyOf(one))), ...hidden] };
  }

  /** Those of its own node an agent knows itself. */
  async #privateOfOthers(
    { clusterId, node: own }: AgentPrincipal,
    state: ClusterState,
    { node, name }: AgentAttributesQuery,
  ): Promise<AttributesAnswer['attributes']> {
    const isAsked = (of: string): boolean => of !== own && (node === undefined || node === of || memberOf(state, of)?.id === node);
    const nodes = Object.values(state.nodes).flatMap((member) =>
      isAsked(member.name) && member.membership === 'joined' ? [member.name] : [],
    );
    const told = await this.told.of(clusterId, nodes, name);
    const ofThisLife = told.filter((one) => memberOf(state, one.node)?.incarnation === one.incarnation);
    return ofThisLife.flatMap((of) => of.attributes.map((one) => ({ node: of.node, ...one, private: true })));
  }
}
