import { join } from 'node:path';
import type { AgentHost } from '@systole/ocf';
import type { Logger } from 'pino';
import type { AgentConfiguration } from './configuration.js';
import { EXIT_CODE, type ExitCode } from './exit-code.js';
import { Executor } from './execution/executor.js';
import { Journal } from './journal/journal.js';
import { leaseClock } from './lease/clock.js';
import { stopEverything } from './lease/emergency-stop.js';
import { LeaseFile } from './lease/lease-file.js';
import { Lease } from './lease/lease.js';
import { pollTiming } from './lease/poll-timing.js';
import { Watchdog } from './lease/watchdog.js';
import { agentHost } from './node/agent-host.js';
import { settleLeftovers } from './node/leftovers.js';
import { lockStateDirectory, prepareRunDirectory, writePidFile, type RunDirectory } from './node/run-directory.js';
import type { JoinAnswer, PollAnswer } from '@systole/protocol';
import { Backoff, delay, patiently } from './server/backoff.js';
import { Outbox } from './server/outbox.js';
import { ServerConnection, ServerRefused } from './server/server-connection.js';
import { runTool } from './tools/run-tool.js';
import { EXIT, type ToolCall, type ToolResult } from './tools/tool.js';
import { ToolServer } from './tools/tool-server.js';

export const AGENT_VERSION = '0.1.0';

/** How long the last results get to arrive when the agent leaves, ms. */
const LAST_RESULTS_MS = 10_000;
/** For resources of an earlier agent process whose lease is not on record, ms. */
const UNKNOWN_LEASE_MS = 15_000;
/** A poll answered faster than this is followed by a pause as long, ms. */
const QUICK_ANSWER_MS = 50;

/** Why a session with the server ended. */
type SessionEnd = 'left' | 'superseded' | 'lease-lost';

/** Runs the agent until it leaves the cluster, is superseded, or can't go on. */
export async function runAgent(configuration: AgentConfiguration, logger: Logger, stop: AbortSignal): Promise<ExitCode> {
  const runDirectory = await prepareRunDirectory(configuration.runDir);
  const unlock = await lockStateDirectory(configuration.stateDir);
  const removePidFile = configuration.pidFile === undefined ? undefined : await writePidFile(configuration.pidFile, runDirectory.path);
  const { journal, damagedCopy } = await Journal.open(join(configuration.stateDir, 'journal'));
  if (damagedCopy !== undefined) logger.error({ damagedCopy }, 'the journal was damaged; what was readable before the damage is used');
  const agent = new NodeAgent(configuration, logger, journal, runDirectory, stop);
  let mayDisarm = false;
  try {
    await settleLeftovers(journal, runDirectory.bootId, configuration.killGraceMs, logger);
    const exitCode = await agent.run();
    mayDisarm = true;
    return exitCode;
  } finally {
    await agent.close(mayDisarm);
    await journal.close();
    await removePidFile?.();
    await unlock();
  }
}

class NodeAgent {
  private readonly server: ServerConnection;
  private readonly lease: Lease;
  private readonly leaseFile: LeaseFile;
  private readonly host: AgentHost;
  private readonly executor: Executor;
  private readonly outbox: Outbox;
  private readonly backoff = new Backoff();
  private watchdog: Watchdog | undefined;
  /** The watchdog is not fed: the machine must be reset. */
  private starving = false;
  private tools: ToolServer | undefined;
  private joined: JoinAnswer | undefined;
  private unmanaged: ReadonlySet<string> = new Set();
  /** Ends the present attempt to talk to the server; renewed for every session. */
  private session = new AbortController();
  private sessionEnd: SessionEnd | undefined;
  private fatal: unknown;

  constructor(
    private readonly configuration: AgentConfiguration,
    private readonly logger: Logger,
    private readonly journal: Journal,
    private readonly runDirectory: RunDirectory,
    private readonly stop: AbortSignal,
  ) {
    this.server = new ServerConnection({ url: configuration.serverUrl, token: configuration.token });
    this.lease = new Lease(leaseClock(), () => {
      this.onLeaseRunningOut();
    });
    this.leaseFile = new LeaseFile(join(runDirectory.path, 'lease'));
    this.host = agentHost(configuration, runDirectory);
    this.executor = new Executor({
      host: this.host,
      journal,
      logger,
      actionLimit: configuration.actionLimit,
      onResult: () => {
        this.outbox.wake();
      },
      onFatal: (error) => {
        this.fatal = error;
        this.session.abort();
      },
    });
    this.outbox = new Outbox({
      journal,
      server: this.server,
      logger,
      onRefused: (refusal) => {
        this.end(refusal.superseded ? 'superseded' : 'lease-lost');
      },
    });
  }

