import { AlertWaits } from './agent/alert-waits.js';
import type { IncomingMessage } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ExpressAdapter, NestExpressApplication } from '@nestjs/platform-express';
import {
  AgentSessions,
  Elapsed,
  GuestTokens,
  Heartbeat,
  ServiceLapses,
  TracedAppends,
  type ContainerStart,
  type DispatchSignals,
} from '@systole/control-plane';
import {
  AgentCatalog,
  AlertRuns,
  NO_KEYS,
  mayOthersRead,
  PostgresDispatchRecords,
  readMasterKeys,
  PostgresDispatchSignals,
  postgresPorts,
  PrivateAttributes,
  SYSTEM_CHANCE,
  SYSTEM_CLOCK,
  lockedWebhooks,
  webhookSecretBox,
} from '@systole/control-plane-postgres';
import { beginWhenConnectionsAreFree } from '@systole/event-store';
import { migrate } from '@systole/migrations';
import { LateQueues, type QueueBackend } from '@systole/queue';
import {
  AccessTokens,
  AuditedProcess,
  AuditLog,
  IdempotencyKeys,
  OidcUsers,
  TokensLost,
  type ContainerHolder,
  type TokenChanger,
} from '@systole/access';
import { ClusterCatalog, ClusterStates, letUnusedLeave } from '@systole/read-models';
import { startTraces } from '@systole/tracing';
import { AddressPolicy, dataSourceOn, Webhooks } from '@systole/webhooks';
import type { Pool } from 'pg';
import type { Request } from 'express';
import { pino, type Logger } from 'pino';
import { OpenRequests } from './access/open-requests.js';
import { ElapsedTimes } from './status/elapsed-times.js';
import { RequestRates } from './access/request-rates.js';
import { DEFAULT_LEASE_MS, type ApiConfig } from './api-config.js';
import type { ApiSettings } from './api-settings.js';
import { NodeReportBudgets } from './access/node-report-budgets.js';
import { ApiModule } from './api.module.js';
import { AuditEntries } from './audit/audit-entries.js';
import { RequestAudit } from './audit/request-audit.js';
import { shownSettings } from './audit/shown-settings.js';
import { ComputingLanes } from './computing/computing-lanes.js';
import { OperatorsApi } from './front/operators-api.js';
import { BodiesInFlight } from './http/bodies-in-flight.js';
import { keepConnections, limitConnections } from './http/connection-limits.js';
import { ConnectionTable } from './http/connection-table.js';
import { RefusedConnections } from './http/refused-connections.js';
import { revalidateByTag } from './http/revalidation.js';
import { strictRouting } from './http/strict-routing.js';
import { serveWebPages } from './http/web-pages.js';
import { StreamPlaces } from './events/stream-places.js';
import { ClusterSignals } from './lifecycle/cluster-signals.js';
import { NestLog } from './lifecycle/nest-log.js';
import { Shutdown } from './lifecycle/shutdown.js';
import { WorkerSignal } from './lifecycle/worker-signal.js';
import { HttpMetrics } from './metrics/http-metrics.js';
import { showOperatorsThread } from './metrics/operators-thread.js';
import { buildInfoGauge } from './metrics/build-info.js';
import { countAppends, countSessions } from './metrics/control-plane-metrics.js';
import { showClock } from './metrics/database-clock.js';
import { showEventLoop } from './metrics/event-loop.js';
import { showLog } from './metrics/log.js';
import { showDatabasePools } from './metrics/database-pools.js';
import { showStates } from './metrics/states.js';
import { showTraces } from './metrics/traces.js';
import { showWorkers } from './metrics/workers.js';
import { stuckClustersGauge } from './metrics/stuck-clusters.js';
import { SERVER_VERSION } from './version.js';
import { DEFAULT_LIMITS } from './request-limits.js';
import { ClientCertificates, type AgentCertificates } from './tls/client-certificates.js';
import { ServerTls } from './tls/server-tls.js';
import { LargeCommands } from './writes/large-commands.js';
import { layRequestPath } from './request-path.js';
import { Closing } from './lifecycle/closing.js';
import { openDatabase } from './lifecycle/database-access.js';
import { closeServer, listenBehind, listenOn, urlOf } from './lifecycle/listening.js';
import { OwnDoor } from './lifecycle/own-door.js';
import { warmUpApi } from './lifecycle/warm-up-api.js';
import { JoinAdmission } from './agent/join-admission.js';
import { ShortestLease } from './agent/shortest-lease.js';
import { beginWatches } from './watches/watches.js';

