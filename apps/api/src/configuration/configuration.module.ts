import { Module } from '@nestjs/common';
import { FrontModule } from '../front/front.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { WritesModule } from '../writes/writes.module.js';
import { BatchController } from './batch.controller.js';
import { ConfigurationReads } from './configuration-reads.js';
import { ConfigurationWrites } from './configuration-writes.js';
import { ElementsController } from './elements.controller.js';
import { SETTINGS_CONTROLLERS } from './settings.controllers.js';
import { WholeConfigurationController } from './whole-configuration.controller.js';

/** The configuration, element by element. */
@Module({
  imports: [FrontModule, ReadsModule, WritesModule],
  controllers: [BatchController, WholeConfigurationController, ...SETTINGS_CONTROLLERS, ElementsController],
  providers: [ConfigurationReads, ConfigurationWrites],
})
export class ConfigurationModule {}
