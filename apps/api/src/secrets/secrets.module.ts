import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { SecretsController } from './secrets.controller.js';

/** Values of parameters that are kept apart from the configuration. */
@Module({
  imports: [ReadsModule],
  controllers: [SecretsController],
})
export class SecretsModule {}
