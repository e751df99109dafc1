import { setTimeout as sleep } from 'node:timers/promises';
import { pollTiming, QUICK_ANSWER_MS } from '@systole/node-session';
import {
  LIMITS,
  parseJoinAnswer,
  parsePollAnswer,
  parseResultsAnswer,
  PROTOCOL,
  type AgentAction,
  type AgentResult,
  type JoinAnswer,
  type PollAnswer,
  type PollRequest,
  type Witness,
} from '@systole/protocol';
import { AgentConnection, type AgentMessage, type Reply } from './agent-connection.js';
import { SimulatedNode } from './simulated-node.js';

/** Which node an agent is for, and how it gets to its server. */
export interface AgentIdentity {
  /** Base URLs of its servers. */
  readonly urls: readonly string[];
  readonly cluster: string;
  readonly node: string;
  readonly token: string;
  /** From which it connects. */
  readonly localAddress: string;
}

/** Who wants to know what agents do. Times are ms of the process's clock. */
export interface AgentWatch {
  /** An action arrived in a poll's answer. */
  received(agent: SimulatedAgent, action: AgentAction, at: number): void;
  /** A result is on its way to the server, for the first time. */
  reported(agent: SimulatedAgent, result: AgentResult, at: number): void;
  /** The server has stored these for good. */
  acknowledged(agent: SimulatedAgent, resultIds: readonly string[], at: number): void;
  /** The server does not want this message as it is, or this agent: no agent in its senses is refused in these measurements. */
  refused(agent: SimulatedAgent, message: AgentMessage, reply: Reply): void;
  /** No answer, or one that says to come back later; the agent does. */
  unanswered(agent: SimulatedAgent, message: AgentMessage, why: string): void;
  /** A fence device was told to fence a node. */
  fenced(agent: SimulatedAgent, target: string): void;
}

/** How many actions each says to carry out at a time: as many as an agent on a machine of eight cores does, unless its setting says otherwise. */
const ACTION_LIMIT = Number(process.env['SYSTOLE_ACTION_LIMIT'] ?? 16);
const REQUEST_TIMEOUT_MS = 10_000;
const JOIN_TIMEOUT_MS = 30_000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5_000;
/** Bytes of results in one request. */
const BATCH_BYTES = LIMITS.requestBytes * 0.9;

interface Waiting {
  readonly resultId: string;
  readonly actionId: string;
  readonly text: string;
}

/**
 * An agent over the real protocol, whose programs take no time. It says and waits as the agent's session does (`libs/node-session`), without its journal: one poll at
 * a time, numbered, with what it knows and the newest head that it was told; results at once, in batches, one request at a time, until each is acknowledged.
 */
export class SimulatedAgent {
  readonly simulated: SimulatedNode;
  private readonly connection: AgentConnection;
  private readonly ended = new AbortController();
  private readonly accepted = new Set<string>();
  private readonly known = new Set<string>();
  private readonly waiting: Waiting[] = [];
  private sending = false;
  private joined: JoinAnswer | undefined;
  private witness: Witness | undefined;
  private told: Pick<PollAnswer, 'onLeaseLoss' | 'unmanaged'> = {};
  private polls = 0;
  private calls = 0;

  constructor(
    readonly identity: AgentIdentity,
    private readonly watch: AgentWatch,
  ) {
    this.connection = new AgentConnection(identity.urls, identity.token, identity.localAddress);
    this.simulated = new SimulatedNode((target) => {
      watch.fenced(this, target);
    });
  }

  /** Joins; from then on it polls. @returns false when it was refused */
  async join(): Promise<boolean> {
    const { node } = this.identity;
    const body = {
      protocol: PROTOCOL,
      agentVersion: 'load',
      node,
      bootId: `boot-${node}`,
      attempt: { processStartedMs: 60_000, number: 1 },
      uptimeMs: 60_000,
      active: [],
      unmanaged: [],
      watchdog: false,
      actionLimit: ACTION_LIMIT,
    };
    const sentAt = performance.now();
    const answer = await this.ask('join', JSON.stringify(body), JOIN_TIMEOUT_MS);
    if (answer === undefined) return false;
    const joined = parseJoinAnswer(answer);
    this.joined = joined;
    this.told = joined.onLeaseLoss === undefined ? {} : { onLeaseLoss: joined.onLeaseLoss };
    this.noteHead(joined.head);
    void this.poll(joined, sentAt);
    return true;
  }

  /** The machine is off: nothing is said any more. */
  async end(): Promise<void> {
    this.ended.abort();
    await this.connection.close();
  }

  /** A resource here is gone, and its monitor reports that. @returns whether it is monitored here */
  lose(resource: string): boolean {
    const found = this.simulated.lose(resource);
    if (found === undefined) return false;
    this.report(found.monitor, found.rc, true);
    return true;
  }

  /** Another result of a recurring monitor. @returns false when there is no such monitor here */
  repeatMonitor(resource: string, rc: number): boolean {
    const monitor = this.simulated.monitorOf(resource);
    if (monitor === undefined) return false;
    this.report(monitor, rc, true);
    return true;
  }

  private async poll({ leaseMs, pollMs }: JoinAnswer, joinedAt: number): Promise<void> {
    let lease = { from: joinedAt, ms: leaseMs };
    let failures = 0;
    while (!this.ended.signal.aborted) {
      const sentAt = performance.now();
      const { waitMs, timeoutMs } = pollTiming(lease.ms, pollMs, Math.max(0, lease.from + lease.ms - sentAt), failures);
      const answer = await this.attempt('poll', JSON.stringify(this.pollRequest(waitMs)), timeoutMs);
      if (answer === 'refused') return;
      if (answer === undefined) {
        await this.pause(retryMs(failures));
        failures++;
        continue;
      }
      failures = 0;
      const at = performance.now();
      const poll = parsePollAnswer(answer);
      lease = { from: sentAt, ms: poll.leaseMs };
      this.take(poll, at);
      if (at - sentAt < QUICK_ANSWER_MS) await this.pause(QUICK_ANSWER_MS);
    }
  }

