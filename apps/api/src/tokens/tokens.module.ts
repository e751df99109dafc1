import { Module } from '@nestjs/common';
import { ReadsModule } from '../reads/reads.module.js';
import { TokensController } from './tokens.controller.js';

/** Tokens of operators and agents. */
@Module({
  imports: [ReadsModule],
  controllers: [TokensController],
})
export class TokensModule {}
