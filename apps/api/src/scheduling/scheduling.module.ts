import { Module } from '@nestjs/common';
import { DocumentTexts } from './document-texts.js';
import { SchedulePreview } from './schedule-preview.js';

/** Plans computed off the event loop, and CIBs as texts. */
@Module({
  providers: [DocumentTexts, SchedulePreview],
  exports: [DocumentTexts, SchedulePreview],
})
export class SchedulingModule {}
