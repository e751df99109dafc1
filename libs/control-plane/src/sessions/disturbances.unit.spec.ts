import type { ReportedResult } from '@systole/cluster';
import { PROTOCOL } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import type { NewDispatch } from '../ports/dispatches.js';
import { ReportBudgetSpent } from '../ports/report-budgets.js';
import { AgentSessions } from './agent-sessions.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/></nodes><resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';
const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const agent = { clusterId: CLUSTER, node: 'n1', tokenId: 't', actor: 'agent:n1' };
const meta = { actor: 'test', correlationId: 'test' };
const actionId = `${CLUSTER}:1:3`;

/** What this node was asked to do in transition 1, unless said otherwise. */
const result = (resultId: string, changes: Partial<ReportedResult> = {}): ReportedResult => ({
  resultId,
  actionId,
  transitionKey: `3:1:0:${CLUSTER}`,
  resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
  operation: 'start',
  intervalMs: 0,
  status: 'done',
  rc: 1,
  callId: Number(resultId),
  startedAt: Number(resultId),
  execMs: 1,
  queueMs: 0,
  recurring: false,
  ...changes,
});
const failedMonitor = (resultId: string, resource = 'db'): ReportedResult =>
  result(resultId, {
    operation: 'monitor',
    intervalMs: 10_000,
    recurring: true,
    transitionKey: `9:0:0:${CLUSTER}`,
    resource: { id: resource, historyId: resource, class: 'ocf', provider: 'systole', type: 'Dummy' },
  });

describe('reports that call off what the cluster is about to do', () => {
  /** Kinds that have no more than is left. */
  let refusedKinds: readonly string[] = [];
  let left = 0;
  let settled: number[] = [];
  /** Reports that counted as changes of the configuration. */
  let configured = 0;
  let database = new MemoryDatabase(clock);
  let sessions: AgentSessions;
  const report = (...results: readonly ReportedResult[]) => sessions.results(agent, { incarnation: 1, results }, 'test');
  const set = (name: string, value: string) =>
    sessions.attributes(agent, { incarnation: 1, changes: [{ name, value, lifetime: 'reboot' }] }, 'test');
  const eventCount = (): number => database.eventsOf(CLUSTER).length;

  beforeEach(async () => {
    left = 100;
    settled = [];
    configured = 0;
    database = new MemoryDatabase(clock);
    const log = database.openLog();
    const commands = new ClusterCommands({ log, clock, chance });
    const { leases, dispatches } = database;
    sessions = new AgentSessions({
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
      budgets: {
        open: () => (came) => void settled.push(came.events),
        calmIn: (_, kind) => (left > 0 || !refusedKinds.includes(kind) ? 0 : 1),
        disturb: (_, kind) => {
          if (!refusedKinds.includes(kind)) return () => undefined;
          if (left === 0) throw new ReportBudgetSpent('n1', { kind: 'disturbances', of: 'reports', perMinute: 30 }, 1);
          left -= 1;
          return () => void (left += 1);
        },
        configure: () => {
          configured += 1;
          return () => void (configured -= 1);
        },
      },
    });
    await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, meta);
    await sessions.join(agent, { agentVersion: '1', bootId: 'b', protocol: PROTOCOL }, 'test');
    const counts = { actions: 2, pseudo: 0, fencing: 0 };
    const plan = { inputVersion: 2, now: 1, schedulerVersion: '1', digest: 'd', counts, trigger: 't', summary: [] };
    await commands.execute(CLUSTER, { type: 'plan-transition', plan }, meta);
    const action = { actionId, kind: 'execute' } as unknown as NewDispatch['action'];
    await dispatches.handOut(CLUSTER, 1, 3, [{ graphActionId: 3, node: 'n1', action }]);
    left = 1;
    refusedKinds = ['results', 'attributes', 'joins'];
  });

  it('are counted once, however much they hold', async () => {
    expect(await report(...Array.from({ length: 50 }, (_, index) => failedMonitor(String(index + 1))))).toMatchObject({ ok: true });
    expect(left).toBe(0);
  });

  it('are refused when there are too many: nothing is recorded, and nothing else of a budget is used up', async () => {
    left = 0;
    const before = eventCount();
    await expect(report(failedMonitor('1'))).rejects.toThrow(ReportBudgetSpent);
    await expect(set('standby', 'on')).rejects.toThrow(ReportBudgetSpent);
    expect(eventCount()).toBe(before);
    // Of results, of attributes, and of attributes that change nothing.
    expect(settled).toEqual([0, 0, 0]);
  });

  it('are apart from changes of the configuration: of a report that makes one, whatever follows from it, and not when it stands there already', async () => {
    const keep = (value: string) =>
      sessions.attributes(agent, { incarnation: 1, changes: [{ name: 'site', value, lifetime: 'forever' }] }, 'test');
    await set('replay-lag', '5');
    expect(configured).toBe(0);
    await keep('a');
    expect(configured).toBe(1);
    await keep('a');
    expect(configured).toBe(1);
    await keep('b');
    expect(configured).toBe(2);
  });

  it('are not those that nothing follows from', async () => {
    left = 0;
    expect(await set('replay-lag', '5')).toMatchObject({ ok: true });
  });

  it('are not answers to what the node was asked, well or not; the second answer is', async () => {
    left = 0;
    expect(await report(result('1'))).toMatchObject({ ok: true });
    await expect(report(result('2'))).rejects.toThrow(ReportBudgetSpent);
  });

  it('are answers for others, though they look as expected', async () => {
    left = 0;
    const forAnother = result('1', { actionId: `${CLUSTER}:1:4`, transitionKey: `4:1:0:${CLUSTER}`, rc: 0 });
    await expect(report(forAnother)).rejects.toThrow(ReportBudgetSpent);
    left = 1;
    expect(await report(forAnother)).toMatchObject({ ok: true });
    expect(left).toBe(0);
  });

  it('are joins', async () => {
    left = 0;
    const again = { agentVersion: '1', bootId: 'b', protocol: PROTOCOL, attempt: { processStartedMs: 2, number: 1 } };
    await expect(sessions.join(agent, again, 'test')).rejects.toThrow(ReportBudgetSpent);
  });

  it('of one kind are no reason to refuse another', async () => {
    left = 0;
    refusedKinds = ['attributes'];
    expect(await report(failedMonitor('1'))).toMatchObject({ ok: true });
    await expect(set('standby', 'on')).rejects.toThrow(ReportBudgetSpent);
  });
});