/** A running API. */
export interface Api {
  readonly app: INestApplication;
  /** Base URL at which it listens, without a slash at the end. */
  readonly url: string;
  /** Answers what waits, stops listening, and lets go of everything. */
  close(): Promise<void>;
}

/** How long the start waits for the queue, ms. Without it everything is served; what follows from requests is found by the worker a little later. */
const QUEUE_WITHIN_MS = 3_000;
/** How long the end waits for the last entries of the audit, ms. */
const AUDIT_CLOSES_WITHIN_MS = 2_000;
/** How long a thread for operators waits at its start for connections to be free, ms. */
const THREAD_WAITS_MS = 45_000;
const FORGET_KEYS_EVERY_MS = 3_600_000;

/**
 * Starts an API: brings the schema up to date, opens what it needs, listens. At the very first start (no admin token in the database) an admin token is
 * made and given to `onAdminToken`.
 *
 * Where PostgreSQL has no connection free it is tried again for five minutes.
 *
 * @param stop the start is given up: what it has opened is closed again
 * @throws {LeftoverSchema} when a dump of an older version was restored over the database
 * @throws {StartGivenUp} when told to by `stop`
 * @throws what `pg` says when the database can't be reached
 */
export async function createApi(config: ApiConfig, stop?: AbortSignal): Promise<Api> {
  const log = pino({ name: 'systole-api', level: config.logLevel ?? 'info' });
  const begin = async (): Promise<Api> => {
    const closing = new Closing();
    try {
      return await unlessGivenUp(start(config, log, closing), stop);
    } catch (error) {
      await closing.close();
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

/** Somebody told the program to end before it had started. */
export class StartGivenUp extends Error {
  override readonly name = 'StartGivenUp';

  constructor() {
    super('told to end before the API had started');
  }
}

/** What a start comes to. @throws {StartGivenUp} as soon as `stop` says so; what becomes of the start then is nobody's business */
async function unlessGivenUp(starting: Promise<Api>, stop: AbortSignal | undefined): Promise<Api> {
  if (stop === undefined) return starting;
  let onStop = (): void => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    onStop = (): void => {
      reject(new StartGivenUp());
    };
    if (stop.aborted) onStop();
    else stop.addEventListener('abort', onStop, { once: true });
  });
  try {
    return await Promise.race([starting, givenUp]);
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}

async function start(config: ApiConfig, log: Logger, closing: Closing): Promise<Api> {
  // Behind the front: it has done what is done once for the whole process.
  const behind = config.frontedAt !== undefined;
  const onWait = (why: string): void => {
    log.warn(why);
  };
  if (!behind) await migrate(config.databaseUrl, { onWait });
  const settings = settingsOf(config);
  const lapses = new ServiceLapses(SYSTEM_CLOCK);
  const metrics = new HttpMetrics(!behind);
  const traces =
    config.tracing === undefined ? undefined : await startTraces(config.tracing, { service: 'systole-api', version: SERVER_VERSION, log });
  if (traces !== undefined) {
    closing.add(() => traces.close());
    metrics.register(showTraces(traces));
  }
  const database = await openDatabase(config, { log, closing, lapses, metrics });
  const { pool, appends, deliveries, looks, store, logged, tail, installation, listener } = database;
  const auditLog = new AuditLog(logged, {
    program: 'api',
    onTrouble: (error) => {
      log.warn({ err: error }, 'entries of the audit could not be appended; they are tried again');
    },
  });
  closing.add(() => auditLog.closeWithin(AUDIT_CLOSES_WITHIN_MS));
  let addressOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? '';
  const audit = new RequestAudit(auditLog, (request) => addressOf(request), log);
  const backend = queueBackend(config, installation.id);
  const queues = new LateQueues(backend, {
    onBackendError: (error, suppressed) => {
      log.warn({ err: error, suppressed }, 'the queue is in trouble');
    },
  });
  closing.add(() => queues.close());
  await queues.opened(QUEUE_WITHIN_MS);
  const worker = new WorkerSignal(queues, log);

  const tokens = new AccessTokens(pool);
  const secret = behind ? undefined : await tokens.ensureAdmin(config.adminToken);
  if (secret !== undefined) (config.onAdminToken ?? printAdminToken)(secret);
  // Behind the front it is the same process.
  if (!behind) {
    const process = new AuditedProcess('api');
    process.started(auditLog, shownSettings(config));
    closing.add(() => {
      process.stopped(auditLog);
    });
  }
  if (!behind && (await tokens.areLost())) log.error(new TokensLost().message);
  const operators =
    config.operatorsApart === true ? await OperatorsApi.start({ ...config, installation: installation.id }, log) : undefined;
  if (operators !== undefined) closing.add(() => operators.close());

  const { states: shared } = config;
  if (shared !== undefined) closing.add(shared.hear(listener));
  const states =
    shared?.states ??
    new ClusterStates(store, {
      ...(config.cachedStatesBytes === undefined ? {} : { cachedBytes: config.cachedStatesBytes }),
      // The worker, which reads the same events, saves them at half of that.
      snapshotEvery: 1_000,
      onSnapshotError: listener.onSnapshotError,
    });
  if (shared === undefined) closing.add(letUnusedLeave(states));
  const lanes = new ComputingLanes(settings.computing);
  const large = new LargeCommands(lanes.writes);
  const secretsSettings = {
    keys: config.secretsKeyFile === undefined ? NO_KEYS : await readMasterKeys(config.secretsKeyFile),
    patterns: config.secretParameters ?? [],
  };
  if (!behind && config.secretsKeyFile !== undefined && (await mayOthersRead(config.secretsKeyFile))) {
    log.warn({ file: config.secretsKeyFile }, 'every account of this machine may read the keys of secrets: chmod 600');
  }
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
  closing.add(() => {
    logWrites.close();
  });
  const commands = ports.commands({
    decide: large.decide,
    figures: countAppends(metrics),
    ...(traces === undefined ? {} : { onStored: new TracedAppends(traces, new PostgresDispatchRecords(looks)).stored }),
  });
  const signals = behind ? NOTHING_HANDED_OUT : await dispatchSignals(pool, closing);
  const clusterSignals = await ClusterSignals.open(store);
  closing.add(() => {
    clusterSignals.close();
  });
  const keys = new IdempotencyKeys(pool);
  const agents = new AgentCatalog(pool);
  const privateAttributes = new PrivateAttributes(pool);
  const alertRuns = new AlertRuns(pool);
  const alertWaits = new AlertWaits(alertRuns, (error) => {
    log.debug({ err: error }, 'it could not be looked whether agents have programs of alerts to run; it is tried again');
  });
  closing.add(() => alertWaits.close());
  const forgetOld = (): void => {
    void keys.forgetOld().catch(() => undefined);
    void agents.forgetDeleted().catch(() => undefined);
    void privateAttributes.forgetDeleted().catch(() => undefined);
    void ports.writes.forgetDeleted().catch(() => undefined);
  };
  const forgetKeys = setInterval(forgetOld, FORGET_KEYS_EVERY_MS);
  forgetKeys.unref();
  closing.add(() => {
    clearInterval(forgetKeys);
  });

  const shutdown = new Shutdown();
  const watches = await beginWatches({ ports, queues, backend: backend.backend, operators }, log, closing);
  const { ownLog, ...shownWatches } = watches;
  closing.add(showEventLoop(metrics, behind ? 'operators' : 'main'));
  showStates(metrics, states);
  showDatabasePools(metrics, database.pools);
  if (!behind) {
    metrics.register(buildInfoGauge());
    metrics.register(stuckClustersGauge(failures));
    showWorkers(metrics, watches.workerWatch);
    showClock(metrics, watches.clockWatch);
    showLog(metrics, watches.logWatch);
  }
  if (operators !== undefined) showOperatorsThread(metrics, operators);
  const budgets = new NodeReportBudgets(
    settings.reports,
    () => SYSTEM_CLOCK.monotonic(),
    (refused) => operators?.noteRefused(refused),
  );
  let presentForMs = (): number => 0;
  let openForMs = (): number => Number.POSITIVE_INFINITY;
  const admission = new JoinAdmission(() => openForMs());
  closing.add(() => {
    admission.close();
  });
  const shortestLease = new ShortestLease(settings.leaseMs, () => SYSTEM_CLOCK.monotonic());
  const sessions = new AgentSessions({
    commands,
    budgets,
    leases,
    secrets: ports.secrets,
    log: ports.log,
    dispatches: ports.dispatches,
    signals,
    writes: ports.writes,
    settings,
    clock: SYSTEM_CLOCK,
    databaseTime: () => watches.clockWatch.now(),
    presentForMs: () => presentForMs(),
    admission,
    onRenewed: (leaseMs) => {
      shortestLease.renewed(leaseMs);
    },
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
  const entities = await dataSourceOn(pool);
  closing.add(() => entities.destroy());
  const module = ApiModule.with({
    pool,
    store,
    queues,
    worker,
    states,
    commands,
    tokens,
    agents,
    privateAttributes,
    alertRuns,
    guestTokens: new GuestTokens({
      log: ports.log,
      dispatches: ports.dispatches,
      makeToken: async (asked) => {
        const { token, secret } = await tokens.createInContainer(containerHolder(asked), `container of ${asked.guest}`, startOf(asked));
        return { id: token.id, secret };
      },
      withdrawBefore: (tokenId, asked) => tokens.revokeBefore(tokenId, containerHolder(asked), startOf(asked)),
      withdraw: (tokenId, { host: { node, actor }, guest, correlationId }) =>
        tokens.revoke(tokenId, { actor, correlationId, reason: `${node} does not start the container of ${guest} any more` }),
    }),
    alertWaits,
    secrets: ports.secrets,
    leases,
    failures,
    dispatches: ports.dispatches,
    sessions,
    budgets,
    ...shownWatches,
    logWrites,
    elapsedTimes: new ElapsedTimes(new Elapsed(() => SYSTEM_CLOCK.monotonic()), ports.databaseClock),
    clusterSignals,
    shutdown,
    metrics,
    audit,
    auditEntries: new AuditEntries(logged, catalog),
    catalog,
    tail,
    webhooks: new Webhooks(entities, pool, webhookSecretBox(secretsSettings.keys), tail),
    webhookAddresses: new AddressPolicy(config.webhookAddresses),
    lanes,
    large,
    settings,
    operators,
    ...(config.otherMetrics === undefined ? {} : { otherMetrics: config.otherMetrics }),
  });
  const tls = behind || config.tls === undefined ? undefined : await ServerTls.open(config.tls, settings.arrival.headMs, log);
  closing.add(() => tls?.close());
  const app = await NestFactory.create<NestExpressApplication>(module, express, {
    ...(tls === undefined ? {} : { httpsOptions: tls.options }),
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(log),
  });
  closing.add(async () => {
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
  closing.add(() => {
    open.close();
  });
  const rates = new RequestRates(settings);
  const certificates = new ClientCertificates(agentCertificatesOf(config), behind, tls === undefined ? undefined : () => tls.authorities);
  const users =
    config.oidc === undefined
      ? undefined
      : new OidcUsers(config.oidc, ({ message }) => {
          log.warn(
            { reason: message },
            "the issuer of users' tokens can not be asked for its keys: the last ones are used, for an hour at most",
          );
        });
  const refused = new RefusedConnections({ clock: SYSTEM_CLOCK, log });
  const connections = new ConnectionTable({
    limits: settings.connections,
    now: () => SYSTEM_CLOCK.monotonic(),
    onClosed: (closed) => {
      metrics.refused(closed.refusal === 'stranger' ? 'connections-without-token' : 'connections');
      refused.note(closed);
      // Whoever comes is turned away unread, agents among them.
      if (closed.refusal === 'total') lapses.note();
    },
  });
  const doorkeeping = { tokens, users, rates, open, addressOf, certificates, connections };
  const digestKey = secretsSettings.keys.derived('digests of requests');
  layRequestPath({
    app,
    behind,
    operators,
    store,
    doorkeeping,
    budgets,
    metrics,
    audit,
    traces,
    log,
    corsOrigins: config.corsOrigins,
    digestKey,
  });
  showLoad(app, metrics, lanes);
  const makeQuick = (): void => {
    // Behind the front, or without one, it serves operators.
    const warming = warmUpApi(config, { ...(operators === undefined ? { lanes } : {}), limits: settings.computing, log });
    closing.add(() => warming?.end());
  };
  if (operators === undefined) serveWebPages(app, config.dashboardDirectory);
  if (config.frontedAt !== undefined) {
    keepConnections(app.getHttpServer());
    await listenBehind(app, config.frontedAt, settings.connections.total);
    makeQuick();
    return { app, url: '', close: () => closing.close() };
  }
  limitConnections(app.getHttpServer(), settings, connections);
  await listenOn(app, config.port ?? 3_000, config.host ?? '127.0.0.1', settings.connections.total);
  const door = new OwnDoor({
    server: app.getHttpServer(),
    clock: SYSTEM_CLOCK,
    leaseMs: () => shortestLease.ms,
    onLate: () => {
      lapses.note();
    },
    report: log,
  });
  closing.add(() => {
    door.close();
  });
  openForMs = () => door.openForMs;
  metrics.show(
    'systole_door_wait_seconds',
    'How long a connection to this api waits at the moment until it is taken, s.',
    () => door.waitedMs / 1_000,
  );
  const heartbeat = await Heartbeat.start({
    heartbeats: ports.heartbeats,
    clock: SYSTEM_CLOCK,
    chance: SYSTEM_CHANCE,
    report: log,
    meanwhile: 'no lease is judged',
    trouble: () => ownLog.trouble?.reason,
  });
  presentForMs = () => heartbeat.steadyForMs;
  closing.add(() => heartbeat.stop());
  // Agents are served from here on already.
  await operators?.ready();
  makeQuick();
  const url = urlOf(app.getHttpServer(), tls === undefined ? 'http' : 'https');
  log.info({ url }, 'the API listens');
  return { app, url, close: () => closing.close() };
}

/** Whence requests come, as Express finds it out; also for those that it has not seen. */
function addressesOf(express: ExpressAdapter): (request: IncomingMessage) => string {
  const { request: prototype } = express.getInstance<{ readonly request: object }>();
  return (request) => (Object.setPrototypeOf(request, prototype) as Request).ip ?? '';
}

/** Behind the front no agent polls. */
const NOTHING_HANDED_OUT: DispatchSignals = { listen: () => () => undefined };

async function dispatchSignals(pool: Pool, closing: Closing): Promise<DispatchSignals> {
  const signals = await PostgresDispatchSignals.open(pool);
  closing.add(() => signals.close());
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

function containerHolder({ host: { clusterId, node: host }, guest, container }: ContainerStart): ContainerHolder {
  return { role: 'agent', clusterId, node: guest, container: { host, resource: container } };
}

/** By whose doing, and why, tokens of a container that starts are made and withdrawn. */
function startOf({ host: { node, actor }, guest, correlationId }: ContainerStart): TokenChanger {
  return { actor, correlationId, reason: `${node} starts the container of ${guest}` };
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
