import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { AgentsController } from './agents.controller.js';
import { MetadataController } from './metadata.controller.js';
import { NodeAgents } from './node-agents.js';

/** What may stand in a configuration, and which agents the nodes have. */
@Module({
  imports: [ReadsModule],
  controllers: [MetadataController, AgentsController],
  providers: [NodeAgents],
  exports: [NodeAgents],
})
export class MetadataModule {}
