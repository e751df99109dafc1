import { Controller, Delete, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { OperatorPrincipal } from '@systole/access';
import type { Request, Response } from 'express';
import { Operator } from '../access/access.guard.js';
import { ClusterLookup } from '../clusters/cluster-lookup.js';
import { FlagParameter } from '../http/fields.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency.interceptor.js';
import { ApiIfMatch } from '../openapi/headers.js';
import { ApiProblems } from '../openapi/responses.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { ClearQuery } from './node-attributes.dto.js';

export class RemoveNodeQuery extends ClearQuery {
  @FlagParameter({ description: 'Take along the location constraints and fencing levels that name the node alone.', optional: true })
  readonly cascade?: boolean;
}

/** Taking nodes out of a cluster. */
@ApiTags('nodes')
@Controller('v1/clusters/:cluster/nodes/:node')
export class NodeRemovalController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
  ) {}

  @Delete()
  @ApiOperation({
    operationId: 'removeNode',
    summary: 'Take a node out of the configuration, with its attributes',
    description:
      'Refused while it may run something, and while anything names it, unless `cascade=true`. Should its agent join again, it is a node of the cluster again: revoke its token.',
  })
  @ApiIfMatch()
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: WriteResultDto })
  @ApiProblems(400, 404, 409, 412, 422)
  async remove(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() { cascade, reason, ...query }: RemoveNodeQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({
      ...{ clusterId, operator, query, request, response },
      command: {
        ...{ type: 'remove-node', node },
        ...(cascade === undefined ? {} : { cascade }),
        ...(reason === undefined ? {} : { reason }),
      },
      places: { '/node': { parameter: 'node' } },
    });
  }
}
