import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { CibController } from './cib.controller.js';
import { DiffController } from './diff.controller.js';
import { RestoreController } from './restore.controller.js';

/** The whole CIB, and earlier ones. */
@Module({
  imports: [ReadsModule, SchedulingModule, WritesModule],
  controllers: [CibController, RestoreController, DiffController],
})
export class CibModule {}
