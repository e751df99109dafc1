import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own messages, as lines of the worker's log. */
export class NestLog implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.pino.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.pino.warn({ context }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    this.pino.error({ details }, String(message));
  }
}
