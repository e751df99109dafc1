import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { missingText } from '@systole/event-store';
import { TABLES } from '@systole/migrations';
import { LateQueues, within, type QueueBackend } from '@systole/queue';
import { AccessTokens, TokensLost } from '@systole/access';
import type { Pool } from 'pg';
import { ForEveryone } from '../access/access.guard.js';
import type { AdvanceFailures } from '@systole/control-plane';
import { ADVANCE_FAILURES, DATABASE, OPERATORS_API } from '../api-settings.js';
import { blindText, noWorkerText } from '../status/troubles.js';
import { UnlistedClusters } from '../clusters/unlisted-clusters.js';
import { LogWatch, unwritableText } from '../status/log-watch.js';
import { WorkerWatch } from '../status/worker-watch.js';
import type { OperatorsApi } from '../front/operators-api.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';

/**
 * Degraded is ready: agents must be able to renew their leases while the queue is away, so no load balancer may cut them off for it.
 */
interface Readiness {
  readonly status: 'ok' | 'degraded';
  /** By what is needed. */
  readonly details: Readonly<Record<string, object>>;
}

/** $1 names. */
const MISSING_TABLES = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL';

/** Whoever asks whether this process is well waits no longer, ms. */
const ANSWERED_WITHIN_MS = 2_000;

/** For orchestrators: is the process alive, and can it serve? */
@ApiTags('health')
@ForEveryone()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(DATABASE) private readonly pool: Pool,
    private readonly queues: LateQueues,
    @Inject(ADVANCE_FAILURES) private readonly failures: AdvanceFailures,
    private readonly watch: WorkerWatch,
    private readonly logWatch: LogWatch,
    private readonly unlisted: UnlistedClusters,
    private readonly accessTokens: AccessTokens,
    @Inject(OPERATORS_API) private readonly operators: OperatorsApi | null,
  ) {}

  @Get('live')
  @ApiOperation({ operationId: 'live', summary: 'The process runs' })
  @ApiOkResponse({ schema: { type: 'object', properties: { status: { type: 'string', enum: ['ok'] } }, required: ['status'] } })
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'ready',
    summary: 'Requests can be served: database and its schema are there',
    description:
      'Degraded without the queue (agents and operators are served and nothing is lost, but what follows from it waits) while clusters can not be planned, while events can not be stored, while the list of clusters lacks some that the event log has, while tokens were lost (agents and operators are told to try again), while no worker is there, and while the thread that serves operators is being started or says nothing. `details` says what is impaired.',
  })
  @ApiOkResponse({
    schema: {
      type: 'object',
      properties: { status: { type: 'string', enum: ['ok', 'degraded'] }, details: { type: 'object' } },
      required: ['status', 'details'],
    },
  })
  @ApiProblems(503)
  async ready(): Promise<Readiness> {
    const [{ details }, queue] = await Promise.all([this.health.check([() => this.#database()]), this.queues.health()]);
    const asked = Promise.all([this.failures.all(), this.unlisted.text(), this.accessTokens.areLost()]);
    const [stuck, lost, tokensLost] = await within(ANSWERED_WITHIN_MS, asked).catch(unreadable);
    const tokens = tokensLost ? { status: 'down', message: new TokensLost().message } : { status: 'up' };
    const clusters = lost === undefined ? { status: 'up' } : { status: 'down', message: lost };
    const planning = { status: stuck.length === 0 ? 'up' : 'down', stuckClusters: stuck.length };
    const queued =
      queue.status === 'up'
        ? { status: queue.status, backend: queue.backend, jobs: queue.jobs }
        : { status: queue.status, backend: queue.backend, message: queueText(queue.backend, queue.error) };
    const unserved = this.operators?.trouble;
    const operators = unserved === undefined ? { status: 'up' } : { status: 'down', message: unserved };
    const serving = this.operators === null ? {} : { operators };
    const silentForMs = this.watch.silentForMs();
    const blindForMs = this.watch.blindForMs();
    const unwatched = silentForMs === undefined ? blindForMs && blindText(blindForMs, this.watch.blindBecause) : noWorkerText(silentForMs);
    const workers = unwatched === undefined ? { status: 'up' } : { status: 'down', message: unwatched };
    const unwritable = this.logWatch.trouble;
    const log = unwritable === undefined ? { status: 'up' } : { status: 'down', message: unwritableText(unwritable) };
    const well = [queued, clusters, tokens, planning, workers, operators, log].every(({ status }) => status === 'up');
    return {
      status: well ? 'ok' : 'degraded',
      details: { ...details, queue: queued, log, planning, clusters, tokens, workers, ...serving },
    };
  }

  async #database(): Promise<HealthIndicatorResult> {
    const check = this.indicators.check('database');
    try {
      const { rows } = await within(ANSWERED_WITHIN_MS, this.pool.query<{ name: string }>(MISSING_TABLES, [TABLES]));
      return rows.length === 0 ? check.up() : check.down(missingText(rows.map(({ name }) => name)));
    } catch (error) {
      return check.down(error instanceof Error ? error.message : String(error));
    }
  }
}

/** @throws {HttpProblem} 503, as the database that answered a moment ago does not any more */
function unreadable(error: unknown): never {
  throw new HttpProblem(503, 'not-ready', `the database does not answer: ${error instanceof Error ? error.message : String(error)}`);
}

function queueText(backend: QueueBackend['backend'], error: string): string {
  const place = backend === 'redis' ? 'Redis' : 'The work queue in PostgreSQL';
  return `${place} can't be reached: ${error}; going on without it`;
}
