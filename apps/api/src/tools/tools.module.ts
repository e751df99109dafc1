import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { ToolRequestsController } from './tool-requests.controller.js';

/** What nodes' tools ask for. */
@Module({
  imports: [ReadsModule, WritesModule],
  controllers: [ToolRequestsController],
})
export class ToolsModule {}
