import { Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';

/** Figures of this process, for Prometheus. */
@Module({
  controllers: [MetricsController],
})
export class MetricsModule {}
