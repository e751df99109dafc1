import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { StatusModule } from '../status/status.module.js';
import { ClusterMetricsController } from './cluster-metrics.controller.js';
import { MetricsController } from './metrics.controller.js';

/** For Prometheus. */
@Module({
  imports: [ReadsModule, StatusModule],
  controllers: [ClusterMetricsController, MetricsController],
})
export class MetricsModule {}
