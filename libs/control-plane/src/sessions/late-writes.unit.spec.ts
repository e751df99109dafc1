import { beforeEach, describe, expect, it } from 'vitest';
import type { ReportedResult } from '@systole/cluster';
import { PROTOCOL, type AgentToolRequest, type AttributeChange } from '@systole/protocol';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import { ReportBudgetSpent, type ReportBudgets } from '../ports/report-budgets.js';
import { AgentSessions } from './agent-sessions.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>' +
  '<cluster_property_set id="o"><nvpair id="o-w" name="systole-agent-writes" value="tickets"/></cluster_property_set></crm_config>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources/><constraints/></configuration><status/></cib>';
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const agent = { clusterId: CLUSTER, node: 'n1', tokenId: 't', actor: 'agent:n1' };
const meta = { actor: 'test', correlationId: 'test' };

/** An api that can be stopped where it has read a request, and has not looked yet what the cluster is at. */
class Api {
  readonly sessions: AgentSessions;
  private gate = Promise.resolve();
  private open = (): void => undefined;

  constructor(database: MemoryDatabase, clock: Clock, budgets?: ReportBudgets) {
    const log = database.openLog(clock);
    const held: ClusterLog = Object.assign(Object.create(log) as ClusterLog, {
      load: async (clusterId: string) => {
        await this.gate;
        return log.load(clusterId);
      },
    });
    const commands = new ClusterCommands({ log: held, clock, chance });
    const { leases, dispatches, seals, writes } = database;
    this.sessions = new AgentSessions({
      log,
      commands,
      leases,
      dispatches,
      writes,
      signals: dispatches,
      clock,
      chance,
      seals,
      report: { warn: () => undefined },
      settings: { leaseMs: 6_000, pollMs: 0 },
      requestAdvance: () => undefined,
      ...(budgets === undefined ? {} : { budgets }),
    });
  }

  freeze(): void {
    this.gate = new Promise((resolve) => (this.open = resolve));
  }

  thaw(): void {
    this.open();
  }
}

