import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { ClusterCommandsController } from './cluster-commands.controller.js';
import { ClustersController } from './clusters.controller.js';

/** Clusters, and commands on one as a whole. */
@Module({
  imports: [ReadsModule, WritesModule],
  controllers: [ClustersController, ClusterCommandsController],
})
export class ClustersModule {}
