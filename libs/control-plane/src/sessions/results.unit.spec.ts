import type { AgentAction, ReportedResult } from '@systole/cluster';
import { PROTOCOL } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import { MemoryFigures } from '../memory/memory-figures.js';
import type { Clock } from '../ports/clock.js';
import type { Append, AppendOutcome, ClusterLog } from '../ports/cluster-log.js';
import { AgentSessions } from './agent-sessions.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/></nodes><resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';
const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const agent = { clusterId: CLUSTER, node: 'n1', tokenId: 't', actor: 'agent:n1' };
const meta = { actor: 'test', correlationId: 'test' };

const result: ReportedResult = {
  resultId: 'r1',
  actionId: 'a',
  transitionKey: `1:1:0:${CLUSTER}`,
  resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
  operation: 'monitor',
  intervalMs: 10_000,
  status: 'done',
  rc: 7,
  callId: 1,
  startedAt: 1,
  execMs: 1,
  queueMs: 0,
  recurring: true,
};

/** A log whose appends wait at a gate: as a database does that takes its time. */
function gated(log: ClusterLog): { readonly log: ClusterLog; readonly shut: () => void; readonly open: () => void } {
  let gate = Promise.resolve();
  let open = (): void => undefined;
  const append = async (one: Append): Promise<AppendOutcome> => {
    await gate;
    return log.append(one);
  };
  const shut = (): void => {
    gate = new Promise((resolve) => (open = resolve));
  };
  return {
    log: Object.assign(Object.create(log) as ClusterLog, { append }),
    shut,
    open: () => {
      open();
    },
  };
}

it('are acknowledged when they are stored, and not before', async () => {
  const database = new MemoryDatabase(clock);
  const { log, shut, open } = gated(database.openLog());
  const commands = new ClusterCommands({ log, clock, chance });
  const { leases, dispatches } = database;
  const figures = new MemoryFigures();
  const sessions = new AgentSessions({
    log,
    commands,
    leases,
    dispatches,
    signals: dispatches,
    writes: database.writes,
    clock,
    chance,
    seals: database.seals,
    report: { warn: () => undefined },
    settings: { leaseMs: 6_000, pollMs: 0 },
    requestAdvance: () => undefined,
    figures,
  });
  await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, meta);
  await sessions.join(agent, { agentVersion: '1', bootId: 'b', protocol: PROTOCOL }, 'test');

  shut();
  let acknowledged = false;
  const answer = sessions.results(agent, { incarnation: 1, results: [result] }, 'test').then((answered) => {
    acknowledged = true;
    return answered;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(acknowledged).toBe(false);
  expect(figures.results).toEqual([]);
  open();
  expect(await answer).toMatchObject({ ok: true, answer: { acknowledged: ['r1'], head: { version: database.eventsOf(CLUSTER).length } } });
  expect(database.eventsOf(CLUSTER).at(-1)?.event).toMatchObject({ type: 'OperationRecorded', data: { resultId: 'r1' } });
  const unknown: ReportedResult = { ...result, resultId: 'r2', actionId: 'b', resource: { ...result.resource, id: 'x', historyId: 'x' } };
  await sessions.results(agent, { incarnation: 1, results: [result, unknown] }, 'test');
  expect(figures.results).toEqual([
    { acknowledged: 1, dropped: [] },
    { acknowledged: 2, dropped: ['not-asked-for'] },
  ]);
});

describe('are dated by the clock of the database', () => {
  const DATABASE = 1_800_003_600_000;
  const HOUR_S = 3_600;

  async function recorded(reported: Partial<ReportedResult>): Promise<unknown> {
    const database = new MemoryDatabase({ timeOfDay: () => DATABASE });
    const log = database.openLog();
    const commands = new ClusterCommands({ log, clock, chance });
    const { leases, dispatches, seals } = database;
    const sessions = new AgentSessions({
      ...{ log, commands, leases, dispatches, signals: dispatches, seals, writes: database.writes, clock, chance },
      databaseTime: () => DATABASE,
      report: { warn: () => undefined },
      settings: { leaseMs: 6_000, pollMs: 0 },
      requestAdvance: () => undefined,
    });
    await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, meta);
    await sessions.join(agent, { agentVersion: '1', bootId: 'b', protocol: PROTOCOL }, 'test');
    const { version } = await log.load(CLUSTER);
    const action = { actionId: 'a', kind: 'operation' } as AgentAction;
    expect(await dispatches.handOut(CLUSTER, 1, version, [{ graphActionId: 1, node: 'n1', action }])).toBe(true);
    await sessions.results(agent, { incarnation: 1, results: [{ ...result, execMs: 1_000, ...reported }] }, 'test');
    const event = database.eventsOf(CLUSTER).at(-1)?.event;
    return event?.type === 'OperationRecorded' ? [event.data.lastRcChange - DATABASE / 1_000, event.data.startedAt] : event;
  }

  it('and by how old they are, whatever the clock of the node or of this server shows', async () => {
    const startedAt = DATABASE / 1_000 - HOUR_S;
    expect(await recorded({ startedAt, endedAgoMs: 4_000 })).toEqual([-5, startedAt]);
  });

  it('where nobody knows that, not before they were handed out nor after they came', async () => {
    const behind = DATABASE / 1_000 - HOUR_S;
    expect(await recorded({ startedAt: behind })).toEqual([0, behind]);
    const ahead = DATABASE / 1_000 + HOUR_S;
    expect(await recorded({ startedAt: ahead })).toEqual([0, ahead]);
    expect(await recorded({ startedAt: behind, actionId: 'nobody knows' })).toEqual([-HOUR_S, behind]);
  });
});