  private pollRequest(waitMs: number): PollRequest {
    const { onLeaseLoss, unmanaged = [] } = this.told;
    this.polls += 1;
    return {
      incarnation: this.joined?.incarnation ?? 0,
      waitMs,
      seq: this.polls,
      known: [...this.known],
      active: this.simulated.activeIds(),
      unmanaged,
      watchdog: false,
      ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }),
      ...(this.witness === undefined ? {} : { witness: this.witness }),
    };
  }

  private take(poll: PollAnswer, at: number): void {
    const { onLeaseLoss = this.told.onLeaseLoss, unmanaged } = poll;
    this.told = { ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }), ...(unmanaged === undefined ? {} : { unmanaged }) };
    this.noteHead(poll.head);
    for (const action of poll.actions) {
      if (this.accepted.has(action.actionId)) continue;
      this.accepted.add(action.actionId);
      this.watch.received(this, action, at);
      this.report(action, this.simulated.carryOut(action), false);
    }
  }

  private noteHead(head: PollAnswer['head']): void {
    if (head === undefined || (this.witness?.epoch === head.epoch && this.witness.version >= head.version)) return;
    this.witness = head;
  }

  private report(action: AgentAction, rc: number, recurring: boolean): void {
    this.calls += 1;
    const { actionId, transitionKey, resource, operation, intervalMs, digests, migrateSource, migrateTarget, fence } = action;
    const result: AgentResult = {
      resultId: `${this.identity.cluster}-${this.identity.node}-${this.joined?.incarnation ?? 0}-${this.calls}`,
      actionId,
      transitionKey,
      resource,
      operation,
      intervalMs,
      status: 'done',
      rc,
      callId: this.calls,
      startedAt: Math.floor(Date.now() / 1_000),
      execMs: 0,
      queueMs: 0,
      recurring,
      ...(digests === undefined ? {} : { digests }),
      ...(migrateSource === undefined ? {} : { migrateSource }),
      ...(migrateTarget === undefined ? {} : { migrateTarget }),
      ...(fence === undefined
        ? {}
        : { fence: { fencingId: fence.fencingId, target: fence.target, action: fence.action, deviceId: fence.deviceId } }),
    };
    this.known.add(actionId);
    this.waiting.push({ resultId: result.resultId, actionId, text: JSON.stringify(result) });
    this.watch.reported(this, result, performance.now());
    // What one answer brought is reported together.
    if (!this.sending) {
      this.sending = true;
      setImmediate(() => void this.deliver());
    }
  }

  private async deliver(): Promise<void> {
    for (let failures = 0; this.waiting.length > 0 && !this.ended.signal.aborted;) {
      const batch = this.nextBatch();
      const body = `{"incarnation":${this.joined?.incarnation ?? 0},"results":[${batch.map(({ text }) => text).join(',')}]}`;
      const answer = await this.attempt('results', body, REQUEST_TIMEOUT_MS);
      if (answer === 'refused') return;
      if (answer === undefined) {
        await this.pause(retryMs(failures));
        failures++;
        continue;
      }
      failures = 0;
      const acknowledged = new Set(parseResultsAnswer(answer).acknowledged);
      const kept = batch.filter(({ resultId }) => !acknowledged.has(resultId));
      this.waiting.splice(0, batch.length, ...kept);
      for (const { resultId, actionId } of batch) if (acknowledged.has(resultId)) this.known.delete(actionId);
      this.watch.acknowledged(this, [...acknowledged], performance.now());
    }
    this.sending = false;
  }

  /** In order, as many as one request may carry. */
  private nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.waiting.findIndex(({ text }, index) => {
      bytes += Buffer.byteLength(text) + 1;
      return index > 0 && (index >= LIMITS.results || bytes > BATCH_BYTES);
    });
    return this.waiting.slice(0, end === -1 ? this.waiting.length : end);
  }

  /** Until there is an answer. @returns undefined when it was refused */
  private async ask(message: AgentMessage, body: string, timeoutMs: number): Promise<unknown> {
    for (let failures = 0; !this.ended.signal.aborted; failures++) {
      const answer = await this.attempt(message, body, timeoutMs);
      if (answer !== undefined) return answer === 'refused' ? undefined : answer;
      await this.pause(retryMs(failures));
    }
    return undefined;
  }

  /** @returns what was answered; undefined when it has to be tried again */
  private async attempt(message: AgentMessage, body: string, timeoutMs: number): Promise<unknown> {
    const reply = await this.connection.send(message, body, timeoutMs).catch((error: unknown) => String(error));
    if (this.ended.signal.aborted) return undefined;
    if (typeof reply === 'string') {
      this.connection.nextServer();
      this.watch.unanswered(this, message, reply);
      return undefined;
    }
    const { status, text } = reply;
    if (status === 200) return JSON.parse(text);
    if (status === 408 || status === 429 || status >= 500) {
      if (status !== 429) this.connection.nextServer();
      this.watch.unanswered(this, message, `${status} ${text.slice(0, 300)}`);
      return undefined;
    }
    this.watch.refused(this, message, reply);
    return 'refused';
  }

  private pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.ended.signal }).catch(() => undefined);
  }
}

/** @param failures in a row before */
function retryMs(failures: number): number {
  const full = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
  return full / 2 + (Math.random() * full) / 2;
}
