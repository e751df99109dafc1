import { dueAt, isWritten, mayDisarm, mayFeed, nodeStart, nodeStep } from '@systole/node-session';
import type { EndReason, Found, NodeEffect, NodeInput, NodeSettings, NodeState, NodeStep } from '@systole/node-session';
import type { JoinAnswer } from '@systole/protocol';
import type { Logger } from 'pino';
import type { Journal } from '../journal/journal.js';
import type { MonotonicClock } from '../lease/clock.js';
import type { LeaseFile } from '../lease/lease-file.js';
import type { WatchdogKeeper } from '../lease/watchdog.js';
import type { LogIdentity } from '../log-identity.js';
import type { ActiveRecord } from '../node/active-record.js';
import { processorLoadPercent } from '../node/processor-load.js';
import { endLeftover } from '../node/leftovers.js';
import type { Programs } from '../programs/programs.js';
import type { GivenSecrets } from '../secrets/given-secrets.js';
import { ServerRefused, ServerUnavailable, type ServerConnection } from '../server/server-connection.js';

/** setTimeout can't wait longer, ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** How long the end of the session waits for a disk that is full or hangs, ms. */
const LONGEST_FLUSH_MS = 5_000;

type InputBody = NodeInput extends infer Input ? (Input extends NodeInput ? Omit<Input, 'now' | 'wallMs' | 'loadPercent'> : never) : never;

export interface ShellParts {
  readonly clock: MonotonicClock;
  readonly journal: Journal;
  readonly activeRecord: ActiveRecord;
  readonly leaseFile: LeaseFile;
  readonly server: ServerConnection;
  readonly programs: Pick<Programs, 'run' | 'kill'>;
  readonly secrets: Pick<GivenSecrets, 'keptApart'>;
  readonly logger: Logger;
  /** Hears which node this is. */
  readonly identity: Pick<LogIdentity, 'joined'>;
  /** Between TERM and KILL of what an earlier agent left, ms. */
  readonly killGraceMs: number;
  /** Restarts the machine at once. @param failed told what kept it from happening */
  readonly panic: (failed: (problem: string) => void) => void;
  /** Feeds the watchdog, if there is one and it may be fed; soon, not at once. */
  readonly feed: () => void;
}

/** Carries out what the node's session asks for, and tells it what came of that. All decisions are the session's. */
export class NodeShell {
  private state: NodeState;
  private readonly first: NodeStep;
  private timer: NodeJS.Timeout | undefined;
  private readonly requests = new Map<number, AbortController>();
  private ending: EndReason | undefined;
  private flushing: NodeJS.Timeout | undefined;
  private closed = false;
  private joinedLast: JoinAnswer | undefined;
  /** Why the agent ended; rejects when it can't go on. */
  readonly end: Promise<EndReason>;
  private settle: { readonly resolve: (reason: EndReason) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(
    private readonly parts: ShellParts,
    settings: NodeSettings,
    found: Found,
  ) {
    this.end = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.first = nodeStart(settings, found, { now: parts.clock(), wallMs: Date.now() });
    this.state = this.first.state;
  }

  /** To be called once, when everything that resource agents need is there, and a watchdog is armed. */
  begin(): void {
    this.carryOut(this.first);
  }

  /** The agent shall leave. */
  stop(): void {
    this.input({ type: 'stop' });
  }

  /** The session's cluster and node, while there is a session. */
  get joined(): JoinAnswer | undefined {
    const { phase } = this.state;
    return phase.kind === 'member' ? phase.joined : undefined;
  }

  /** Which node of which cluster this is, as the newest session of this process said; also while there is none. */
  get identity(): Pick<JoinAnswer, 'node' | 'nodeId' | 'clusterName'> | undefined {
    return this.joinedLast;
  }

  /** Base URL of the server that answered last, or is tried next. */
  get serverUrl(): string {
    const { urls, current } = this.state.servers;
    return urls[current] ?? '';
  }

  /** Whether all that happened is in the journal. */
  get isRecorded(): boolean {
    return isWritten(this.state);
  }

  /** Whether a watchdog is to be disarmed, now that the session has ended. */
  get mayDisarm(): boolean {
    return mayDisarm(this.state);
  }

  /** How the session decides about a watchdog, and hears of it. */
  watchdogKeeper(): WatchdogKeeper {
    return {
      mayFeed: () => mayFeed(this.state, this.parts.clock()),
      armed: (timeoutMs) => {
        if (this.state.watchdogIs !== 'armed') this.input({ type: 'watchdog', is: 'armed', timeoutMs });
      },
      lost: (problem) => {
        if (this.state.watchdogIs !== 'lost') this.input({ type: 'watchdog', is: 'lost', problem });
      },
    };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.flushing);
    for (const request of this.requests.values()) request.abort();
  }

