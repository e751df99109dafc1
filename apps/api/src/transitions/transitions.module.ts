import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { StatusModule } from '../status/status.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { TransitionCommandsController } from './transition-commands.controller.js';
import { TransitionsController } from './transitions.controller.js';

/** What was planned, and how it ended. */
@Module({
  imports: [ReadsModule, SchedulingModule, StatusModule, WritesModule],
  controllers: [TransitionsController, TransitionCommandsController],
})
export class TransitionsModule {}
