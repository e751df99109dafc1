import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { EventsController } from './events.controller.js';
import { StreamPlaces } from './stream-places.js';

/** The event log of a cluster: queries, exports, streams. */
@Module({
  imports: [ReadsModule],
  controllers: [EventsController],
  providers: [StreamPlaces],
  exports: [StreamPlaces],
})
export class EventsModule {}
