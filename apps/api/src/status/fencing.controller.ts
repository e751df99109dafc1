import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { schemaReference, type FencingAnswer } from '@systole/protocol';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { ApiProblems } from '../openapi/responses.js';
import { FencingAnswers } from './fencing-answers.js';
import { FencingQuery } from './fencing.query.js';

/** How nodes of a cluster are fenced. */
@ApiTags('status')
@Controller('v1/clusters/:cluster/fencing')
export class FencingController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly answers: FencingAnswers,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getFencing',
    summary: 'See how nodes were fenced lately, and by which devices one can be',
    description:
      'What the status in the form of `crm_mon` tells of fencing, and `stonith_admin --history` and `--list`: the newest outcomes, without what somebody has noted to have seen (`clear-fencing-history`). Each attempt by itself, and what was seen, is among the events.',
  })
  @ApiOkResponse({ schema: { $ref: schemaReference('FencingAnswer') } })
  @ApiProblems(400, 404)
  async fencing(@Param('cluster') cluster: string, @Query() { node }: FencingQuery): Promise<FencingAnswer> {
    const { id } = await this.lookup.find(cluster);
    return this.answers.about(id, node);
  }
}
