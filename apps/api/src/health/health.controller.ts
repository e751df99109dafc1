import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult, type HealthIndicatorResult } from '@nestjs/terminus';
import { Queues } from '@systole/queue';
import type { Pool } from 'pg';
import { ForEveryone } from '../access/access.guard.js';
import { DATABASE } from '../api-settings.js';
import { ApiProblems } from '../openapi/responses.js';

/** For orchestrators: is the process alive, and can it serve? */
@ApiTags('health')
@ForEveryone()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(DATABASE) private readonly pool: Pool,
    private readonly queues: Queues,
  ) {}

  @Get('live')
  @ApiOperation({ operationId: 'live', summary: 'The process runs' })
  @ApiOkResponse({ schema: { type: 'object', properties: { status: { type: 'string', enum: ['ok'] } }, required: ['status'] } })
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ operationId: 'ready', summary: 'Requests can be served: database, its schema, queue' })
  @ApiOkResponse({ schema: { type: 'object', properties: { status: { type: 'string', enum: ['ok'] }, details: { type: 'object' } } } })
  @ApiProblems(503)
  async ready(): Promise<HealthCheckResult> {
    return this.health.check([() => this.#database(), () => this.#queue()]);
  }

  async #database(): Promise<HealthIndicatorResult> {
    const check = this.indicators.check('database');
    try {
      const { rows } = await this.pool.query<{ events: boolean; tables: boolean }>(
        `SELECT to_regclass('events') IS NOT NULL AS events, to_regclass('idempotency_keys') IS NOT NULL AS tables`,
      );
      const migrated = rows[0]?.events === true && rows[0].tables;
      return migrated ? check.up() : check.down('the migrations did not run');
    } catch (error) {
      return check.down(error instanceof Error ? error.message : String(error));
    }
  }

  /** Requests can be served while the queue is away (nothing is lost), but nothing would follow from them. */
  async #queue(): Promise<HealthIndicatorResult> {
    const check = this.indicators.check('queue');
    const state = await this.queues.health();
    return state.status === 'up' ? check.up({ backend: state.backend, jobs: state.jobs }) : check.down(state.error);
  }
}
