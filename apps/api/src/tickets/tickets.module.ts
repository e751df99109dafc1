import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { TicketsController } from './tickets.controller.js';

/** Tickets of sites. */
@Module({
  imports: [ReadsModule, WritesModule],
  controllers: [TicketsController],
})
export class TicketsModule {}