  async run(): Promise<ExitCode> {
    this.tools = await ToolServer.start(this.runDirectory.tools, (call) => this.answerTool(call));
    this.openWatchdog();
    this.stop.addEventListener('abort', () => {
      if (this.joined === undefined) this.session.abort();
    });
    await this.resumeLease();
    for (;;) {
      const joined = await this.join();
      if (joined === 'stopped') return EXIT_CODE.LEFT;
      if (joined === 'not-permitted') return EXIT_CODE.NOT_PERMITTED;
      const end = await this.serve(joined);
      switch (end) {
        case 'left':
          return EXIT_CODE.LEFT;
        case 'superseded':
          this.logger.error('another agent has joined as this node; this one ends and leaves all resources as they are');
          return EXIT_CODE.SUPERSEDED;
        case 'lease-lost':
          await this.actOnLeaseLoss();
      }
    }
  }

  /** @param disarm whether the machine may live on without this agent */
  async close(disarm: boolean): Promise<void> {
    this.outbox.close();
    this.executor.forgetPlans();
    this.lease.drop();
    if (disarm) this.watchdog?.disarm();
    await this.tools?.close();
    await this.server.close();
  }

  /** Tries until the server lets this node in, the agent shall stop, or trying is pointless. */
  private async join(): Promise<JoinAnswer | 'stopped' | 'not-permitted'> {
    this.newSession();
    for (;;) {
      this.throwIfFatal();
      if (this.sessionEnd === 'lease-lost') {
        await this.actOnLeaseLoss();
        this.newSession();
      }
      if (this.stop.aborted) return this.stopAlone();
      const sentAt = this.lease.now();
      try {
        const { nodeName } = this.configuration;
        const request = {
          agentVersion: AGENT_VERSION,
          bootId: this.runDirectory.bootId,
          ...(nodeName === undefined ? {} : { node: nodeName }),
        };
        const answer = await this.server.join(request, this.session.signal);
        if (!this.isRightNode(answer)) return 'not-permitted';
        this.renew(sentAt, answer.leaseMs);
        this.backoff.reset();
        return answer;
      } catch (error) {
        if (error instanceof ServerRefused && [401, 403].includes(error.statusCode) && this.journal.state.active.size === 0) {
          this.logger.error({ problem: error.message }, 'the server does not accept the token');
          return 'not-permitted';
        }
        await this.pause(error, 'can not join');
      }
    }
  }

  private isRightNode({ node }: JoinAnswer): boolean {
    const { nodeName } = this.configuration;
    if (nodeName === undefined || nodeName === node) return true;
    this.logger.error({ node, expected: nodeName }, 'the token is for another node; give this agent the token of its own');
    return false;
  }

  /** The agent shall stop, but has no server to stop its resources in the right order. */
  private async stopAlone(): Promise<'stopped'> {
    const left = await this.stopEverything(0);
    if (left.length > 0) this.logger.error({ resources: left }, 'these resources could not be stopped');
    return 'stopped';
  }

  /** One incarnation of this node: polls for actions until something ends it. */
  private async serve(joined: JoinAnswer): Promise<SessionEnd> {
    this.joined = joined;
    this.starving = false;
    this.logger.info(
      { cluster: joined.clusterName, node: joined.node, incarnation: joined.incarnation, leaseMs: joined.leaseMs },
      'joined',
    );
    this.executor.begin(joined.incarnation);
    this.outbox.open(joined.incarnation);
    const askForShutdown = (): void => {
      void this.askForShutdown(joined.incarnation);
    };
    this.stop.addEventListener('abort', askForShutdown, { once: true });
    if (this.stop.aborted) askForShutdown();
    try {
      return await this.pollUntilEnd(joined);
    } finally {
      this.stop.removeEventListener('abort', askForShutdown);
      this.outbox.close();
      this.joined = undefined;
    }
  }

  private async pollUntilEnd(joined: JoinAnswer): Promise<SessionEnd> {
    let { leaseMs } = joined;
    for (let seq = 1; ; seq++) {
      this.throwIfFatal();
      const end = this.ended();
      if (end !== undefined) return end;
      const sentAt = this.lease.now();
      try {
        const answer = await this.poll(joined, leaseMs, seq);
        if (this.ended() !== undefined) continue;
        leaseMs = answer.leaseMs;
        this.renew(sentAt, leaseMs);
        this.backoff.reset();
        this.unmanaged = new Set(answer.unmanaged);
        for (const action of answer.actions) this.executor.accept(action);
        if (answer.shutdown === true) {
          await this.leave(joined.incarnation);
          return 'left';
        }
        // A server that answers at once with nothing new must not be asked in a tight loop.
        if (this.lease.now() - sentAt < QUICK_ANSWER_MS) await delay(QUICK_ANSWER_MS, this.session.signal);
      } catch (error) {
        if (error instanceof ServerRefused && error.statusCode === 409) this.end(error.superseded ? 'superseded' : 'lease-lost');
        else if (this.ended() === undefined) await this.pause(error, 'can not renew the lease');
      }
    }
  }

