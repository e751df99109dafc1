import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { AlertsController } from './alerts.controller.js';

/** Runs of the programs of alerts, and tests of them. */
@Module({
  imports: [ReadsModule],
  controllers: [AlertsController],
})
export class AlertsModule {}
