import type { ClusterCommand } from '@systole/cluster';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import type { ExecuteResult } from '../commands/command-results.js';
import type { CommitFate } from '../memory/memory-log.js';
import type { AgentWrites } from '../ports/agent-writes.js';
import type { AdvanceFailures } from '../ports/advance-failures.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterClaims } from '../ports/cluster-claims.js';
import type { Append, AppendPart, ClusterLog } from '../ports/cluster-log.js';
import type { Dispatches, DispatchSignals } from '../ports/dispatches.js';
import type { HeadSeals } from '../ports/head-seals.js';
import type { Heartbeats } from '../ports/heartbeats.js';
import type { NodeLeases } from '../ports/node-leases.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';

/** The ports as one process has them. */
export interface PortsOfProcess {
  readonly log: ClusterLog;
  readonly leases: NodeLeases;
  readonly heartbeats: Heartbeats;
  readonly dispatches: Dispatches;
  readonly signals: DispatchSignals;
  readonly graphs: StoredGraphs;
  readonly claims: ClusterClaims;
  readonly failures: AdvanceFailures;
  readonly seals: HeadSeals;
  readonly writes: AgentWrites;
}

/** One database, with several processes on it. */
export interface PortsUnderTest {
  /** The ports of one more process. */
  open(): Promise<PortsOfProcess>;
  /** What becomes of the next commit of events, by whichever process. */
  nextCommit(fate: Exclude<CommitFate, 'late'>): void;
  /** As after the restore of a copy: of this stream nothing is left beyond a version. */
  loseTail(clusterId: string, lastVersion: number): Promise<void>;
  close(): Promise<void>;
}

/** Of commands whose origin is of no matter. */
export const META = { actor: 'test', correlationId: 'test' };
/** Of the node n1. */
export const JOIN: ClusterCommand = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 10_000 };
/** A command on n1 that changes nothing else. */
export const attribute = (value: string, name = 'a'): ClusterCommand => ({
  type: 'set-node-attribute',
  node: 'n1',
  name,
  value,
  lifetime: 'reboot',
});
/** Of this process: the ports under test wait in real time. */
export const clock: Clock = {
  timeOfDay: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** What a test of the ports finds: two processes on one database, and a cluster of its own that was created at version 1. */
export interface PortsAtHand {
  readonly under: PortsUnderTest;
  readonly one: PortsOfProcess;
  readonly other: PortsOfProcess;
  readonly clusterId: string;
}

/** {@link PortsAtHand}, and what tests of the ports do all the time. */
export interface PortBench {
  /** @throws {Error} before the first test */
  readonly now: () => PortsAtHand;
  readonly commandsOf: (ports: PortsOfProcess) => ClusterCommands;
  /** @throws {Error} when the command is rejected */
  readonly execute: (ports: PortsOfProcess, command: ClusterCommand) => Promise<Extract<ExecuteResult, { ok: true }>>;
  /** Of the test's cluster, as the other process reads it. */
  readonly version: () => Promise<number>;
  /** One event, and work on the tables. */
  readonly partOf: (within?: AppendPart['within']) => AppendPart;
  /** To the test's cluster. */
  readonly appendOf: (expectedVersion: number, more?: Pick<Append, 'guard'> & Pick<AppendPart, 'within'>) => Append;
}

/** Opens the database before the tests of the describe that it is called in, and closes it after them; before each there is another cluster. */
export function portBench(start: () => Promise<PortsUnderTest>): PortBench {
  let opened: Omit<PortsAtHand, 'clusterId'> | undefined;
  let clusterId = '';
  const now = (): PortsAtHand => {
    if (opened === undefined) throw new Error('the ports are not open');
    return { ...opened, clusterId };
  };
  const commandsOf = ({ log }: PortsOfProcess): ClusterCommands =>
    new ClusterCommands({ log, clock, chance: { uuid: () => crypto.randomUUID(), fraction: () => Math.random() } });
  const execute = async (ports: PortsOfProcess, command: ClusterCommand): Promise<Extract<ExecuteResult, { ok: true }>> => {
    const result = await commandsOf(ports).execute(now().clusterId, command, META);
    if (!result.ok) throw new Error(result.rejection.message);
    return result;
  };
  const version = async (): Promise<number> => (await now().other.log.load(now().clusterId)).version;
  const partOf = (within?: AppendPart['within']): AppendPart => ({
    events: [{ type: 'NodeAttributeSet', data: { node: 'n1', name: 'x', value: crypto.randomUUID(), lifetime: 'reboot' } }],
    meta: { actor: 'test', command: 'test', correlationId: 'test', causationId: crypto.randomUUID() },
    ...(within === undefined ? {} : { within }),
  });
  const appendOf = (expectedVersion: number, { guard, within }: Pick<Append, 'guard'> & Pick<AppendPart, 'within'> = {}): Append => ({
    clusterId: now().clusterId,
    expectedVersion,
    parts: [partOf(within)],
    ...(guard === undefined ? {} : { guard }),
  });

  beforeAll(async () => {
    const under = await start();
    opened = { under, one: await under.open(), other: await under.open() };
  });
  afterAll(() => opened?.under.close());
  beforeEach(async () => {
    clusterId = crypto.randomUUID();
    await execute(now().one, { type: 'create-cluster', name: `c-${clusterId}` });
  });
  return { now, commandsOf, execute, version, partOf, appendOf };
}
