import { createHash, randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WatchedTlsFiles, type TlsFiles, type TlsMaterial } from '@systole/certificates';
import type { ActiveResource, EndReason, Found, NodeSettings } from '@systole/node-session';
import { carriable, type AgentToolAnswer } from '@systole/protocol';
import type { Logger } from 'pino';
import { AlertLane } from './alerts/alert-lane.js';
import { alertUser } from './alerts/alert-user.js';
import { AttributeWrites } from './attributes/attribute-writes.js';
import { PrivateAttributes } from './attributes/private-attributes.js';
import { PrivateTelling } from './attributes/private-telling.js';
import type { AgentConfiguration } from './configuration.js';
import { EXIT_CODE, type ExitCode } from './exit-code.js';
import { GuestContainers } from './guests/guest-containers.js';
import { Journal, type Opened } from './journal/journal.js';
import { leaseClock } from './lease/clock.js';
import { LeaseFile } from './lease/lease-file.js';
import { panic } from './lease/panic.js';
import { Watchdog } from './lease/watchdog.js';
import { watchdogTimeoutMs } from './lease/watchdog-timeout.js';
import type { LogIdentity } from './log-identity.js';
import { ActiveRecord } from './node/active-record.js';
import { agentHost, askingAt } from './node/agent-host.js';
import { lockStateDirectory, prepareRunDirectory, RunDirectoryKeeper, writePidFile, type RunDirectory } from './node/run-directory.js';
import { Programs, type Bounds } from './programs/programs.js';
import { unlessStopped, within } from './within.js';
import { AgentTeller } from './resource-agents/agent-teller.js';
import { DescribingPrograms } from './resource-agents/describing-programs.js';
import { OwnTraits } from './resource-agents/own-traits.js';
import { KeptCib } from './server/kept-cib.js';
import { NumberedWrites } from './server/numbered-writes.js';
import { Patience, patienceOf } from './server/patience.js';
import { ServerConnection, ServerUnavailable } from './server/server-connection.js';
import { GivenSecrets } from './secrets/given-secrets.js';
import { SecretSources } from './secrets/secret-sources.js';
import { NodeShell } from './session/node-shell.js';
import { isOfDocuments } from './tools/documents/document-calls.js';
import { DocumentThread } from './tools/documents/document-thread.js';
import { MonitorThread } from './tools/monitor/monitor-thread.js';
import { runTool } from './tools/run-tool.js';
import { ForcedOperations } from './tools/writes/forced-operations.js';
import { isSafeTwice } from './tools/writes/safe-twice.js';
import { EXIT, type ToolCall, type ToolCluster, type ToolResult } from './tools/tool.js';
import { ToolServer } from './tools/tool-server.js';

export const AGENT_VERSION = '0.1.0';

/** How long closing and removing files may take in the end, ms. */
const LONGEST_TIDYING_MS = 3_000;

const EXIT_CODES: Readonly<Record<EndReason, ExitCode>> = {
  left: EXIT_CODE.LEFT,
  'left-unclean': EXIT_CODE.LEFT_UNCLEAN,
  superseded: EXIT_CODE.SUPERSEDED,
  'not-permitted': EXIT_CODE.NOT_PERMITTED,
  'cluster-deleted': EXIT_CODE.CLUSTER_DELETED,
};

/** What an agent opens before it does anything. */
interface Surroundings {
  readonly runDirectory: RunDirectory;
  readonly opened: Opened;
  readonly close: () => Promise<void>;
}

/**
 * Runs the agent until it leaves the cluster, is superseded, or can't go on.
 *
 * @param identity hears which node this is
 * @returns `hangs` when threads wait for a disk that does not answer: exit(3) would wait for them, too
 */
