import { Controller, Delete, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { FlagParameter } from '../http/fields.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
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
  @Write({
    operationId: 'removeNode',
    summary: 'Take a node out of the configuration, with its attributes',
    description:
      'Refused while it may run something, and while anything names it, unless `cascade=true`. Should its agent join again, it is a node of the cluster again: revoke its token.',
  })
  async remove(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() { cascade, reason, ...query }: RemoveNodeQuery,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({
      ...{ clusterId, query, ...asking },
      command: {
        ...{ type: 'remove-node', node },
        ...(cascade === undefined ? {} : { cascade }),
        ...(reason === undefined ? {} : { reason }),
      },
      places: { '/node': { parameter: 'node' } },
    });
  }
}
