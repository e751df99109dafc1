import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** What Nest itself has to say, in the server's log. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...more: readonly unknown[]): void {
    // That the server could not listen is thrown as well: whoever starts it says so.
    if (more.at(-1) === 'NestApplication') return;
    this.logger.error({ more }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }
}
