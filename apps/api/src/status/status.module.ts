import { Module } from '@nestjs/common';
import { FrontModule } from '../front/front.module.js';
import { MetadataModule } from '../metadata/metadata.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { ClusterMetricsController } from './cluster-metrics.controller.js';
import { FencingAnswers } from './fencing-answers.js';
import { FencingHistory } from './fencing-history.js';
import { FencingController } from './fencing.controller.js';
import { LostTail } from './lost-tail.js';
import { MonitorView } from './monitor-view.js';
import { NodeModes } from './node-modes.js';
import { RunningTransition } from './running-transition.js';
import { StatusView } from './status-view.js';
import { StatusController } from './status.controller.js';
import { TransitionSteps } from './transition-steps.js';

/** What is so now. */
@Module({
  imports: [FrontModule, MetadataModule, ReadsModule, SchedulingModule],
  controllers: [StatusController, FencingController, ClusterMetricsController],
  providers: [FencingAnswers, FencingHistory, LostTail, MonitorView, NodeModes, RunningTransition, StatusView, TransitionSteps],
  exports: [FencingAnswers, StatusView, TransitionSteps],
})
export class StatusModule {}
