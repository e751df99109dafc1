import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { epochVersion } from '@systole/cluster';
import { AgentSessions, type Answer } from '@systole/control-plane';
import {
  parseAgentToolRequest,
  parseAttributesRequest,
  parseIncarnationRequest,
  parseLeaveRequest,
  parsePollRequest,
  parseResultsRequest,
  type AgentToolAnswer,
  type AgentToolRequest,
  type AttributesRequest,
  type IncarnationRequest,
  type LeaveRequest,
  type JoinAnswer,
  type JoinRequest,
  type PollAnswer,
  type PollRequest,
  type ResultsAnswer,
  type ResultsRequest,
} from '@systole/protocol';
import { ClusterStates } from '@systole/read-models';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';
import { CallingAgent } from '../access/access.guard.js';
import type { AgentPrincipal } from '@systole/access';
import { LastChanges } from '../reads/last-change.js';
import { answerBy, ApiRevalidated } from '../http/revalidation.js';
import { HttpProblem } from '../http/problem.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { receivedAt } from '../http/received-at.js';
import { correlationId } from '../http/request-context.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { ApiProblems } from '../openapi/responses.js';
import { DocumentTexts } from '../scheduling/document-texts.js';
import { AgentBody, ApiMessages } from './agent-body.js';
import { requireReadableReason } from '../writes/reason-text.js';
import { AttributesBudgetGuard } from './attributes-budget.guard.js';
import { joinBody } from './join-body.js';

/** What agents say and ask: the wire protocol between agent and server. Cluster and node are those of the agent's token. */
@ApiTags('agent')
// Of a node that never joined, of a cluster that was deleted.
@ApiProblems(404, 410)
@Controller('v1/agent')
export class AgentController {
  constructor(
    private readonly sessions: AgentSessions,
    private readonly states: ClusterStates,
    private readonly closing: Shutdown,
    private readonly texts: DocumentTexts,
    private readonly changes: LastChanges,
  ) {}

