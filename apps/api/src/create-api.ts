import { AlertWaits } from './agent/alert-waits.js';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ExpressAdapter, NestExpressApplication } from '@nestjs/platform-express';
import type { ClusterEvent } from '@systole/cluster';
import { AgentSessions, Elapsed, GuestTokens, Heartbeat, repeat, ServiceLapses, type DispatchSignals } from '@systole/control-plane';
import {
  AgentCatalog,
  AlertRuns,
  KeptInstallation,
  NO_KEYS,
  readMasterKeys,
  openInstallation,
  PostgresDispatchSignals,
  postgresPorts,
  SYSTEM_CHANCE,
  SYSTEM_CLOCK,
  lockedWebhooks,
  webhookSecretBox,
  type StatesListener,
} from '@systole/control-plane-postgres';
import { beginWhenConnectionsAreFree, EventStore, EventTail, limitedPool, type LimitedPoolOptions } from '@systole/event-store';
import { migrate } from '@systole/migrations';
import { LateQueues, type QueueBackend } from '@systole/queue';
import { AccessTokens, AuditedProcess, AuditLog, IdempotencyKeys, OidcUsers, TokensLost } from '@systole/access';
import { ClusterCatalog, ClusterStates, letUnusedLeave } from '@systole/read-models';
import { AddressPolicy, dataSourceOn, Webhooks } from '@systole/webhooks';
import type { Pool } from 'pg';
import type { Request } from 'express';
import { pino, type Logger } from 'pino';
import { authentication, withoutToken } from './access/authentication.js';
import { OpenRequests } from './access/open-requests.js';
import { ClockWatch } from './status/clock-watch.js';
import { LogWatch } from './status/log-watch.js';
import { QueueWatch } from './status/queue-watch.js';
import { ElapsedTimes } from './status/elapsed-times.js';
import { WATCH_EVERY_MS, WorkerWatch } from './status/worker-watch.js';
import { RequestRates } from './access/request-rates.js';
import { DEFAULT_LEASE_MS, type ApiConfig } from './api-config.js';
import { DEFAULT_CONNECTIONS, sharesOf, type ConnectionShares } from './database-connections.js';
import type { ApiSettings } from './api-settings.js';
import { AgentController } from './agent/agent.controller.js';
import { agentDuties } from './agent/agent-duties.js';
import { NodeReportBudgets } from './agent/node-report-budgets.js';
import { ApiModule } from './api.module.js';
import { AuditEntries } from './audit/audit-entries.js';
import type { LoggedEvent } from './audit/logged-event.js';
import { RequestAudit } from './audit/request-audit.js';
import { shownSettings } from './audit/shown-settings.js';
import { ComputingLanes } from './computing/computing-lanes.js';
import { agentsElsewhere } from './front/agents-elsewhere.js';
import { forwarding, renewing } from './front/forwarding.js';
import { KeptAnswers } from './front/kept-answers.js';
import { OperatorsApi } from './front/operators-api.js';
import { serveKept } from './front/serve-kept.js';
import { BodiesInFlight } from './http/bodies-in-flight.js';
import { compressedAnswers } from './http/compressed-answers.js';
import { clearTargets } from './http/clear-targets.js';
import { crossOrigin } from './http/cross-origin.js';
import { keepConnections, limitConnections } from './http/connection-limits.js';
import { oneAtATime } from './http/one-at-a-time.js';
import { reasonOf } from './http/problem-of.js';
import { revalidateByTag } from './http/revalidation.js';
import { newRequestId, requestLogging } from './http/request-logging.js';
import { strictRouting } from './http/strict-routing.js';
import { securityHeaders, serveWebPages, withHeaders } from './http/web-pages.js';
import { StreamPlaces } from './events/stream-places.js';
import { ClusterSignals } from './lifecycle/cluster-signals.js';
import { NestLog } from './lifecycle/nest-log.js';
import { Shutdown } from './lifecycle/shutdown.js';
import { WorkerSignal } from './lifecycle/worker-signal.js';
import { HttpMetrics } from './metrics/http-metrics.js';
import { showOperatorsThread } from './metrics/operators-thread.js';
import { countAppends, countSessions } from './metrics/control-plane-metrics.js';
import { showClock } from './metrics/database-clock.js';
import { showEventLoop } from './metrics/event-loop.js';
import { showLog } from './metrics/log.js';
import { showDatabasePools } from './metrics/database-pools.js';
import { showStates } from './metrics/states.js';
import { showWorkers } from './metrics/workers.js';
import { stuckClustersGauge } from './metrics/stuck-clusters.js';
import { DEFAULT_LIMITS } from './request-limits.js';
import { ClientCertificates, type AgentCertificates } from './tls/client-certificates.js';
import { ServerTls } from './tls/server-tls.js';
import { LargeCommands } from './writes/large-commands.js';

