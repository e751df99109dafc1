import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { ResilienceController } from './resilience.controller.js';

/** What a cluster can lose. */
@Module({
  imports: [ReadsModule, SchedulingModule],
  controllers: [ResilienceController],
})
export class ResilienceModule {}
