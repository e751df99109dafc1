import { Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { primitiveIdOf } from '@systole/cib';
import { epochVersion } from '@systole/cluster';
import type { Response } from 'express';
import { ClusterHistory } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { PastQuery } from '../reads/past.query.js';
import { ApiTagged, tagBy } from '../http/revalidation.js';
import { TextField, WholeParameter } from '../http/fields.js';
import { ApiProblems } from '../openapi/responses.js';
import { failCountsIn } from '../status/failures.js';
import { FailCountDto } from '../status/status.dto.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { ReasonField } from '../writes/reason-body.js';
import { WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';

export class FailCountsQuery extends PastQuery {
  @TextField({ description: 'Of this resource or instance only.', max: 255, optional: true })
  readonly resource?: string;

  @TextField({ description: 'On this node only.', max: 255, optional: true })
  readonly node?: string;

  @TextField({ description: 'In this operation only.', example: 'monitor', max: 64, optional: true })
  readonly operation?: string;

  @WholeParameter({ description: 'At this interval only, ms.', optional: true })
  readonly intervalMs?: number;
}

export class ClearFailCountsQuery extends WriteQuery {
  @TextField({ description: 'Of this resource, with its instances, or of all in this group, clone or bundle.', max: 255, optional: true })
  readonly resource?: string;

  @TextField({ description: 'On this node only.', max: 255, optional: true })
  readonly node?: string;

  @TextField({ description: 'In this operation only.', example: 'monitor', max: 64, optional: true })
  readonly operation?: string;

  @WholeParameter({ description: 'At this interval only, ms.', optional: true })
  readonly intervalMs?: number;

  @ReasonField()
  readonly reason?: string;
}

export class FailCountListDto {
  @ApiProperty({
    type: FailCountDto,
    isArray: true,
    description: 'One for each resource, node and operation that has failed and was not cleaned up since.',
  })
  readonly items!: readonly FailCountDto[];
}

/** How often operations failed. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster/fail-counts')
export class FailCountsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly writes: ClusterWrites,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listFailCounts',
    summary: 'List how often operations failed, by resource, node and operation',
    description: 'As the scheduler counts them, with the time of the last failure; `INFINITY` where one failure was enough.',
  })
  @ApiOkResponse({ type: FailCountListDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async list(
    @Param('cluster') cluster: string,
    @Query() query: FailCountsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FailCountListDto> {
    const { id } = await this.lookup.find(cluster);
    const { state, now } = await this.history.asked(id, query);
    tagBy(response, epochVersion(state));
    return { items: failCountsIn(state, now * 1_000).filter((count) => isAsked(count, query)) };
  }

  @Delete()
  @Write({
    operationId: 'clearFailCounts',
    summary: 'Forget failures, so that what failed is probed again where it failed',
    description: 'The same as a cleanup. What has not failed is left alone.',
  })
  async clear(
    @Param('cluster') cluster: string,
    @Query() { resource, node, operation, intervalMs, reason, ...query }: ClearFailCountsQuery,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({
      ...{ clusterId, query, ...asking },
      command: {
        type: 'clean-up-resource',
        ...(resource === undefined ? {} : { resource }),
        ...(node === undefined ? {} : { node }),
        ...(operation === undefined ? {} : { operation }),
        ...(intervalMs === undefined ? {} : { intervalMs }),
        ...(reason === undefined ? {} : { reason }),
      },
      places: { '/resource': { parameter: 'resource' }, '/node': { parameter: 'node' } },
    });
  }
}

function isAsked(count: FailCountDto, { resource, node, operation, intervalMs }: FailCountsQuery): boolean {
  return (
    (resource === undefined || count.resource === resource || primitiveIdOf(count.resource) === resource) &&
    (node === undefined || count.node === node) &&
    (operation === undefined || count.operation === operation) &&
    (intervalMs === undefined || count.intervalMs === intervalMs)
  );
}
