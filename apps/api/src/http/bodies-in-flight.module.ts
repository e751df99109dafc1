import { Module } from '@nestjs/common';
import { BodiesInFlight } from './bodies-in-flight.js';

/** The room that bodies of requests take. */
@Module({
  providers: [BodiesInFlight],
  exports: [BodiesInFlight],
})
export class BodiesInFlightModule {}
