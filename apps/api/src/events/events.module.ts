import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { AllEventsController } from './all-events.controller.js';
import { EventsController } from './events.controller.js';
import { StreamPlaces } from './stream-places.js';

/** The event log: queries, exports, streams. */
@Module({
  imports: [ReadsModule],
  controllers: [EventsController, AllEventsController],
  providers: [StreamPlaces],
  exports: [StreamPlaces],
})
export class EventsModule {}
