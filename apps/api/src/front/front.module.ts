import { Module } from '@nestjs/common';
import { FrontKeeps } from './front-keeps.js';

/** What handlers tell the front. */
@Module({
  providers: [FrontKeeps],
  exports: [FrontKeeps],
})
export class FrontModule {}
