import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { missingText } from '@systole/event-store';
import { missingSchema } from '@systole/migrations';
import { DeadlineExceeded, within } from '@systole/queue';
import { AccessTokens, TokensLost } from '@systole/access';
import { behindText, webhookLag } from '@systole/webhooks';
import type { Pool } from 'pg';
import type { AdvanceFailures } from '@systole/control-plane';
import { ADVANCE_FAILURES, DATABASE, OPERATORS_API } from '../api-settings.js';
import { blindText, noWorkerText } from '../status/troubles.js';
import { UnlistedClusters } from '../reads/unlisted-clusters.js';
import { LogWatch, unwritableText } from '../watches/log-watch.js';
import { QueueWatch, type KnownQueue } from '../watches/queue-watch.js';
import { WorkerWatch } from '../watches/worker-watch.js';
import type { OperatorsApi } from '../front/operators-api.js';
import { OPERATORS_AWAY } from '../front/operators-away.js';
import { ApiProblems } from '../openapi/responses.js';

/**
 * Degraded is ready: agents must be able to renew their leases while the queue is away, or before operators can be served, so no load balancer may cut them off for it.
 */
interface Readiness {
  readonly status: 'ok' | 'degraded';
  /** By what is needed. */
  readonly details: Readonly<Record<string, object>>;
}

const READINESS = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok', 'degraded'] }, details: { type: 'object' } },
  required: ['status', 'details'],
};

/** Whoever asks whether this process is well waits no longer, ms: less than the second that load balancers and orchestrators commonly have patience for. */
const ANSWERED_WITHIN_MS = 800;

/** A database that answered so short a time ago, ms, to whoever looks every second whether workers are there, is there. */
const ANSWERS_OTHERS_MS = 3_000;

/** What readiness asks the database. */
interface InDatabase {
  /** Why nothing can be served. */
  readonly trouble?: string;
  readonly stuckClusters: number;
  /** Clusters that the list lacks, in words. */
  readonly lost: string | undefined;
  readonly tokensLost: boolean;
  /** Webhooks that are far behind the log, in words. */
  readonly behind: string | undefined;
}
/** For how long what the database said last stands for what it says, ms. */
const NEWS_MS = 10_000;
const NOTHING_SAID: InDatabase = { stuckClusters: 0, lost: undefined, tokensLost: false, behind: undefined };