  /** @param seq greater than that of every earlier poll of the incarnation; all of them are answered or given up by now */
  private poll({ incarnation, pollMs }: JoinAnswer, leaseMs: number, seq: number): Promise<PollAnswer> {
    const { waitMs, timeoutMs } = pollTiming(leaseMs, pollMs, this.lease.untilActionMs());
    const request = { incarnation, waitMs, seq, known: this.executor.known(), resources: [...this.journal.state.active.keys()] };
    return this.server.poll(request, timeoutMs, this.session.signal);
  }

  private renew(sentAt: number, leaseMs: number): void {
    this.lease.renew(sentAt, leaseMs);
    void this.leaseFile.write(this.lease.now() - sentAt, leaseMs);
  }

  /** The server moves the resources away and says in a poll's answer when that is done. */
  private async askForShutdown(incarnation: number): Promise<void> {
    const { signal } = this.session;
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        await this.server.requestShutdown(incarnation, signal);
        this.logger.info('asked the cluster to stop or move what runs here');
        return;
      } catch (error) {
        if (this.ended() !== undefined) return;
        this.logger.warn({ problem: messageOf(error) }, 'can not ask for shutdown');
        await delay(backoff.next(), signal);
      }
    }
  }

  private async leave(incarnation: number): Promise<void> {
    this.executor.forgetPlans();
    await this.executor.idle();
    await Promise.race([this.outbox.empty(), delay(LAST_RESULTS_MS, this.session.signal)]);
    try {
      await this.server.leave(incarnation, this.session.signal);
      this.logger.info('left the cluster');
    } catch (error) {
      this.logger.warn({ problem: messageOf(error) }, 'could not say goodbye; the cluster will notice that the lease runs out');
    }
    this.lease.drop();
    await this.leaseFile.remove();
  }

  /** Before the lease ends: nothing that the server may start elsewhere must be left running here. */
  private async actOnLeaseLoss(): Promise<void> {
    const { onLeaseLoss } = this.configuration;
    this.logger.error({ onLeaseLoss, remainingMs: Math.round(this.lease.remainingMs()) }, 'the lease can not be renewed in time');
    this.executor.forgetPlans();
    if (onLeaseLoss === 'watchdog') this.starving = true;
    if (onLeaseLoss === 'stop') {
      this.executor.abortAllButStops();
      const left = await this.stopEverything(this.lease.remainingMs());
      if (left.length > 0) {
        this.starving = true;
        this.logger.error({ resources: left, watchdog: this.watchdog !== undefined }, 'these resources could not be stopped');
      }
    }
    await this.executor.idle();
    this.executor.forgetPlans();
    this.lease.drop();
    await this.leaseFile.remove();
  }

  private stopEverything(beginWithinMs: number): Promise<string[]> {
    const { host, journal, logger } = this;
    return stopEverything({
      host,
      journal,
      logger,
      stopTimeoutMs: this.configuration.stopTimeoutMs,
      except: this.unmanaged,
      beginWithinMs,
      whenFree: (historyId) => this.executor.idleOf(historyId),
    });
  }

  /** What ran here before this process started is under the lease of that time. */
  private async resumeLease(): Promise<void> {
    const found = await this.leaseFile.read();
    if (this.journal.state.active.size === 0) return;
    const { ageMs, leaseMs } = found ?? { ageMs: 0, leaseMs: UNKNOWN_LEASE_MS };
    this.lease.renew(this.lease.now() - ageMs, leaseMs);
  }

  private onLeaseRunningOut(): void {
    if (this.configuration.onLeaseLoss === 'ignore') {
      this.logger.error('the lease can not be renewed in time; resources go on, as configured, and may soon run elsewhere, too');
      return;
    }
    this.end('lease-lost');
  }

  private openWatchdog(): void {
    const { watchdog } = this.configuration;
    if (watchdog !== undefined) this.watchdog = new Watchdog(watchdog, () => !this.starving);
  }

  private async answerTool(call: ToolCall): Promise<ToolResult> {
    const { joined } = this;
    if (joined === undefined)
      return { stdout: '', stderr: `${call.tool}: this node has no connection to the cluster\n`, exitCode: EXIT.DISCONNECTED };
    const { signal } = this.session;
    return runTool(call, {
      node: joined.node,
      nodeId: joined.nodeId,
      clusterName: joined.clusterName,
      setAttributes: (changes) => patiently(() => this.server.attributes(joined.incarnation, changes, signal), signal),
      cib: () => patiently(() => this.server.cib(signal), signal),
    });
  }

  private newSession(): void {
    this.session = new AbortController();
    this.sessionEnd = undefined;
  }

  private ended(): SessionEnd | undefined {
    return this.sessionEnd;
  }

  private end(why: SessionEnd): void {
    this.sessionEnd ??= why;
    this.session.abort();
  }

  private async pause(error: unknown, what: string): Promise<void> {
    if (this.session.signal.aborted) return;
    const delayMs = this.backoff.next();
    this.logger.warn({ problem: messageOf(error), delayMs }, what);
    await delay(delayMs, this.session.signal);
  }

  private throwIfFatal(): void {
    if (this.fatal !== undefined) throw this.fatal instanceof Error ? this.fatal : new Error(messageOf(this.fatal));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