  @Post('join')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentJoin',
    summary: 'Join: get an incarnation and a lease; ends the earlier incarnation',
    description:
      'An agent joins when it starts, and whenever it is told to (`lease-lost`, `log-epoch-changed`). Each join makes a new incarnation of the node, with a lease of its own; what runs on the node goes on and is probed. A join that is repeated because its answer was lost gets the same incarnation.',
  })
  @ApiMessages('AgentJoinRequest', 'AgentJoinAnswer')
  @ApiProblems(403, 409, 410, 422, 426)
  async join(
    @AgentBody(joinBody) body: JoinRequest,
    @CallingAgent() agent: AgentPrincipal,
    @Req() request: IncomingMessage,
  ): Promise<JoinAnswer> {
    // Before anything is recorded: a join ends the incarnation of the node that the token is really for.
    if (body.node !== undefined && body.node !== agent.node) {
      throw new HttpProblem(
        403,
        'token-for-another-node',
        `the token is for ${agent.node}, not for ${body.node}: give each agent the token of its own node`,
      );
    }
    const joined = accepted(await this.sessions.join(agent, body, correlationId(request)));
    request.log.info({ node: joined.node, incarnation: joined.incarnation, bootId: body.bootId }, 'agent joined');
    return joined;
  }

  @Post('poll')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentPoll',
    summary: 'Renew the lease, and wait for something to do',
    description:
      'The lease is renewed at once. The answer comes as soon as there is something to do that the agent does not name in `known`, and at the latest when its wait is over. An answer that is lost loses nothing: what was not begun is delivered again.',
  })
  @ApiMessages('AgentPollRequest', 'AgentPollAnswer')
  @ApiProblems(409, 410, 422)
  async poll(
    @AgentBody(parsePollRequest) body: PollRequest,
    @CallingAgent() agent: AgentPrincipal,
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<PollAnswer> {
    return accepted(await this.sessions.poll(agent, body, [this.closing.orGone(response)], correlationId(request)));
  }

  @Post('results')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentResults',
    summary: 'Report results',
    description:
      'Facts: recorded whatever their age. A result that was recorded before is acknowledged again and not recorded twice. What nobody asked the node for is acknowledged, named in `dropped`, and counted in the log (ResultsDropped).',
  })
  @ApiMessages('AgentResultsRequest', 'AgentResultsAnswer')
  @ApiProblems(410, 413, 422, 429)
  async results(
    @AgentBody(parseResultsRequest) body: ResultsRequest,
    @CallingAgent() agent: AgentPrincipal,
    @Req() request: IncomingMessage,
  ): Promise<ResultsAnswer> {
    return accepted(await this.sessions.results(agent, body, correlationId(request)));
  }

  @Post('attributes')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentAttributes',
    summary: 'Set or clear node attributes, all or none',
    description:
      'Of the agent’s own node, and what the resource agents there may say of others. An attribute that has the value already is no change. A name that holds what can’t be seen, and what XML can’t carry, is refused of what is set; it can be cleared.',
  })
  @ApiMessages('AgentAttributesRequest')
  @ApiProblems(403, 404, 409, 410, 422, 429)
  @UseGuards(AttributesBudgetGuard)
  async attributes(
    @AgentBody(parseAttributesRequest) body: AttributesRequest,
    @CallingAgent() agent: AgentPrincipal,
    @Req() request: IncomingMessage,
  ): Promise<object> {
    accepted(await this.sessions.attributes(agent, body, correlationId(request), { at: receivedAt(request) }));
    return {};
  }

  @Post('tool-requests')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentToolRequest',
    summary: "Write what one of Pacemaker's command-line tools asks for on the node",
    description:
      'As far as the cluster option `systole-agent-writes` lets that node: refused as `not-for-this-agent` else. The event log has the agent as who, and the tool with the resource whose agent called it as why.',
  })
  @ApiMessages('AgentToolRequest', 'AgentToolAnswer')
  @ApiProblems(403, 404, 409, 410, 413, 422, 429)
  @UseGuards(AttributesBudgetGuard)
  async toolRequest(
    @AgentBody(parseAgentToolRequest) body: AgentToolRequest,
    @CallingAgent() agent: AgentPrincipal,
    @Req() request: IncomingMessage,
  ): Promise<AgentToolAnswer> {
    requireReadableReason(body);
    return accepted(await this.sessions.tool(agent, body, correlationId(request), { at: receivedAt(request) }));
  }

  @Get('cib')
  @ApiOperation({
    operationId: 'agentCib',
    summary: 'Get the CIB as XML',
    description: 'The whole of it, configuration and status, for tools of resource agents.',
  })
  @ApiOkResponse({ content: { 'application/xml': { schema: { type: 'string' } } } })
  @ApiRevalidated()
  @ApiProblems(429)
  async cib(@CallingAgent() agent: AgentPrincipal, @Res() response: Response): Promise<void> {
    const state = await this.states.load(agent.clusterId);
    if (answerBy(response, epochVersion(state), 'xml')) response.send();
    else response.type('application/xml').send(await this.texts.xml(await this.changes.documented(agent.clusterId, state)));
  }

  @Post('shutdown')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentShutdown',
    summary: "Ask that the node's resources be stopped or moved",
    description: 'The answer to a poll says `shutdown: true` when that is done; then the agent may leave.',
  })
  @ApiMessages('AgentIncarnationRequest')
  @ApiProblems(409, 422)
  async shutdown(
    @AgentBody(parseIncarnationRequest) body: IncarnationRequest,
    @CallingAgent() agent: AgentPrincipal,
    @Req() request: IncomingMessage,
  ): Promise<object> {
    accepted(await this.sessions.shutdown(agent, body.incarnation, correlationId(request)));
    return {};
  }

  @Post('leave')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentLeave',
    summary: 'Give the lease back, after the resources were stopped',
    description:
      'The node counts as gone in order: nothing runs there, and nobody fences it. Refused as long as something managed is active there by what is known.',
  })
  @ApiMessages('AgentLeaveRequest')
  @ApiProblems(409, 422)
  async leave(
    @AgentBody(parseLeaveRequest) body: LeaveRequest,
    @CallingAgent() agent: AgentPrincipal,
    @Req() request: IncomingMessage,
  ): Promise<object> {
    accepted(await this.sessions.leave(agent, body, correlationId(request)));
    return {};
  }
}

/** @throws {HttpProblem} for what was refused */
function accepted<T>(answer: Answer<T>): T {
  if (!answer.ok) throw rejectionProblem(answer.rejection);
  return answer.answer;
}
