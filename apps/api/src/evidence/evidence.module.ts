import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { EvidenceController } from './evidence.controller.js';

/** What proves that the log is as it was. */
@Module({
  imports: [EventsModule, ReadsModule],
  controllers: [EvidenceController],
})
export class EvidenceModule {}
