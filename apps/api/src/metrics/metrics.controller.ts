import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OPERATORS_API, OTHER_METRICS } from '../api-settings.js';
import type { OperatorsApi } from '../front/operators-api.js';
import { HttpMetrics, PROMETHEUS_TEXT, type MetricValues } from './http-metrics.js';

/** For Prometheus. */
@ApiTags('health')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: HttpMetrics,
    @Inject(OPERATORS_API) private readonly operators: OperatorsApi | null,
    @Inject(OTHER_METRICS) private readonly otherMetrics: (() => Promise<MetricValues>) | null,
  ) {}

  @Get()
  @Header('content-type', PROMETHEUS_TEXT)
  @ApiOperation({
    operationId: 'metrics',
    summary: 'Metrics of this process, for Prometheus',
    description: 'In the text format 0.0.4. Needs no token: it names no cluster’s secrets; keep it off public networks all the same.',
  })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  async get(): Promise<string> {
    const others = await Promise.all([this.operators?.metrics(), this.otherMetrics?.()]);
    return this.metrics.text(others.filter((values) => values !== undefined));
  }
}