/** A running API. */
export interface Api {
  readonly app: INestApplication;
  /** Base URL at which it listens, without a slash at the end. */
  readonly url: string;
  /** Answers what waits, stops listening, and lets go of everything. */
  close(): Promise<void>;
}

/** After which requests that are still being answered are cut off, ms. */
const CLOSE_WITHIN_MS = 5_000;
/** How long the start waits for the queue, ms. Without it everything is served; what follows from requests is found by the worker a little later. */
const QUEUE_WITHIN_MS = 3_000;
/** How long the end waits for the last entries of the audit, ms. */
const AUDIT_CLOSES_WITHIN_MS = 2_000;
/** How long a thread for operators waits at its start for connections to be free, ms. */
const THREAD_WAITS_MS = 45_000;
/** How often the thread for operators is told whether the front can store anything, ms. */
const TELL_OPERATORS_EVERY_MS = 250;
const FORGET_KEYS_EVERY_MS = 3_600_000;

/**
 * Starts an API: brings the schema up to date, opens what it needs, listens. At the very first start (no admin token in the database) an admin token is
 * made and given to `onAdminToken`.
 *
 * Where PostgreSQL has no connection free it is tried again for five minutes.
 *
 * @throws {LeftoverSchema} when a dump of an older version was restored over the database
 * @throws what `pg` says when the database can't be reached
 */
export async function createApi(config: ApiConfig): Promise<Api> {
  const log = pino({ name: 'systole-api', level: config.logLevel ?? 'info' });
  const begin = async (): Promise<Api> => {
    const closing: (() => Promise<void> | void)[] = [];
    const close = async (): Promise<void> => {
      for (const step of closing.splice(0).reverse()) await step();
    };
    try {
      return await start(config, log, closing, close);
    } catch (error) {
      await close();
      throw error;
    }
  };
  return beginWhenConnectionsAreFree(begin, {
    // The front takes a thread that says nothing for longer for one that hangs.
    ...(config.frontedAt === undefined ? {} : { forMs: THREAD_WAITS_MS }),
    tell: (reason) => {
      log.warn(reason);
    },
  });
}