describe('what an api carries out late, which stood still after it had read it', () => {
  let database: MemoryDatabase;
  let passed: number;
  let frozen: Api;
  let other: Api;
  let configured: number;
  /** What may be asked that changes nothing. */
  let unchanged: number;

  const score = (value: string | null, node?: string): AttributeChange => ({
    name: 'master-db',
    value,
    lifetime: 'reboot',
    ...(node === undefined ? {} : { node }),
  });
  const set = async (api: Api, change: AttributeChange, write?: number, incarnation = 1): Promise<string> => {
    const asked = { incarnation, changes: [change], ...(write === undefined ? {} : { write }) };
    const answer = await api.sessions.attributes(agent, asked, 'test');
    return answer.ok ? 'written' : answer.rejection.code;
  };
  const ticket = async (api: Api, granted: boolean, write: number): Promise<string> => {
    const request: AgentToolRequest['request'] = { ask: 'change-ticket', ticket: 'siteA', granted };
    const answer = await api.sessions.tool(agent, { incarnation: 1, request, tool: 'crm_ticket', write }, 'test');
    if (!answer.ok) return answer.rejection.code;
    return answer.answer.changed ? 'written' : 'unchanged';
  };
  const joined = async (node: string): Promise<void> => {
    const asked = { agentVersion: '1', bootId: 'b', protocol: PROTOCOL };
    const answer = await other.sessions.join({ ...agent, node, actor: `agent:${node}` }, asked, 'test');
    if (!answer.ok) throw new Error(answer.rejection.message);
  };
  const left = async (): Promise<void> => {
    const answer = await other.sessions.leave(agent, { incarnation: 1 }, 'test');
    if (!answer.ok) throw new Error(answer.rejection.message);
  };
  /** What was said of attributes and tickets, in order. */
  const written = (): readonly unknown[] =>
    database.eventsOf(CLUSTER).flatMap(({ event }): readonly unknown[] => {
      if (event.type === 'NodeAttributeSet') return [event.data.value];
      if (event.type === 'NodeAttributeCleared') return ['cleared'];
      return event.type === 'TicketChanged' ? [event.data.granted] : [];
    });

  beforeEach(async () => {
    passed = 0;
    const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passed, monotonic: () => passed, after: () => () => undefined };
    database = new MemoryDatabase(clock);
    configured = 0;
    unchanged = 100;
    const budgets: ReportBudgets = {
      open: (_, kind) => {
        if (kind !== 'unchanged-attributes') return () => undefined;
        if (unchanged <= 0) throw new ReportBudgetSpent('n1', { kind, of: 'events', perMinute: 100 }, 1_000);
        unchanged -= 1;
        return ({ events }) => void (unchanged += 1 - events);
      },
      calmIn: () => 0,
      disturb: () => () => undefined,
      configure: () => {
        configured += 1;
        return () => void (configured -= 1);
      },
    };
    frozen = new Api(database, clock, budgets);
    other = new Api(database, clock);
    const commands = new ClusterCommands({ log: database.openLog(clock), clock, chance });
    const created = await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, meta);
    if (!created.ok) throw new Error(created.rejection.message);
    await joined('n1');
    await joined('n2');
  });

  it('does not replace what the agent was acknowledged since', async () => {
    frozen.freeze();
    const late = set(frozen, score('1000'), 0);
    expect(await set(other, score('1000'), 1)).toBe('written');
    expect(await set(other, score('-INFINITY'), 1)).toBe('written');
    frozen.thaw();
    expect(await late).toBe('write-overtaken');
    expect(written()).toEqual(['1000', '-INFINITY']);
  });

  it('does not replace it either where what was acknowledged changed nothing', async () => {
    await set(other, score('5'), 0);
    frozen.freeze();
    const late = set(frozen, score('1000'), 0);
    expect(await set(other, score('5'), 1)).toBe('written');
    frozen.thaw();
    expect(await late).toBe('write-overtaken');
    expect(written()).toEqual(['5']);
  });

  it('says nothing of a peer either', async () => {
    frozen.freeze();
    const late = set(frozen, score('1000', 'n2'), 0);
    expect(await set(other, score('-INFINITY', 'n2'), 1)).toBe('written');
    frozen.thaw();
    expect(await late).toBe('write-overtaken');
    expect(written()).toEqual(['-INFINITY']);
  });

  it('says nothing of a peer when the life of the agent is over that asked for it', async () => {
    frozen.freeze();
    const late = set(frozen, score('1000', 'n2'), 0);
    // The check of the incarnation that comes first.
    await new Promise((resolve) => setTimeout(resolve, 1));
    await left();
    frozen.thaw();
    expect(await late).toBe('declared-down');
    expect(written()).toEqual([]);
  });

  it('grants no ticket that was revoked since', async () => {
    frozen.freeze();
    const late = ticket(frozen, true, 0);
    expect(await ticket(other, true, 1)).toBe('written');
    expect(await ticket(other, false, 1)).toBe('written');
    frozen.thaw();
    expect(await late).toBe('write-overtaken');
    expect(written()).toEqual([true, false]);
  });

  it('grants no ticket that the agent has given up since, though nothing else was written', async () => {
    frozen.freeze();
    const late = ticket(frozen, true, 0);
    expect(await other.sessions.attributes(agent, { incarnation: 1, changes: [], write: 1 }, 'test')).toMatchObject({ ok: true });
    frozen.thaw();
    expect(await late).toBe('write-overtaken');
    expect(written()).toEqual([]);
  });

  it('is written where the agent waits for it still, and nothing came after it', async () => {
    frozen.freeze();
    const late = set(frozen, score('1000'), 3);
    expect(await set(other, score('7'), 3)).toBe('written');
    frozen.thaw();
    expect(await late).toBe('written');
  });

  it('is answered as before when it comes a second time with the number that it had', async () => {
    expect(await ticket(other, true, 4)).toBe('written');
    expect(await ticket(other, true, 4)).toBe('unchanged');
    expect(await set(other, score('1'), 4)).toBe('written');
    expect(await set(other, score('1'), 4)).toBe('written');
    expect(written()).toEqual([true, '1']);
  });

  it('counts anew in the next life of the node', async () => {
    expect(await set(other, score('1'), 9)).toBe('written');
    await left();
    await joined('n1');
    expect(await set(other, score('2'), 0, 2)).toBe('written');
    expect(await set(other, score('3'), 1, 2)).toBe('written');
    expect(await set(other, score('4'), 0, 2)).toBe('write-overtaken');
  });

  it('is late by when the server had the request, whatever it looked at before', async () => {
    const asked = { incarnation: 1, changes: [score('1')] };
    const received = { at: passed };
    passed += 11_000;
    expect(await frozen.sessions.attributes(agent, asked, 'test', received)).toMatchObject({ rejection: { code: 'write-overtaken' } });
    const request: AgentToolRequest['request'] = { ask: 'change-ticket', ticket: 'siteA', granted: true };
    const tool = { incarnation: 1, request, tool: 'crm_ticket' };
    expect(await frozen.sessions.tool(agent, tool, 'test', received)).toMatchObject({ rejection: { code: 'write-overtaken' } });
    expect(written()).toEqual([]);
  });

  it('is no change of the configuration where it was not written', async () => {
    const keep: AttributeChange = { name: 'site', value: 'a', lifetime: 'forever' };
    expect(await set(frozen, keep, 0)).toBe('written');
    expect(configured).toBe(1);
    const received = { at: passed };
    passed += 11_000;
    await frozen.sessions.attributes(agent, { incarnation: 1, changes: [{ ...keep, value: 'b' }], write: 0 }, 'test', received);
    expect(configured).toBe(1);
  });

  it('is told of no more often than the node may ask what changes nothing', async () => {
    unchanged = 3;
    const tell = (write: number) => frozen.sessions.attributes(agent, { incarnation: 1, changes: [], write }, 'test');
    for (const write of [1, 2, 3]) expect(await tell(write)).toMatchObject({ ok: true });
    await expect(tell(4)).rejects.toThrow(ReportBudgetSpent);
    // It has not been put down.
    expect(await set(other, score('5'), 3)).toBe('written');
  });

  it('is not written when an agent that does not number it can wait no longer, and is while it can', async () => {
    frozen.freeze();
    const late = set(frozen, score('1000'));
    passed += 9_000;
    frozen.thaw();
    expect(await late).toBe('written');
    frozen.freeze();
    const tooLate = set(frozen, score('2000'));
    passed += 11_000;
    frozen.thaw();
    expect(await tooLate).toBe('write-overtaken');
    expect(written()).toEqual(['1000']);
  });

  it('records no results that it stood still with: the agent sends them again, and they may be told and forgotten by then', async () => {
    const result: ReportedResult = {
      ...{ resultId: 'r', actionId: 'a', transitionKey: '1:1:0:c', operation: 'stop', intervalMs: 0, rc: 0 },
      ...{ callId: 1, startedAt: 0, execMs: 0, queueMs: 0, recurring: false },
      status: 'done',
      resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
    };
    frozen.freeze();
    const late = frozen.sessions.results(agent, { incarnation: 1, results: [result] }, 'test');
    passed += 31_000;
    frozen.thaw();
    await expect(late).rejects.toMatchObject({ name: 'CarriedOutLate' });
    expect(database.eventsOf(CLUSTER).map(({ event }) => event.type)).not.toContain('ResultsDropped');
    expect(await other.sessions.results(agent, { incarnation: 1, results: [result] }, 'test')).toMatchObject({ ok: true });
  });
});
