import { checkIncarnation, reject, type ClusterState, type Rejection } from '@systole/cluster';
import type { ExecuteOptions, ExecuteResult } from '../commands/command-results.js';
import type { AgentWrites } from '../ports/agent-writes.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { CallingNode } from './session.js';

/** For so long agents wait for an answer, ms; what is older when it would be written nobody waits for. */
const AWAITED_MS = 10_000;

/** What an agent asks to have written. */
export interface AskedToWrite {
  readonly incarnation: number;
  /** See `NumberedWrite`; absent: the agent is of a version that numbers nothing. */
  readonly write?: number;
}

/** When the server had the request, before anything else was done: what lies between that and the append is what may have become late. */
export interface Received {
  /** Monotonic ms. */
  readonly at: number;
}

export interface Refusal {
  readonly ok: false;
  readonly rejection: Rejection;
}

export interface WriteOrderParts {
  readonly log: Pick<ClusterLog, 'load'>;
  readonly writes: AgentWrites;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * Keeps what agents have written in the order in which they asked for it, whichever server carries it out: one that stood still between the reading of a request and its append would write what was given up long ago
 * over what was acknowledged since.
 */
export class WriteOrder {
  constructor(private readonly parts: WriteOrderParts) {}

  received(): Received {
    return { at: this.parts.clock.monotonic() };
  }

  /** From now on nothing is written that bears a lower number. @returns why not */
  async raise({ clusterId, node }: CallingNode, { incarnation, write: number = 0 }: AskedToWrite): Promise<Refusal | undefined> {
    // Nothing is lower than the first.
    if (number === 0) return undefined;
    const { log, writes } = this.parts;
    const state = await log.load(clusterId);
    const ended = checkIncarnation(state, node, incarnation);
    if (ended !== undefined) return ended;
    return (await writes.begin({ clusterId, node, incarnation, number })) ? undefined : reject(state, 'write-overtaken', overtaken(node));
  }

  /**
   * @param execute has it written, and does what it is given in the transaction of the append
   * @returns 409 `write-overtaken` where the agent waits for it no longer; nothing is written then
   */
  async keep(
    agent: CallingNode,
    asked: AskedToWrite,
    received: Received,
    execute: (within: NonNullable<ExecuteOptions['within']>) => Promise<ExecuteResult>,
  ): Promise<ExecuteResult> {
    const { clock } = this.parts;
    const { incarnation, write: number } = asked;
    const { clusterId, node } = agent;
    const write = number === undefined ? undefined : { clusterId, node, incarnation, number };
    // What is lower must not come after the state that this is judged on: what changes nothing would else be acknowledged, and then be untrue.
    const refused = await this.raise(agent, asked);
    if (refused !== undefined) return refused;
    try {
      return await execute(async (tables, _, judged) => {
        const late = clock.monotonic() - received.at;
        if (late > AWAITED_MS) throw new NotWritten(reject(judged, 'write-overtaken', waited(node, late)));
        refuseEnded(judged, node, incarnation);
        if (write !== undefined && !(await tables.writes.begin(write)))
          throw new NotWritten(reject(judged, 'write-overtaken', overtaken(node)));
      });
    } catch (error) {
      if (error instanceof NotWritten) return error.refusal;
      throw error;
    }
  }
}

/** Takes back what was appended. */
class NotWritten extends Error {
  override readonly name = 'NotWritten';

  constructor(readonly refusal: Refusal) {
    super(refusal.rejection.message);
  }
}

/** Not all that is decided asks for the life of the agent: what it says of a peer does not. */
function refuseEnded(judged: ClusterState, node: string, incarnation: number): void {
  const ended = checkIncarnation(judged, node, incarnation);
  if (ended !== undefined) throw new NotWritten(ended);
}

function overtaken(node: string): string {
  return `the agent of ${node} has given this request up, and has asked for something later: nothing of it was written`;
}

function waited(node: string, ms: number): string {
  return `this took ${(ms / 1_000).toFixed(1)} s, and the agent of ${node} waits ${String(AWAITED_MS / 1_000)} s at most: nothing of it was written`;
}