export async function runAgent(
  configuration: AgentConfiguration,
  logger: Logger,
  stop: AbortSignal,
  identity: LogIdentity,
): Promise<ExitCode | 'hangs'> {
  const surroundings = await unlessStopped(open(configuration), stop);
  if (surroundings === undefined) {
    logger.error({ stateDir: configuration.stateDir }, 'told to end, and the disk hangs: the journal could not be opened');
    return 'hangs';
  }
  const { runDirectory, opened, close } = surroundings;
  if (opened.damagedCopy !== undefined) {
    logger.error({ damagedCopy: opened.damagedCopy }, 'the journal was damaged; what was readable before the damage is used');
  }
  const code = await live({ configuration, logger, identity }, runDirectory, opened, stop).catch(async (error: unknown) => {
    await within(LONGEST_TIDYING_MS, close());
    throw error;
  });
  return (await within(LONGEST_TIDYING_MS, close())) === undefined ? 'hangs' : code;
}

async function open(configuration: AgentConfiguration): Promise<Surroundings> {
  const runDirectory = await prepareRunDirectory(configuration.runDir);
  const unlock = await lockStateDirectory(configuration.stateDir);
  const removePidFile = configuration.pidFile === undefined ? undefined : await writePidFile(configuration.pidFile, runDirectory.path);
  const opened = await Journal.open(join(configuration.stateDir, 'journal'));
  const close = async (): Promise<void> => {
    await opened.journal.close();
    await removePidFile?.();
    await unlock();
  };
  return { runDirectory, opened, close };
}

/** From the first join to the end. */
async function live(
  {
    configuration,
    logger,
    identity,
  }: { readonly configuration: AgentConfiguration; readonly logger: Logger; readonly identity: LogIdentity },
  runDirectory: RunDirectory,
  opened: Opened,
  stop: AbortSignal,
): Promise<ExitCode> {
  tellOfPlainServers(configuration, logger);
  const alertUserOf = await alertUser(configuration.alertUser);
  const tls =
    configuration.tlsFiles === undefined
      ? undefined
      : await watchedTls(
          configuration.tlsFiles,
          (material) => {
            server.use(material);
          },
          logger,
        );
  const server: ServerConnection = new ServerConnection(configuration.token, tls?.material);
  const leaseFile = new LeaseFile(join(runDirectory.path, 'lease'));
  const activeRecord = new ActiveRecord(join(runDirectory.path, 'active'), runDirectory.bootId, (err) => {
    logger.warn({ err, directory: runDirectory.path }, 'the second record of what runs here can not be written: only the journal has it');
  });
  const found = await foundOf(opened, runDirectory, leaseFile, activeRecord);
  const host = agentHost(configuration, runDirectory);
  const { journal } = opened;
  const running = [...(found.rescued?.active ?? [])];
  const secrets = await GivenSecrets.open(join(runDirectory.path, 'secrets'), () =>
    parametersOf([...running, ...journal.state.active.values()]),
  );
  const sources = new SecretSources(configuration.secrets, secrets);
  const authorities = configuration.tlsFiles?.authorities;
  const guests = new GuestContainers({
    ...{ directory: join(runDirectory.path, 'guests'), serverUrls: configuration.serverUrls, server, session: () => sessionOf(shell) },
    ...(authorities === undefined ? {} : { authoritiesFile: authorities }),
  });
  const keeper = new RunDirectoryKeeper(runDirectory, () => tools, logger);
  const programs = new Programs(host, sources, guests, boundsOf(configuration, found, runDirectory, logger), keeper);
  const forced = new ForcedOperations(programs, logger);
  const ended = new AbortController();
  const traits = new OwnTraits({ host, logger, allowed: configuration.allowed, ended: ended.signal });
  const shell: NodeShell = new NodeShell(
    {
      clock: leaseClock(),
      journal: opened.journal,
      activeRecord,
      leaseFile,
      server,
      secrets,
      programs: new DescribingPrograms(programs, traits),
      logger,
      identity,
      killGraceMs: configuration.killGraceMs,
      panic: (failed) => {
        panic(configuration.panicCommand, failed);
      },
      feed: () => {
        // After the step that asks for it.
        setImmediate(() => watchdog?.feed());
      },
    },
    await settingsOf(configuration, runDirectory),
    found,
  );
  const patience = new Patience();
  const own = await PrivateAttributes.open(join(runDirectory.path, 'private-attributes'), runDirectory.bootId);
  const privately = new PrivateTelling({ own, server, session: () => sessionOf(shell), logger });
  const numbered = numberedWrites(shell, server, stop);
  const attributes = { own, privately, writes: attributeWrites(shell, server, { patience, numbered }, stop) };
  // Whoever has a document of a reader's worked on for long makes nobody wait but other readers.
  const threads = { monitor: new MonitorThread(), documents: new DocumentThread(), readersDocuments: new DocumentThread() };
  const parts = { shell, server, patience, numbered, attributes, forced, cib: new KeptCib(server), ...threads };
  const readers = alertUserOf === undefined ? undefined : { socket: runDirectory.readers, user: alertUserOf };
  const tools: ToolServer = await ToolServer.start(runDirectory.tools, (call) => answerTool(call, parts, stop), readers);
  const watchdog: Watchdog | undefined =
    configuration.watchdog === undefined
      ? undefined
      : new Watchdog(configuration.watchdog, shell.watchdogKeeper(), () => armedAfterMs(configuration));
  const onStop = (): void => {
    shell.stop();
  };
  stop.addEventListener('abort', onStop);
  shell.begin();
  watchdog?.feed();
  if (stop.aborted) onStop();
  const teller = new AgentTeller({ host, server, session: () => sessionOf(shell), logger, allowed: configuration.allowed });
  const telling = Promise.all([teller.run(ended.signal), privately.run(ended.signal)]);
  const alerts = new AlertLane({
    ...{ server, session: () => sessionOf(shell), secrets: sources, logger, allowed: configuration.allowed },
    host: readers === undefined ? host : askingAt(host, readers.socket),
    user: alertUserOf,
  });
  const alerting = alerts.run(ended.signal);
  try {
    const reason = await shell.end;
    // Something may run on that the cluster starts elsewhere as soon as the lease is over: the reset has to come first.
    if (shell.mayDisarm && watchdog !== undefined) disarm(watchdog, logger);
    if (!shell.isRecorded) logger.error({ stateDir: configuration.stateDir }, 'the disk is full or hangs: the end is not in the journal');
    return shell.isRecorded || reason !== 'left' ? EXIT_CODES[reason] : EXIT_CODE.UNRECORDED;
  } finally {
    stop.removeEventListener('abort', onStop);
    tls?.close();
    ended.abort();
    shell.close();
    await within(LONGEST_TIDYING_MS, Promise.all([telling, alerting]));
    await tools.close();
    parts.monitor.close();
    parts.documents.close();
    parts.readersDocuments.close();
    await server.close();
  }
}

