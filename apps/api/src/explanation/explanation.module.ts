import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { ExplanationController } from './explanation.controller.js';

/** Why something is where it is. */
@Module({
  imports: [ReadsModule, SchedulingModule],
  controllers: [ExplanationController],
})
export class ExplanationModule {}
