import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { ReadsModule } from '../reads/reads.module.js';
import { HealthController } from './health.controller.js';

/** Whether this api can serve, for orchestrators. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false }), ReadsModule],
  controllers: [HealthController],
})
export class HealthModule {}