function* parametersOf(running: Iterable<Pick<ActiveResource, 'parameters'>>): Generator<string> {
  for (const { parameters } of running) yield* Object.values(parameters);
}

/** On this machine nobody listens in. */
const OWN_MACHINE = /^(localhost|127\.[\d.]+|\[::1\])$/;

function tellOfPlainServers({ serverUrls }: AgentConfiguration, logger: Logger): void {
  const plain = serverUrls.filter((url) => url.startsWith('http:') && !OWN_MACHINE.test(new URL(url).hostname));
  if (plain.length > 0) logger.warn({ servers: plain }, 'plain HTTP: whoever listens in reads the token, and whoever answers is believed');
}

/** Certificates that are taken anew when their files change and on SIGHUP. */
async function watchedTls(
  files: TlsFiles,
  use: (material: TlsMaterial) => void,
  logger: Logger,
): Promise<Pick<WatchedTlsFiles, 'material' | 'close'>> {
  const watched = await WatchedTlsFiles.open(files, {
    changed: (material) => {
      use(material);
      logger.info(files, 'the certificates were renewed');
    },
    unfit: (reason) => {
      logger.error({ reason }, 'the new certificates do not fit: the old ones are used on');
    },
  });
  const onSignal = (): void => void watched.look();
  process.on('SIGHUP', onSignal);
  return {
    material: watched.material,
    close: () => {
      process.off('SIGHUP', onSignal);
      watched.close();
    },
  };
}

