import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { FailCountsController } from './fail-counts.controller.js';
import { ResourceCommandsController } from './resource-commands.controller.js';
import { ResourceDebuggingController } from './resource-debugging.controller.js';
import { ResourceHistoryController } from './resource-history.controller.js';
import { ResourceModesController } from './resource-modes.controller.js';
import { ResourcePlacementController } from './resource-placement.controller.js';
import { ResourceRelocationController } from './resource-relocation.controller.js';
import { ResourceRestart } from './resource-restart.js';
import { ResourceRestartController } from './resource-restart.controller.js';

/** Commands on resources, and their histories. */
@Module({
  imports: [ReadsModule, SchedulingModule, WritesModule],
  controllers: [
    ResourceCommandsController,
    ResourceModesController,
    ResourcePlacementController,
    ResourceRestartController,
    ResourceDebuggingController,
    ResourceRelocationController,
    FailCountsController,
    ResourceHistoryController,
  ],
  providers: [ResourceRestart],
})
export class ResourcesModule {}
