import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { WebhooksController } from './webhooks.controller.js';

/** Whom events are sent to. */
@Module({
  imports: [ReadsModule],
  controllers: [WebhooksController],
})
export class WebhooksModule {}
