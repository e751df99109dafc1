import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { ClearSecrets } from './clear-secrets.js';
import { ErasedReferences } from './erased-references.js';
import { SecretsController } from './secrets.controller.js';

/** Values of parameters that are kept apart from the configuration. */
@Module({
  imports: [ReadsModule],
  controllers: [SecretsController],
  providers: [ClearSecrets, ErasedReferences],
  exports: [ClearSecrets, ErasedReferences],
})
export class SecretsModule {}