async function start(config: ApiConfig, log: Logger, closing: (() => Promise<void> | void)[], close: () => Promise<void>): Promise<Api> {
  // Behind the front: it has done what is done once for the whole process.
  const behind = config.frontedAt !== undefined;
  if (!behind) await migrate(config.databaseUrl);
  const settings = settingsOf(config);
  const connecting = {
    pipeline: true,
    databaseUrl: config.databaseUrl,
    applicationName: 'systole-api',
    onLost: (reason: string) => {
      log.warn({ reason }, 'a connection to PostgreSQL was lost');
    },
  };
  const lapses = new ServiceLapses(SYSTEM_CLOCK);
  const shares = sharesOf(config.databaseConnections ?? DEFAULT_CONNECTIONS);
  const serving = {
    ...connecting,
    onRefused: () => {
      lapses.note();
    },
  };
  const pool = limitedPool({ ...serving, connections: poolSizeOf(config, shares) });
  // What waits for streams, or for the table of what is handed out, has connections of its own, and so holds up neither leases nor each other. Behind the front nobody has a lease to lose.
  const apart = (options: LimitedPoolOptions): Pool => (behind ? pool : limitedPool(options));
  // Leases that can be renewed are kept, whatever can be delivered; whoever has lost one can come back only where joins can be appended.
  const appends = apart({ ...serving, connections: shares.appends });
  const deliveries = apart({ ...connecting, connections: shares.deliveries });
  const looks = apart({ ...connecting, connections: shares.looks });
  const pools = new Set([pool, appends, deliveries, looks]);
  closing.push(async () => {
    await Promise.all([...pools].map((each) => each.end()));
  });
  const metrics = new HttpMetrics(!behind);
  const snapshots: Pick<StatesListener, 'onSnapshotRefused' | 'onSnapshotError'> = {
    onSnapshotRefused: (refused) => {
      metrics.snapshotRefused();
      log.error(refused, 'a snapshot is not what was recorded when it was taken: it is passed over');
    },
    onSnapshotError: (error) => {
      log.warn({ err: error }, 'a snapshot could not be saved');
    },
  };
  const store = new EventStore<ClusterEvent>(pool, {
    ...(config.states === undefined ? {} : { reports: config.states.appends }),
    appends,
    onSnapshotRefused: snapshots.onSnapshotRefused,
  });
  closing.push(() => store.close());
  const logged = new EventStore<LoggedEvent>(pool, { appends });
  closing.push(() => logged.close());
  const tail = new EventTail<LoggedEvent>(logged, {
    onTrouble: (error) => {
      log.warn({ err: error }, 'the newest events could not be read; it is tried again');
    },
  });
  closing.push(() => tail.close());
  const auditLog = new AuditLog(logged, {
    program: 'api',
    onTrouble: (error) => {
      log.warn({ err: error }, 'entries of the audit could not be appended; they are tried again');
    },
  });
  closing.push(() => auditLog.closeWithin(AUDIT_CLOSES_WITHIN_MS));
  let addressOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? '';
  const audit = new RequestAudit(auditLog, (request) => addressOf(request), log);
  const keepTo = (id: string): void => {
    for (const each of pools) new KeptInstallation(id, log).keep(each);
  };
  // The thread for operators begins anew whenever it ends: in whatever database is there then.
  if (config.installation !== undefined) keepTo(config.installation);
  const installation = await openInstallation(pool);
  if (config.installation === undefined) keepTo(installation.id);
  const backend = queueBackend(config, installation.id);
  const queues = new LateQueues(backend, {
    onBackendError: (error, suppressed) => {
      log.warn({ err: error, suppressed }, 'the queue is in trouble');
    },
  });
  closing.push(() => queues.close());
  await queues.opened(QUEUE_WITHIN_MS);
  const worker = new WorkerSignal(queues, log);

  const tokens = new AccessTokens(pool);
  const secret = behind ? undefined : await tokens.ensureAdmin(config.adminToken);
  if (secret !== undefined) (config.onAdminToken ?? printAdminToken)(secret);
  // Behind the front it is the same process.
  if (!behind) {
    const process = new AuditedProcess('api');
    process.started(auditLog, shownSettings(config));
    closing.push(() => {
      process.stopped(auditLog);
    });
  }
  if (!behind && (await tokens.areLost())) log.error(new TokensLost().message);
  const operators =
    config.operatorsApart === true ? await OperatorsApi.start({ ...config, installation: installation.id }, log) : undefined;
  if (operators !== undefined) closing.push(() => operators.close());

  const { states: shared } = config;
  if (shared !== undefined) closing.push(shared.hear({ ...snapshots, onLost: connecting.onLost, onRefused: serving.onRefused }));
  const states =
    shared?.states ??
    new ClusterStates(store, {
      ...(config.cachedStatesBytes === undefined ? {} : { cachedBytes: config.cachedStatesBytes }),
      // The worker, which reads the same events, saves them at half of that.
      snapshotEvery: 1_000,
      onSnapshotError: snapshots.onSnapshotError,
    });
  if (shared === undefined) closing.push(letUnusedLeave(states));
  const lanes = new ComputingLanes(settings.computing);
  const large = new LargeCommands(lanes.writes);
  const secretsSettings = {
    keys: config.secretsKeyFile === undefined ? NO_KEYS : await readMasterKeys(config.secretsKeyFile),
    patterns: config.secretParameters ?? [],
  };
  const ports = postgresPorts(pool, store, states, {
    by: 'api',
    report: log,
    appends,
    deliveries,
    looks,
    lapses,
    secrets: secretsSettings,
  });
  if (!behind) tellOfLocked((await ports.secrets.locked()) + (await lockedWebhooks(pool, secretsSettings.keys)), log);
  const { leases, failures, logWrites } = ports;
  closing.push(() => {
    logWrites.close();
  });
  const commands = ports.commands({ decide: large.decide, figures: countAppends(metrics) });
  const signals = behind ? NOTHING_HANDED_OUT : await dispatchSignals(pool, closing);
  const clusterSignals = await ClusterSignals.open(store);
  closing.push(() => {
    clusterSignals.close();
  });
  const keys = new IdempotencyKeys(pool);
  const agents = new AgentCatalog(pool);
  const alertRuns = new AlertRuns(pool);
  const alertWaits = new AlertWaits(alertRuns, (error) => {
    log.debug({ err: error }, 'it could not be looked whether agents have programs of alerts to run; it is tried again');
  });
  closing.push(() => alertWaits.close());
  const forgetOld = (): void => {
    void keys.forgetOld().catch(() => undefined);
    void agents.forgetDeleted().catch(() => undefined);
  };
  const forgetKeys = setInterval(forgetOld, FORGET_KEYS_EVERY_MS);
  forgetKeys.unref();
  closing.push(() => {
    clearInterval(forgetKeys);
  });

  const shutdown = new Shutdown();
  const workerWatch = new WorkerWatch(ports.workerHeartbeats, leases, () => SYSTEM_CLOCK.monotonic());
  const clockWatch = new ClockWatch(ports.databaseClock, () => SYSTEM_CLOCK.monotonic());
  const ownLog = {
    get trouble() {
      return logWrites.trouble ?? operators?.unwritable;
    },
  };
  const logWatch = new LogWatch(ownLog, [ports.heartbeats, ports.workerHeartbeats], () => SYSTEM_CLOCK.monotonic());
  if (operators !== undefined) {
    const telling = setInterval(() => {
      operators.noteUnwritable(logWrites.trouble);
    }, TELL_OPERATORS_EVERY_MS);
    telling.unref();
    closing.push(() => {
      clearInterval(telling);
    });
  }
  // What is asked for by time before the first look would be judged by this machine's clock.
  await clockWatch.look().catch((error: unknown) => {
    log.debug({ err: error }, 'the clock of the database could not be read yet');
  });
  const watching = repeat(
    SYSTEM_CLOCK,
    WATCH_EVERY_MS,
    async () => {
      await clockWatch.look();
      await logWatch.look();
      await workerWatch.look();
    },
    (error) => {
      workerWatch.couldNotLook(reasonOf(error));
      log.debug({ err: error }, 'it could not be looked whether workers are there, or the clock steps');
    },
  );
  closing.push(() => watching.stop());
  const queueWatch = new QueueWatch(queues, backend.backend, () => SYSTEM_CLOCK.monotonic());
  await queueWatch.look();
  const watchingQueue = repeat(
    SYSTEM_CLOCK,
    WATCH_EVERY_MS,
    () => queueWatch.look(),
    () => undefined,
  );
  closing.push(() => watchingQueue.stop());
  closing.push(showEventLoop(metrics, behind ? 'operators' : 'main'));
  showStates(metrics, states);
  showDatabasePools(metrics, pools);
  if (!behind) {
    metrics.register(stuckClustersGauge(failures));
    showWorkers(metrics, workerWatch);
    showClock(metrics, clockWatch);
    showLog(metrics, logWatch);
  }
  if (operators !== undefined) showOperatorsThread(metrics, operators);
  const budgets = new NodeReportBudgets(
    settings.reports,
    () => SYSTEM_CLOCK.monotonic(),
    (refused) => operators?.noteRefused(refused),
  );
  let presentForMs = (): number => 0;
  const sessions = new AgentSessions({
    commands,
    budgets,
    leases,
    secrets: ports.secrets,
    log: ports.log,
    dispatches: ports.dispatches,
    signals,
    settings,
    clock: SYSTEM_CLOCK,
    presentForMs: () => presentForMs(),
    chance: SYSTEM_CHANCE,
    seals: installation.seals,
    hasToken: (clusterId, node) => tokens.isForNode(clusterId, node),
    report: log,
    // Behind the front no agent is heard.
    ...(behind ? {} : { figures: countSessions(metrics) }),
    requestAdvance: (clusterId) => {
      worker.advance(clusterId);
    },
  });
  const express = strictRouting();
  addressOf = addressesOf(express);
  const catalog = new ClusterCatalog(pool);
  const database = await dataSourceOn(pool);
  closing.push(() => database.destroy());
  const module = ApiModule.with({
    pool,
    store,
    queues,
    worker,
    states,
    commands,
    tokens,
    agents,
    alertRuns,
    guestTokens: new GuestTokens({
      log: ports.log,
      dispatches: ports.dispatches,
      replaceToken: async ({ of: { clusterId, node, actor }, guest, correlationId }) => {
        const by = { actor, correlationId, reason: `${node} starts the container of ${guest}` };
        return (await tokens.replaceForNode(clusterId, guest, `container of ${guest}`, by)).secret;
      },
    }),
    alertWaits,
    secrets: ports.secrets,
    leases,
    failures,
    dispatches: ports.dispatches,
    sessions,
    budgets,
    workerWatch,
    clockWatch,
    logWatch,
    queueWatch,
    logWrites,
    elapsedTimes: new ElapsedTimes(new Elapsed(() => SYSTEM_CLOCK.monotonic()), ports.databaseClock),
    clusterSignals,
    shutdown,
    metrics,
    audit,
    auditEntries: new AuditEntries(logged, catalog),
    catalog,
    tail,
    webhooks: new Webhooks(database, pool, webhookSecretBox(secretsSettings.keys), tail),
    webhookAddresses: new AddressPolicy(config.webhookAddresses),
    lanes,
    large,
    settings,
    operators,
    ...(config.otherMetrics === undefined ? {} : { otherMetrics: config.otherMetrics }),
  });
  const tls = behind || config.tls === undefined ? undefined : await ServerTls.open(config.tls, settings.arrival.headMs, log);
  closing.push(() => tls?.close());
  const app = await NestFactory.create<NestExpressApplication>(module, express, {
    ...(tls === undefined ? {} : { httpsOptions: tls.options }),
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(log),
  });
  closing.push(async () => {
    shutdown.begin();
    // Together: what is passed on is answered there.
    await Promise.all([operators?.close(), lanes.close(), closeServer(app)]);
  });
  tls?.keep(app.getHttpServer());
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  revalidateByTag(express);
  app.set('trust proxy', config.trustedProxies ?? 0);
  const open = new OpenRequests(tokens, log);
  closing.push(() => {
    open.close();
  });
  const rates = new RequestRates(settings);
  const certificates = new ClientCertificates(agentCertificatesOf(config), behind);
  const users = config.oidc === undefined ? undefined : new OidcUsers(config.oidc);
  const doorkeeping = { tokens, users, rates, open, addressOf, certificates };
  const headers = securityHeaders();
  const kept = operators === undefined ? undefined : new KeptAnswers();
  if (!behind) {
    const parts = { controller: app.get(AgentController), bodies: app.get(BodiesInFlight), budgets };
    const logging = requestLogging(log, newRequestId);
    if (operators !== undefined && kept !== undefined) {
      const renew = renewing(operators, certificates, kept);
      ahead(app.getHttpServer(), serveKept({ kept, store, doorkeeping, metrics, renew, logging }));
      metrics.show('systole_kept_answers_bytes', 'Bytes of answers that the front keeps for who asks again.', () => kept.bytes);
    }
    ahead(app.getHttpServer(), agentDuties({ first: [metrics.middleware, logging], headers, doorkeeping, metrics, audit, ...parts }));
  }
  oneAtATime(app.getHttpServer(), () => {
    metrics.refused('pipelining');
  });
  if (!behind) app.use(withoutToken(rates, metrics, audit));
  if (operators !== undefined && kept !== undefined) app.use(forwarding(operators, certificates, kept, metrics));
  app.use(metrics.middleware, requestLogging(log), withHeaders(headers), clearTargets(), compressedAnswers());
  if (config.corsOrigins !== undefined) app.use(crossOrigin(config.corsOrigins));
  const digestKey = secretsSettings.keys.derived('digests of requests');
  if (digestKey !== undefined) {
    app.use((request: Request, _: unknown, next: () => void) => {
      request.digestKey = digestKey;
      next();
    });
  }
  app.use('/v1', authentication(doorkeeping), audit.middleware);
  if (behind) app.use('/v1/agent', agentsElsewhere());
  showLoad(app, metrics, lanes);
  if (operators === undefined) serveWebPages(app, config.dashboardDirectory);
  if (config.frontedAt !== undefined) {
    keepConnections(app.getHttpServer());
    await listenBehind(app, config.frontedAt, settings.connections.total);
    return { app, url: '', close };
  }
  limitConnections(app.getHttpServer(), settings, () => {
    metrics.refused('connections');
  });
  await app.listen(config.port ?? 3_000, config.host ?? '127.0.0.1');
  const heartbeat = await Heartbeat.start({
    heartbeats: ports.heartbeats,
    clock: SYSTEM_CLOCK,
    chance: SYSTEM_CHANCE,
    report: log,
    meanwhile: 'no lease is judged',
    trouble: () => ownLog.trouble?.reason,
  });
  presentForMs = () => heartbeat.steadyForMs;
  closing.push(() => heartbeat.stop());
  // Agents are served from here on already.
  await operators?.ready();
  const url = urlOf(app.getHttpServer(), tls === undefined ? 'http' : 'https');
  log.info({ url }, 'the API listens');
  return { app, url, close };
}