/** What was started before a list forbade it is looked after until it is stopped. */
function boundsOf(
  { allowed }: AgentConfiguration,
  { journal, rescued }: Found,
  { bootId }: RunDirectory,
  logger: Logger,
): Bounds | undefined {
  if (allowed === undefined) return undefined;
  const running = [...(journal.bootId === bootId ? journal.active.values() : []), ...(rescued?.active ?? [])];
  const forbidden = running.filter(({ resource }) => allowed.refusalOf(resource) !== undefined).map(({ resource }) => resource.historyId);
  if (forbidden.length > 0)
    logger.warn(
      { resources: forbidden },
      'these run here and may not be started here any more: they are looked after until they are stopped',
    );
  return { allowed, running };
}

/** What it ends with must not hang on a device that is gone, or that another process feeds: whoever supervises the agent would start it again. */
function disarm(watchdog: Watchdog, logger: Logger): void {
  try {
    watchdog.disarm();
  } catch (error) {
    logger.error({ problem: error instanceof Error ? error.message : String(error) }, 'the watchdog could not be disarmed');
  }
}

/** After how long without being fed the watchdog resets this machine, as its driver says now, ms; undefined: nobody knows, or there is none. */
function armedAfterMs({ watchdog, watchdogTimeoutMs: configuredMs }: AgentConfiguration): number | undefined {
  return watchdog === undefined ? undefined : watchdogTimeoutMs(watchdog, configuredMs);
}

async function settingsOf(configuration: AgentConfiguration, { bootId }: RunDirectory): Promise<NodeSettings> {
  const { serverUrls: servers, actionLimit, nodeName, onLeaseLoss, remote, stopTimeoutMs, watchdog } = configuration;
  const watchdogMs = armedAfterMs(configuration);
  const machineId = (await readFile('/etc/machine-id', 'utf8').catch(() => '')).trim();
  return {
    agentVersion: AGENT_VERSION,
    servers,
    actionLimit,
    stopTimeoutMs,
    watchdog: watchdog !== undefined,
    ...(watchdogMs === undefined ? {} : { watchdogMs }),
    bootId,
    processStartedMs: Math.floor(uptime() * 1_000),
    tokenMark: createHash('sha256').update(`systole-agent ${configuration.token}`).digest('hex').slice(0, 16),
    instance: randomUUID(),
    seed: randomInt(2 ** 32),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(remote === undefined ? {} : { remote }),
    ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }),
    ...(machineId === '' ? {} : { machineId }),
  };
}

/** The journal knows best; where it is new in this boot, or damaged, the second record says what may be running. */
async function foundOf(opened: Opened, { bootId }: RunDirectory, leaseFile: LeaseFile, activeRecord: ActiveRecord): Promise<Found> {
  const journal = opened.journal.state;
  const lease = await leaseFile.read();
  const isWhole = opened.damagedCopy === undefined && journal.bootId === bootId;
  const rescued = isWhole ? undefined : await activeRecord.read();
  return { journal, ...(lease === undefined ? {} : { lease }), ...(rescued === undefined ? {} : { rescued }) };
}

/** How long it is waited before the servers are told anew what was given up, ms. */
const TELL_AGAIN_MS = 1_000;

function numberedWrites(shell: NodeShell, server: ServerConnection, stop: AbortSignal): NumberedWrites {
  return new NumberedWrites({
    tell: (write) => {
      const { joined } = shell;
      return joined === undefined
        ? unconnected()
        : server.attributes(shell.serverUrl, { incarnation: joined.incarnation, changes: [], write }, stop);
    },
    pause: () => delay(TELL_AGAIN_MS, undefined, { signal: stop }).catch(() => undefined),
    stop,
  });
}

