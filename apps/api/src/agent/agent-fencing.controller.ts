import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AgentPrincipal } from '@systole/access';
import { schemaReference, type FencingAnswer } from '@systole/protocol';
import { CallingAgent } from '../access/access.guard.js';
import { ApiProblems } from '../openapi/responses.js';
import { FencingAnswers } from '../status/fencing-answers.js';
import { FencingQuery } from '../status/fencing.query.js';

/** What tools on nodes ask about fencing. */
@ApiTags('agent')
// Of a node that never joined, of a cluster that was deleted.
@ApiProblems(404, 410)
@Controller('v1/agent')
export class AgentFencingController {
  constructor(private readonly answers: FencingAnswers) {}

  @Get('fencing')
  @ApiOperation({
    operationId: 'agentFencing',
    summary: 'See how nodes were fenced lately, and by which devices one can be',
    description: 'For `stonith_admin --history`, `--last` and `--list`.',
  })
  @ApiOkResponse({ schema: { $ref: schemaReference('FencingAnswer') } })
  @ApiProblems(400, 429)
  async fencing(@CallingAgent() { clusterId }: AgentPrincipal, @Query() { node }: FencingQuery): Promise<FencingAnswer> {
    return this.answers.about(clusterId, node);
  }
}
