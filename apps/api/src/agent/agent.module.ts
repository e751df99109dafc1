import { Module } from '@nestjs/common';
import { BodiesInFlightModule } from '../http/bodies-in-flight.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { StatusModule } from '../status/status.module.js';
import { AgentAlertsController } from './agent-alerts.controller.js';
import { AgentFencingController } from './agent-fencing.controller.js';
import { AgentGuestsController } from './agent-guests.controller.js';
import { AgentInventoryController } from './agent-inventory.controller.js';
import { AgentTransientController } from './agent-transient.controller.js';
import { AgentController } from './agent.controller.js';

/** The protocol of the node agents. */
@Module({
  imports: [BodiesInFlightModule, ReadsModule, SchedulingModule, StatusModule],
  controllers: [
    AgentController,
    AgentInventoryController,
    AgentTransientController,
    AgentAlertsController,
    AgentGuestsController,
    AgentFencingController,
  ],
})
export class AgentModule {}
