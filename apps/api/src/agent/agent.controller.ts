import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { serializeXml } from '@systole/cib';
import { checkIncarnation, type ClusterCommand } from '@systole/cluster';
import {
  ActionDeliveries,
  ClusterCommands,
  ClusterStates,
  NodeLeases,
  type ExecuteOptions,
  type ExecuteResult,
} from '@systole/read-models';
import type { Request, Response } from 'express';
import { AgentsOnly, CallingAgent } from '../access/access.guard.js';
import type { AgentPrincipal } from '../access/principal.js';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { etagOf } from '../http/etag.js';
import { HttpProblem } from '../http/problem.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { clientGone, correlationId } from '../http/request-context.js';
import { ApiProblems } from '../openapi/responses.js';
import { AgentPoll } from './agent-poll.js';
import {
  AttributesBody,
  IncarnationBody,
  JoinAnswerDto,
  JoinBody,
  PollAnswerDto,
  PollBody,
  ResultsAnswerDto,
  ResultsBody,
} from './agent.dto.js';
import { CarriableTextPipe } from './carriable-text.pipe.js';

type Accepted = Extract<ExecuteResult, { readonly ok: true }>;

/** What agents say and ask: the wire protocol between agent and server. Cluster and node are those of the agent's token. */
@ApiTags('agent')
@AgentsOnly()
@UsePipes(CarriableTextPipe)
@Controller('v1/agent')
export class AgentController {
  constructor(
    private readonly commands: ClusterCommands,
    private readonly states: ClusterStates,
    private readonly polls: AgentPoll,
    @Inject(API_SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Post('join')
  @HttpCode(200)
  @ApiOperation({ operationId: 'agentJoin', summary: 'Join: get an incarnation and a lease; ends the earlier incarnation' })
  @ApiOkResponse({ type: JoinAnswerDto })
  @ApiProblems(403, 422)
  async join(@Body() body: JoinBody, @CallingAgent() agent: AgentPrincipal, @Req() request: Request): Promise<JoinAnswerDto> {
    const { clusterId, node, tokenId } = agent;
    const { leaseMs, pollMs } = this.settings;
    const { agentVersion, nodeId } = body;
    // Before anything is recorded: a join ends the incarnation of the node that the token is really for.
    if (body.node !== undefined && body.node !== node) {
      throw new HttpProblem(
        403,
        'token-for-another-node',
        `the token is for ${node}, not for ${body.node}: give each agent the token of its own node`,
      );
    }
    const command: ClusterCommand = { type: 'join-node', node, agentVersion, leaseMs, ...(nodeId === undefined ? {} : { nodeId }) };
    const { events } = await this.#execute(agent, request, [command], {
      within: async (client, appended) => {
        for (const { type, data } of appended.events) {
          if (type === 'NodeJoined') await NodeLeases.grant(client, { clusterId, node, tokenId, incarnation: data.incarnation, leaseMs });
        }
      },
    });
    const joined = events.find((event) => event.type === 'NodeJoined');
    if (joined === undefined) throw new Error('a join made no NodeJoined');
    const { name } = await this.states.load(clusterId);
    request.log.info({ node, incarnation: joined.data.incarnation, bootId: body.bootId }, 'agent joined');
    return { clusterId, clusterName: name, node, nodeId: joined.data.nodeId, incarnation: joined.data.incarnation, leaseMs, pollMs };
  }

