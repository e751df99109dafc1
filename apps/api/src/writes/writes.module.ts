import { Module } from '@nestjs/common';
import { MetadataModule } from '../metadata/metadata.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { StatusModule } from '../status/status.module.js';
import { ClusterWrites } from './cluster-writes.js';
import { DebugOutcome } from './debug-outcome.js';
import { OthersAffected } from './others-affected.js';
import { Settling } from './settling.js';

/** What every write of operators goes through, and what it waits for. */
@Module({
  imports: [MetadataModule, ReadsModule, SchedulingModule, StatusModule],
  providers: [ClusterWrites, DebugOutcome, OthersAffected, Settling],
  exports: [ClusterWrites, DebugOutcome, Settling],
})
export class WritesModule {}
