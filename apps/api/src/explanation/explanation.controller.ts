import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { epochVersion } from '@systole/cluster';
import type { Response } from 'express';
import { Waiting } from '../access/access.guard.js';
import { ClusterHistory } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { newMaking } from '../http/etag.js';
import { ApiTagged, tagBy } from '../http/revalidation.js';
import { ApiProblems } from '../openapi/responses.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { ClusterExplanationDto, ClusterExplanationQuery, selectionOf } from './explanation.dto.js';

/** Why resources are where they are, and why actions are planned or can't be. */
@ApiTags('explanation')
@Controller('v1/clusters/:cluster/explanation')
export class ExplanationController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly preview: SchedulePreview,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getExplanation',
    summary: 'Explain where resources go and why, and the reasons of every action',
    description:
      'Computed from the present state, or from an earlier one (`at`): for each resource the rule that decided and every candidate node with its score, for each action the chain of its reasons.',
  })
  @ApiOkResponse({ type: ClusterExplanationDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async explain(
    @Param('cluster') cluster: string,
    @Query() query: ClusterExplanationQuery,
    @Waiting() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClusterExplanationDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { state, now } = await this.history.asked(clusterId, query);
    const { explanation } = await this.preview.explain({ clusterId, cib: state.cib, now }, caller, selectionOf(query));
    const isPresent = query.at === undefined && query.version === undefined;
    tagBy(response, epochVersion(state), 'json', isPresent ? newMaking() : undefined);
    return { clusterId, version: state.version, now, ...explanation };
  }
}
