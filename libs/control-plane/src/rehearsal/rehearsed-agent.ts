import {
  parseJoinRequest,
  parsePollAnswer,
  parsePollRequest,
  parseResultsRequest,
  PROTOCOL,
  type AgentAction,
  type JoinAnswer,
  type PollAnswer,
  type ResultsRequest,
} from '@systole/protocol';
import type { AgentSessions } from '../sessions/agent-sessions.js';
import type { Answer, CallingNode } from '../sessions/session.js';
import type { Ending } from '../time/wakeable.js';

const OCF_SUCCESS = 0;
const OCF_NOT_RUNNING = 7;
const ACTION_LIMIT = 16;
const CORRELATION = 'rehearsal';

type Result = ResultsRequest['results'][number];

/** An agent whose programs take no time. It says what it has to say in the words of the protocol, which are read as those of a real one. */
export class RehearsedAgent {
  private readonly calling: CallingNode;
  private readonly active = new Map<string, string>();
  private readonly monitors = new Map<string, AgentAction>();
  private readonly taken = new Set<string>();
  private joined: JoinAnswer | undefined;
  private head: JoinAnswer['head'];
  private polls = 0;
  private calls = 0;

  /**
   * @param turn before each request
   * @param ended from when on it asks nothing more
   */
  constructor(
    clusterId: string,
    private readonly node: string,
    private readonly sessions: AgentSessions,
    private readonly turn: () => Promise<void>,
    private readonly ended: Ending,
  ) {
    this.calling = { clusterId, node, tokenId: `token-${node}`, actor: `agent:${node}` };
  }

  /** Resources that run here and are monitored. */
  get watched(): readonly string[] {
    return [...this.monitors.keys()];
  }

  async join(): Promise<void> {
    const request = {
      protocol: PROTOCOL,
      agentVersion: 'rehearsed',
      node: this.node,
      bootId: `boot-${this.node}`,
      attempt: { processStartedMs: 60_000, number: 1 },
      uptimeMs: 60_000,
      active: [],
      unmanaged: [],
      watchdog: false,
      actionLimit: ACTION_LIMIT,
    };
    await this.turn();
    this.joined = accepted(await this.sessions.join(this.calling, parseJoinRequest(overTheWire(request)), CORRELATION));
    this.head = this.joined.head;
  }

  /** Polls and carries out, until it has ended. */
  async work(): Promise<void> {
    while (!this.ended.aborted) {
      const answer = await this.poll();
      const results = answer.actions.flatMap((action) => (this.taken.has(action.actionId) ? [] : [this.carriedOut(action)]));
      if (results.length > 0) await this.report(results);
    }
  }

  /** The monitor of a resource finds it gone. */
  async lose(resource: string): Promise<void> {
    const monitor = this.monitors.get(resource);
    if (monitor === undefined) throw new Error(`${resource} is not monitored on ${this.node}`);
    this.active.delete(resource);
    this.monitors.delete(resource);
    await this.report([this.result(monitor, OCF_NOT_RUNNING, true)]);
  }

  private async poll(): Promise<PollAnswer> {
    this.polls += 1;
    const request = {
      incarnation: this.joined?.incarnation,
      waitMs: this.joined?.pollMs,
      seq: this.polls,
      known: [],
      active: [...this.active.values()],
      unmanaged: [],
      watchdog: false,
      ...(this.head === undefined ? {} : { witness: this.head }),
    };
    await this.turn();
    const polled = await this.sessions.poll(this.calling, parsePollRequest(overTheWire(request)), [this.ended], CORRELATION);
    const answer = parsePollAnswer(overTheWire(accepted(polled)));
    if (answer.head !== undefined) this.head = answer.head;
    return answer;
  }

  private async report(results: readonly Result[]): Promise<void> {
    await this.turn();
    const request = parseResultsRequest(overTheWire({ incarnation: this.joined?.incarnation, results }));
    overTheWire(accepted(await this.sessions.results(this.calling, request, CORRELATION)));
  }

  private carriedOut(action: AgentAction): Result {
    this.taken.add(action.actionId);
    return this.result(action, this.carryOut(action), false);
  }

  /** @returns the return code */
  private carryOut(action: AgentAction): number {
    const { kind, operation, resource, intervalMs } = action;
    if (kind === 'cancel') this.monitors.delete(resource.id);
    else if (operation === 'start') this.active.set(resource.id, resource.historyId);
    else if (operation === 'stop') {
      this.active.delete(resource.id);
      this.monitors.delete(resource.id);
    } else if (operation === 'monitor') {
      if (intervalMs > 0) this.monitors.set(resource.id, action);
      return this.active.has(resource.id) ? OCF_SUCCESS : OCF_NOT_RUNNING;
    }
    return OCF_SUCCESS;
  }

  private result(action: AgentAction, rc: number, recurring: boolean): Result {
    this.calls += 1;
    const { actionId, transitionKey, resource, operation, intervalMs, digests } = action;
    return {
      resultId: `${this.node}-${this.calls}`,
      actionId,
      transitionKey,
      resource,
      operation,
      intervalMs,
      status: 'done',
      rc,
      callId: this.calls,
      startedAt: 0,
      endedAgoMs: 0,
      execMs: 0,
      queueMs: 0,
      recurring,
      ...(digests === undefined ? {} : { digests }),
    };
  }
}

/** As what is sent arrives. */
function overTheWire(message: object): unknown {
  return JSON.parse(JSON.stringify(message));
}

/** @throws {Error} when it was refused */
function accepted<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`an agent of the rehearsal was refused: ${answer.rejection.code}`);
  return answer.answer;
}
