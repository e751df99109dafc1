import type { IncomingMessage } from 'node:http';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AgentPrincipal } from '@systole/access';
import { GuestTokens } from '@systole/control-plane';
import { parseGuestTokenRequest, type GuestTokenAnswer, type GuestTokenRequest } from '@systole/protocol';
import { CallingAgent } from '../access/access.guard.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { correlationId } from '../http/request-context.js';
import { ApiProblems } from '../openapi/responses.js';
import { AgentBody, ApiMessages } from './agent-body.js';

/** What hosts ask for the containers of bundles that they start. */
@ApiTags('agent')
@Controller('v1/agent')
export class AgentGuestsController {
  constructor(private readonly tokens: GuestTokens) {}

  @Post('guest-tokens')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentGuestToken',
    summary: "Make a token for the agent inside of a bundle's container",
    description:
      'For the host that was told to start the container, until it has answered; refused as `not-for-this-agent` else. All tokens that the node inside had are revoked. The audit has the host as who.',
  })
  @ApiMessages('AgentGuestTokenRequest', 'AgentGuestTokenAnswer')
  @ApiProblems(403, 404, 409, 410, 422, 429)
  async give(
    @AgentBody(parseGuestTokenRequest) body: GuestTokenRequest,
    @CallingAgent() host: AgentPrincipal,
    @Req() request: IncomingMessage,
  ): Promise<GuestTokenAnswer> {
    const given = await this.tokens.give(host, body, correlationId(request));
    if (!given.ok) throw rejectionProblem(given.rejection);
    return given.answer;
  }
}
