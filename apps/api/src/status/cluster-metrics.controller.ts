import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { FlagParameter } from '../http/fields.js';
import { ApiProblems } from '../openapi/responses.js';
import { StatusView } from './status-view.js';
import { clusterSeries } from './cluster-series.js';
import { PROMETHEUS_TEXT } from '../metrics/http-metrics.js';

export class ClusterMetricsQuery {
  @FlagParameter({
    description: 'Also a series for each node, and one for each resource and node where it is active: as many as the cluster is large.',
    optional: true,
  })
  readonly named?: boolean;
}

/** How one cluster is, for Prometheus. */
@ApiTags('status')
@Controller('v1/clusters/:cluster/metrics')
export class ClusterMetricsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly view: StatusView,
  ) {}

  @Get()
  @Header('content-type', PROMETHEUS_TEXT)
  @ApiOperation({
    operationId: 'getClusterMetrics',
    summary: 'Get metrics of one cluster, for Prometheus',
    description:
      'What its status says, in numbers: health, quorum, nodes by state, resources by role, fail counts, fencing, in the text format 0.0.4. Made of the same answer as the status, so that it costs nothing besides where somebody looks at that at about the same time.',
  })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @ApiProblems(400, 404)
  async get(@Param('cluster') cluster: string, @Query() { named = false }: ClusterMetricsQuery): Promise<string> {
    const { id } = await this.lookup.find(cluster);
    const { value } = await this.view.present(id);
    return clusterSeries(value.status, { named });
  }
}
