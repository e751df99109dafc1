import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { AllEventsController } from './all-events.controller.js';
import { AuditController } from './audit.controller.js';

/** Who did what, on the server and anywhere, as a list and as a stream. */
@Module({
  imports: [EventsModule, ReadsModule],
  controllers: [AuditController, AllEventsController],
})
export class AuditModule {}
