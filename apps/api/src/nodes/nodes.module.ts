import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { NodeAttributesController } from './node-attributes.controller.js';
import { NodeCommandsController } from './node-commands.controller.js';
import { NodeRemovalController } from './node-removal.controller.js';

/** Nodes, and commands on them. */
@Module({
  imports: [ReadsModule, WritesModule],
  controllers: [NodeCommandsController, NodeAttributesController, NodeRemovalController],
})
export class NodesModule {}