  private input(input: InputBody): void {
    if (this.closed) return;
    try {
      const at = { now: this.parts.clock(), wallMs: Date.now(), loadPercent: processorLoadPercent() };
      this.carryOut(nodeStep(this.state, { ...input, ...at }));
    } catch (error) {
      this.close();
      this.settle?.reject(error);
    }
  }

  private carryOut({ state, effects }: NodeStep): void {
    this.state = state;
    const { joined } = this;
    if (joined !== undefined && joined !== this.joinedLast) {
      this.joinedLast = joined;
      this.parts.identity.joined(joined);
    }
    for (const effect of effects) this.perform(effect);
    if (this.ending !== undefined) this.endWith(this.ending);
    clearTimeout(this.timer);
    const due = dueAt(state);
    if (due === undefined || this.closed) return;
    const inMs = Math.min(LONGEST_TIMER_MS, Math.ceil(due - this.parts.clock()));
    this.timer = setTimeout(() => {
      this.input({ type: 'tick' });
    }, inMs);
  }

  /** What is done is done: a disk that takes no more keeps nobody from ending. */
  private endWith(reason: EndReason): void {
    if (this.isRecorded) this.settle?.resolve(reason);
    else this.flushing ??= setTimeout(() => this.settle?.resolve(reason), LONGEST_FLUSH_MS);
  }

  private perform(effect: NodeEffect): void {
    const { journal, leaseFile, programs, logger } = this.parts;
    switch (effect.type) {
      case 'log':
        logger[effect.level](effect.fields, effect.text);
        return;
      case 'write':
        void this.write(journal, effect);
        return;
      case 'send':
        void this.send(effect);
        return;
      case 'abandon':
        this.requests.get(effect.request)?.abort();
        return;
      case 'run':
        void this.run(effect);
        return;
      case 'kill':
        programs.kill(effect.run);
        return;
      case 'end-leftover':
        void this.endLeftover(effect);
        return;
      case 'note-lease':
        void leaseFile.write(effect.ageMs, effect.leaseMs);
        return;
      case 'forget-lease':
        void leaseFile.remove();
        return;
      case 'feed':
        this.parts.feed();
        return;
      case 'panic':
        this.parts.panic((problem) => {
          logger.error({ problem }, 'the machine could not be restarted');
        });
        return;
      case 'end':
        this.ending = effect.reason;
        return;
    }
  }

  private async endLeftover({ actionId, process }: Extract<NodeEffect, { type: 'end-leftover' }>): Promise<void> {
    try {
      await endLeftover(actionId, process, this.parts.killGraceMs);
    } catch (error) {
      this.parts.logger.error({ actionId, problem: messageOf(error) }, 'what the last agent process left running could not be ended');
    }
    this.input({ type: 'leftover-ended', actionId });
  }

  private async write(journal: Journal, { write, records }: Extract<NodeEffect, { type: 'write' }>): Promise<void> {
    try {
      await journal.append(...records);
    } catch (error) {
      this.input({ type: 'write-failed', write, problem: messageOf(error) });
      return;
    }
    this.input({ type: 'written', write });
    // Not earlier than what this process found is in the journal: until then the second record is the only one of it.
    if (!this.closed) this.parts.activeRecord.follow(this.state.journal.durable);
  }

  private async run({ run, job, actionId }: Extract<NodeEffect, { type: 'run' }>): Promise<void> {
    const outcome = await this.parts.programs.run(run, job, actionId, (process) => {
      this.input({ type: 'started', run, process });
    });
    this.input({ type: 'ended', run, outcome });
  }

  private async send({ request, server, message, timeoutMs }: Extract<NodeEffect, { type: 'send' }>): Promise<void> {
    const controller = new AbortController();
    this.requests.set(request, controller);
    try {
      // The session, and whatever it writes down, knows nothing of the secrets in it.
      const answer = await this.parts.secrets.keptApart(await this.parts.server.ask(server, message, timeoutMs, controller.signal));
      this.input({ type: 'answered', request, answer });
    } catch (error) {
      this.input(failureOf(request, error));
    } finally {
      this.requests.delete(request);
    }
  }
}

function failureOf(request: number, error: unknown): InputBody {
  const detail = messageOf(error);
  if (error instanceof ServerRefused) {
    const { statusCode: status, problemType, places } = error;
    return { type: 'refused', request, status, problemType, detail, places };
  }
  if (!(error instanceof ServerUnavailable)) return { type: 'unanswered', request, detail };
  const { statusCode: status, retryAfterMs } = error;
  return {
    type: 'unanswered',
    request,
    detail,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === 0 ? {} : { retryAfterMs }),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