  @Post('poll')
  @HttpCode(200)
  @ApiOperation({ operationId: 'agentPoll', summary: 'Renew the lease, and wait for something to do' })
  @ApiOkResponse({ type: PollAnswerDto })
  @ApiProblems(409, 422)
  async poll(
    @Body() body: PollBody,
    @CallingAgent() agent: AgentPrincipal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PollAnswerDto> {
    return this.polls.poll(agent, body, clientGone(response));
  }

  @Post('results')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentResults',
    summary: 'Report results',
    description: 'Facts: recorded whatever their age. A result that was recorded before is acknowledged again and not recorded twice.',
  })
  @ApiOkResponse({ type: ResultsAnswerDto })
  @ApiProblems(413, 422)
  async results(@Body() body: ResultsBody, @CallingAgent() agent: AgentPrincipal, @Req() request: Request): Promise<ResultsAnswerDto> {
    const { clusterId, node } = agent;
    const { incarnation, results } = body;
    const answered = results.filter((result) => !result.recurring).map((result) => result.actionId);
    await this.#execute(agent, request, [{ type: 'record-results', node, incarnation, results }], {
      within: (client) => ActionDeliveries.complete(client, clusterId, node, answered),
    });
    return { acknowledged: results.map((result) => result.resultId) };
  }

  @Post('attributes')
  @HttpCode(200)
  @ApiOperation({ operationId: 'agentAttributes', summary: 'Set or clear node attributes, all or none' })
  @ApiOkResponse({ schema: { type: 'object' } })
  @ApiProblems(404, 409, 422)
  async attributes(@Body() body: AttributesBody, @CallingAgent() agent: AgentPrincipal, @Req() request: Request): Promise<object> {
    const { incarnation, changes } = body;
    const refused = checkIncarnation(await this.states.load(agent.clusterId), agent.node, incarnation);
    if (refused !== undefined) throw rejectionProblem(refused.rejection);
    const commands = changes.map(({ name, value, lifetime, node = agent.node }): ClusterCommand => {
      const of = { node, name, lifetime, ...(node === agent.node ? { incarnation } : {}) };
      return value === null ? { type: 'clear-node-attribute', ...of } : { type: 'set-node-attribute', ...of, value };
    });
    if (commands.length > 0) await this.#execute(agent, request, commands);
    return {};
  }

  @Get('cib')
  @ApiOperation({ operationId: 'agentCib', summary: 'Get the CIB as XML' })
  @ApiOkResponse({ content: { 'application/xml': { schema: { type: 'string' } } } })
  async cib(@CallingAgent() agent: AgentPrincipal, @Res() response: Response): Promise<void> {
    const { cib, version } = await this.states.load(agent.clusterId);
    response.set('etag', etagOf(version)).type('application/xml').send(serializeXml(cib));
  }

  @Post('shutdown')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentShutdown',
    summary: "Ask that the node's resources be stopped or moved",
    description: 'The answer to a poll says `shutdown: true` when that is done; then the agent may leave.',
  })
  @ApiOkResponse({ schema: { type: 'object' } })
  @ApiProblems(409, 422)
  async shutdown(@Body() body: IncarnationBody, @CallingAgent() agent: AgentPrincipal, @Req() request: Request): Promise<object> {
    await this.#execute(agent, request, [{ type: 'request-shutdown', node: agent.node, incarnation: body.incarnation }]);
    return {};
  }

  @Post('leave')
  @HttpCode(200)
  @ApiOperation({ operationId: 'agentLeave', summary: 'Give the lease back, after the resources were stopped' })
  @ApiOkResponse({ schema: { type: 'object' } })
  @ApiProblems(409, 422)
  async leave(@Body() body: IncarnationBody, @CallingAgent() agent: AgentPrincipal, @Req() request: Request): Promise<object> {
    const { clusterId, node } = agent;
    const { incarnation } = body;
    await this.#execute(agent, request, [{ type: 'leave-node', node, incarnation }], {
      within: (client) => NodeLeases.end(client, clusterId, node, incarnation),
    });
    return {};
  }

  async #execute(
    agent: AgentPrincipal,
    request: Request,
    commands: readonly ClusterCommand[],
    options: Pick<ExecuteOptions, 'within'> = {},
  ): Promise<Accepted> {
    const result = await this.commands.executeAll(agent.clusterId, commands, {
      actor: agent.actor,
      correlationId: correlationId(request),
      ...options,
    });
    if (!result.ok) throw rejectionProblem(result.rejection);
    return result;
  }
}