/** Listens for the front. @param backlog how many connections may wait until they are taken; the operating system may bound it further (`somaxconn`) */
async function listenBehind(app: NestExpressApplication, path: string, backlog: number): Promise<void> {
  await app.init();
  const server = app.getHttpServer();
  server.listen({ path, backlog });
  await once(server, 'listening');
}

/** Has a server's requests served by this, and by whoever served them before where it does not. */
function ahead(server: Server, serve: (request: IncomingMessage, response: ServerResponse, others: () => void) => boolean): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const goOn = (): void => {
      for (const other of others) other.call(server, request, response);
    };
    if (!serve(request, response, goOn)) goOn();
  });
}

/** Whence requests come, as Express finds it out; also for those that it has not seen. */
function addressesOf(express: ExpressAdapter): (request: IncomingMessage) => string {
  const { request: prototype } = express.getInstance<{ readonly request: object }>();
  return (request) => (Object.setPrototypeOf(request, prototype) as Request).ip ?? '';
}

/** One api in one thread has what the two threads of another have together. */
function poolSizeOf({ frontedAt, operatorsApart }: ApiConfig, { front, operators }: ConnectionShares): number {
  if (frontedAt !== undefined) return operators;
  return operatorsApart === true ? front : front + operators;
}

/** Behind the front no agent polls. */
const NOTHING_HANDED_OUT: DispatchSignals = { listen: () => () => undefined };

