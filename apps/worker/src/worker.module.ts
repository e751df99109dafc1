import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import type { WorkerConfig } from './worker-config.js';
import { WorkerProcess } from './worker-process.js';

/** The worker as a Nest module: one provider, which starts and stops everything in the right order. */
@Module({})
export class WorkerModule {
  static with(config: WorkerConfig, log: Logger): DynamicModule {
    return {
      module: WorkerModule,
      providers: [{ provide: WorkerProcess, useFactory: () => WorkerProcess.start(config, log) }],
    };
  }
}