/** For orchestrators: is the process alive, and can it serve? */
@ApiTags('health')
@Controller('health')
export class HealthController {
  #said: { readonly answer: InDatabase; readonly at: number } | undefined;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(DATABASE) private readonly pool: Pool,
    private readonly queueWatch: QueueWatch,
    @Inject(ADVANCE_FAILURES) private readonly failures: AdvanceFailures,
    private readonly watch: WorkerWatch,
    private readonly logWatch: LogWatch,
    private readonly unlisted: UnlistedClusters,
    private readonly accessTokens: AccessTokens,
    @Inject(OPERATORS_API) private readonly operators: OperatorsApi | null,
  ) {}

  @Get('live')
  @ApiOperation({
    operationId: 'live',
    summary: 'The process runs',
    description: 'For whoever starts it anew when it does not answer. Says nothing of database or queue.',
  })
  @ApiOkResponse({ schema: { type: 'object', properties: { status: { type: 'string', enum: ['ok'] } }, required: ['status'] } })
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'ready',
    summary: 'Agents can be served: database and its schema are there',
    description:
      'For whoever sends agents here; whoever sends operators asks `/health/ready/operators`. Degraded without the queue (agents and operators are served and nothing is lost, but what follows from it waits) while clusters can not be planned, while events can not be stored, while the list of clusters lacks some that the event log has, while tokens were lost (agents and operators are told to try again), while no worker is there, while webhooks are more than five minutes behind the log, and while the thread that serves operators is being started or says nothing. `details` says what is impaired.',
  })
  @ApiOkResponse({ schema: READINESS })
  @ApiProblems(503)
  async ready(): Promise<Readiness> {
    const { stuckClusters, lost, tokensLost, behind, ...database } = await this.#database();
    const { details } = await this.health.check([() => this.#verdict(database)]);
    const tokens = tokensLost ? { status: 'down', message: new TokensLost().message } : { status: 'up' };
    const clusters = lost === undefined ? { status: 'up' } : { status: 'down', message: lost };
    const webhooks = behind === undefined ? { status: 'up' } : { status: 'down', message: behind };
    const planning = { status: stuckClusters === 0 ? 'up' : 'down', stuckClusters };
    const queue = this.queueWatch.known;
    const queued =
      queue.status === 'up'
        ? { status: queue.status, backend: queue.backend, jobs: queue.jobs, ageMs: queue.ageMs }
        : { status: queue.status, backend: queue.backend, message: queueText(queue) };
    const unserved = this.operators?.trouble;
    const operators = unserved === undefined ? { status: 'up' } : { status: 'down', message: unserved };
    const serving = this.operators === null ? {} : { operators };
    const silentForMs = this.watch.silentForMs();
    const blindForMs = this.watch.blindForMs();
    const unwatched = silentForMs === undefined ? blindForMs && blindText(blindForMs, this.watch.blindBecause) : noWorkerText(silentForMs);
    const workers = unwatched === undefined ? { status: 'up' } : { status: 'down', message: unwatched };
    const unwritable = this.logWatch.trouble;
    const log = unwritable === undefined ? { status: 'up' } : { status: 'down', message: unwritableText(unwritable) };
    const well = [queued, clusters, tokens, planning, workers, operators, log, webhooks].every(({ status }) => status === 'up');
    return {
      status: well ? 'ok' : 'degraded',
      details: { ...details, queue: queued, log, planning, clusters, tokens, workers, webhooks, ...serving },
    };
  }

  @Get('ready/operators')
  @ApiOperation({
    operationId: 'readyForOperators',
    summary: 'Operators can be served, too',
    description:
      'For whoever sends operators here: as `/health/ready`, and 503 besides as long as no thread serves operators (at the start of the api, and when that thread ended). Agents are served all the same. A thread that is there and says nothing is `degraded` only: it may be at a large document.',
  })
  @ApiOkResponse({ schema: READINESS })
  @ApiProblems(503)
  async readyForOperators(): Promise<Readiness> {
    if (this.operators?.isReady === false) throw OPERATORS_AWAY;
    return this.ready();
  }

  /** What the database says; where it takes long, as on a machine that has much to do, what it said last, as long as it is known to answer others. */
  async #database(): Promise<InDatabase> {
    try {
      const answer = await within(ANSWERED_WITHIN_MS, this.#ask());
      this.#said = { answer, at: performance.now() };
      return answer;
    } catch (error) {
      const known = this.#said !== undefined && performance.now() - this.#said.at <= NEWS_MS ? this.#said.answer : undefined;
      if (error instanceof DeadlineExceeded && known !== undefined && this.watch.sinceLookMs <= ANSWERS_OTHERS_MS) return known;
      return { ...NOTHING_SAID, trouble: error instanceof Error ? error.message : String(error) };
    }
  }

  async #ask(): Promise<InDatabase> {
    const missing = await missingSchema(this.pool);
    if (missing !== undefined) return { ...NOTHING_SAID, trouble: missingText(missing) };
    const [stuck, lost, tokensLost, lag] = await Promise.all([
      this.failures.all(),
      this.unlisted.text(),
      this.accessTokens.areLost(),
      webhookLag(this.pool),
    ]);
    return { stuckClusters: stuck.length, lost, tokensLost, behind: behindText(lag) };
  }

  #verdict({ trouble }: Pick<InDatabase, 'trouble'>): HealthIndicatorResult {
    const check = this.indicators.check('database');
    return trouble === undefined ? check.up() : check.down(trouble);
  }
}

function queueText({ backend, error, refusesWrites, silentForMs }: Extract<KnownQueue, { status: 'down' }>): string {
  const place = backend === 'redis' ? 'Redis' : 'The work queue in PostgreSQL';
  if (refusesWrites === true)
    return `${place} takes no writes: ${error}; of no use for ${String(Math.floor(silentForMs / 1_000))} s; going on without it`;
  return `${place} can't be reached: ${error}; silent for ${String(Math.floor(silentForMs / 1_000))} s; going on without it`;
}