async function dispatchSignals(pool: Pool, closing: (() => Promise<void> | void)[]): Promise<DispatchSignals> {
  const signals = await PostgresDispatchSignals.open(pool);
  closing.push(() => signals.close());
  return signals;
}

function queueBackend(config: ApiConfig, installation: string): QueueBackend {
  return config.redisUrl === undefined
    ? { backend: 'postgres', databaseUrl: config.databaseUrl }
    : { backend: 'redis', redisUrl: config.redisUrl, installation };
}

/** How full the places are that requests wait for. */
function showLoad(app: NestExpressApplication, metrics: HttpMetrics, lanes: ComputingLanes): void {
  for (const lane of lanes.all) {
    metrics.show(`systole_computations_${lane.name}`, `Computations that wait or run (${lane.name}).`, () => lane.length);
  }
  const bodies = app.get(BodiesInFlight);
  metrics.show('systole_http_body_bytes', 'Bytes of bodies of requests that are being answered.', () => bodies.bytes);
  const streams = app.get(StreamPlaces);
  metrics.show('systole_event_streams', 'Open event streams.', () => streams.open);
}

/** Nothing can be started with them, and nobody may notice until then. */
function tellOfLocked(locked: number, log: Logger): void {
  if (locked === 0) return;
  log.error(
    { secrets: locked },
    'secrets are kept with keys that this server does not have: add the earlier keys to SYSTOLE_SECRETS_KEY_FILE',
  );
}

