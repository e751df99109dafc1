import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { SimulateController } from './simulate.controller.js';
import { WhatIfController } from './what-if.controller.js';

/** Plans for what is not so. */
@Module({
  imports: [ReadsModule, SchedulingModule],
  controllers: [SimulateController, WhatIfController],
})
export class SimulateModule {}
