import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { AuditController } from './audit.controller.js';

/** Who did what. */
@Module({
  imports: [EventsModule],
  controllers: [AuditController],
})
export class AuditModule {}