/** Without authorities to verify them by, certificates say nothing. */
function agentCertificatesOf({ tls }: ApiConfig): AgentCertificates | undefined {
  return tls?.clientAuthoritiesFile === undefined ? undefined : (tls.agentCertificates ?? 'optional');
}

/** The agent has to poll well before its lease ends, so that one lost poll does not cost the lease. */
function settingsOf(config: ApiConfig): ApiSettings {
  const leaseMs = config.leaseMs ?? DEFAULT_LEASE_MS;
  const longest = Math.max(50, Math.floor(leaseMs / 3));
  return {
    leaseMs,
    pollMs: Math.min(config.pollMs ?? longest, longest),
    isFronted: config.frontedAt !== undefined,
    heartbeatMs: config.heartbeatMs ?? 15_000,
    ...DEFAULT_LIMITS,
    ...config.limits,
  };
}

function printAdminToken(secret: string): void {
  process.stdout.write(`\nAdmin token, shown this once (keep it; set it as SYSTOLE_TOKEN for the tools):\n  ${secret}\n\n`);
}

/** Lets what is being answered end, but not for ever; connections that are kept alive for a next request are closed as soon as they are idle. */
async function closeServer(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, 20);
  const patience = setTimeout(() => {
    server.closeAllConnections();
  }, CLOSE_WITHIN_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(patience);
  }
}

function urlOf(server: Server, scheme: 'http' | 'https'): string {
  const { address, port } = server.address() as AddressInfo;
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `${scheme}://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}