function attributeWrites(
  shell: NodeShell,
  server: ServerConnection,
  { patience, numbered }: Pick<ToolParts, 'patience' | 'numbered'>,
  stop: AbortSignal,
): AttributeWrites {
  return new AttributeWrites({
    send: (changes, bounded) => {
      const send = (write: number): Promise<void> => {
        const { joined } = shell;
        const request = { changes: carriable(changes), write };
        return joined === undefined ? unconnected() : server.attributes(shell.serverUrl, { ...request, incarnation: joined.incarnation });
      };
      return numbered.send(bounded, send);
    },
    isConnected: () => shell.joined !== undefined,
    patience,
    stop,
  });
}

interface KeptAttributes {
  readonly own: PrivateAttributes;
  readonly privately: PrivateTelling;
  readonly writes: AttributeWrites;
}

/** What answers the tools of this node. */
interface ToolParts {
  readonly shell: NodeShell;
  readonly server: ServerConnection;
  readonly patience: Patience;
  readonly numbered: NumberedWrites;
  readonly attributes: KeptAttributes;
  readonly forced: ForcedOperations;
  readonly cib: KeptCib;
  readonly monitor: MonitorThread;
  readonly documents: DocumentThread;
  readonly readersDocuments: DocumentThread;
}

async function answerTool(
  call: ToolCall,
  { shell, server, patience, numbered, attributes, forced, cib, monitor, documents, readersDocuments }: ToolParts,
  signal: AbortSignal,
): Promise<ToolResult> {
  const identity = shell.identity ?? identityIn(call);
  if (identity === undefined) return { stdout: '', stderr: `${call.tool}: ${UNCONNECTED}\n`, exitCode: EXIT.DISCONNECTED };
  const { node, nodeId, clusterName } = identity;
  const { joined } = shell;
  const patienceMs = patienceOf(call.env);
  const patiently = <T>(attempt: () => Promise<T>): Promise<T> => patience.ask(attempt, signal, patienceMs);
  const cluster: ToolCluster = {
    node,
    nodeId,
    clusterName,
    setAttributes: (changes) => attributes.writes.write(changes, patienceMs),
    transient: {
      own: {
        names: attributes.own.names,
        get: (name) => attributes.own.get(name),
        set: (name, value) => attributes.privately.set(name, value),
      },
      read: (of) => (joined === undefined ? unconnected() : patiently(() => server.transientAttributes(shell.serverUrl, of))),
    },
    cib: () => (joined === undefined ? unconnected() : patiently(() => cib.text(shell.serverUrl))),
    request: (request, by) => {
      if (joined === undefined) return unconnected();
      const asked = carriable({ incarnation: joined.incarnation, request, ...by });
      const send = (write: number): Promise<AgentToolAnswer> => server.toolRequest(shell.serverUrl, { ...asked, write });
      return numbered.send((attempt) => (isSafeTwice(request) ? patiently(attempt) : attempt()), send);
    },
    fencing: (of) => (joined === undefined ? unconnected() : patiently(() => server.fencing(shell.serverUrl, of))),
    force: (operation) => forced.run(operation),
    monitor: (task) => monitor.perform(task),
  };
  if (!isOfDocuments(call)) return runTool(call, cluster);
  return (call.isReader === true ? readersDocuments : documents).run(call, cluster);
}

function sessionOf({ joined, serverUrl }: NodeShell): { readonly url: string; readonly incarnation: number } | undefined {
  return joined === undefined ? undefined : { url: serverUrl, incarnation: joined.incarnation };
}

const UNCONNECTED = 'this node has no connection to the cluster';

function unconnected(): Promise<never> {
  return Promise.reject(new ServerUnavailable(UNCONNECTED));
}

/**
 * Which node this is, as the operation was told that asks: a process of the agent that has not joined yet may have to stop what an earlier one started, and what stops it may
 * name things after the node.
 */
function identityIn({ env }: ToolCall): NodeShell['identity'] {
  const { OCF_RESKEY_CRM_meta_on_node: node, OCF_RESKEY_CRM_meta_on_node_uuid: nodeId } = env;
  return node === undefined || nodeId === undefined ? undefined : { node, nodeId, clusterName: '' };
}
