import { activationHold, memberOf, type LogHead } from '@systole/cluster';
import { PROTOCOL, type JoinRequest, type PollRequest } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { EpochKeepingLog } from '../epochs/epoch-keeping-log.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { AgentSessions } from './agent-sessions.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources>' +
  '<primitive id="f" class="stonith" type="fence_x"/></resources><constraints/></configuration><status/></cib>';
const FENCING_OFF = CIB.replace(
  '<crm_config/>',
  '<crm_config><cluster_property_set id="o"><nvpair id="o-s" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>',
);
let passedMs = 0;
const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passedMs, monotonic: () => passedMs, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const report = { warn: () => undefined };
const caller = (node: string): CallingNode => ({ clusterId: CLUSTER, node, tokenId: 't', actor: `agent:${node}` });

/** One server on a database: whoever starts it has read nothing of it yet. */
function serverOn(database: MemoryDatabase): { readonly sessions: AgentSessions; readonly commands: ClusterCommands } {
  const log = new EpochKeepingLog({ log: database.openLog(), chance, report, by: 'api' });
  const commands = new ClusterCommands({ log, clock, chance });
  const { leases, dispatches } = database;
  const settings = { leaseMs: 6_000, pollMs: 0 };
  return {
    commands,
    sessions: new AgentSessions({
      log,
      commands,
      leases,
      dispatches,
      signals: dispatches,
      writes: database.writes,
      seals: database.seals,
      clock,
      chance,
      report,
      settings,
      requestAdvance: () => undefined,
    }),
  };
}

describe('agents as witnesses of the log', () => {
  let database: MemoryDatabase;
  let server: ReturnType<typeof serverOn>;

  const join = (node: string, changes: Partial<JoinRequest> = {}) =>
    server.sessions.join(caller(node), { agentVersion: '1', bootId: `boot-${node}`, protocol: PROTOCOL, ...changes }, 'test');
  const poll = (node: string, incarnation: number, changes: Partial<PollRequest> = {}) =>
    server.sessions.poll(caller(node), { incarnation, waitMs: 0, known: [], active: [], watchdog: false, ...changes }, [], 'test');
  const codeOf = (answer: Awaited<ReturnType<typeof poll>> | Awaited<ReturnType<typeof join>>): string =>
    answer.ok ? 'answered' : answer.rejection.code;
  const execute = async (command: Parameters<ClusterCommands['execute']>[1]): Promise<void> => {
    const result = await server.commands.execute(CLUSTER, command, { actor: 'test', correlationId: 'test' });
    if (!result.ok) throw new Error(result.rejection.message);
  };
  const headOf = async (node: string, incarnation: number): Promise<LogHead> => {
    const answer = await poll(node, incarnation);
    if (!answer.ok || answer.answer.head === undefined) throw new Error('no head was told');
    return answer.answer.head;
  };
  const headIn = (answer: Awaited<ReturnType<typeof poll>> | Awaited<ReturnType<typeof join>>): Pick<PollRequest, 'witness'> =>
    answer.ok && answer.answer.head !== undefined ? { witness: answer.answer.head } : {};
  const lifeIn = (answer: Awaited<ReturnType<typeof join>>): number => (answer.ok ? answer.answer.incarnation : 0);
  const reckonedWith = async (node: string) => memberOf(await database.openLog().load(CLUSTER), node)?.onLeaseLoss;
  const epochs = () => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'EpochBegan');

  beforeEach(async () => {
    passedMs = 0;
    database = new MemoryDatabase(clock);
    server = serverOn(database);
    await execute({ type: 'create-cluster', name: 'c', cib: CIB });
    await join('n1');
    await join('n2');
  });

  /** Goes on, then yesterday's copy is put back under a server that starts anew. @returns what n1 was told meanwhile */
  async function loseTail(): Promise<LogHead> {
    const kept = database.eventsOf(CLUSTER).length;
    await execute({ type: 'set-node-attribute', node: 'n1', name: 'a', value: '1', lifetime: 'reboot' });
    const told = await headOf('n1', 1);
    database.loseTail(CLUSTER, kept);
    server = serverOn(database);
    return told;
  }

  it('are told the head with each answer, and may go on when they show it', async () => {
    const head = await headOf('n1', 1);
    expect(head).toMatchObject({ epoch: CLUSTER, version: database.eventsOf(CLUSTER).length });
    expect(codeOf(await poll('n1', 1, { witness: head }))).toBe('answered');
    await execute({ type: 'set-node-attribute', node: 'n1', name: 'a', value: '1', lifetime: 'reboot' });
    expect(codeOf(await poll('n1', 1, { witness: head }))).toBe('answered');
    expect(epochs()).toEqual([]);
  });

  it('find that the log lost its tail at the first poll: all have to join anew, whatever they know', async () => {
    const told = await loseTail();
    expect(codeOf(await poll('n1', 1, { witness: told }))).toBe('log-epoch-changed');
    expect(epochs()).toMatchObject([
      { event: { data: { previous: CLUSTER, by: 'n1', witness: { version: told.version, hash: told.hash } } } },
    ]);
    expect(database.tables.leases.size).toBe(0);
    expect(codeOf(await poll('n2', 1))).toBe('log-epoch-changed');
    const joined = await join('n1', { witness: told });
    expect(joined).toMatchObject({ ok: true, answer: { head: { version: 5 } } });
    expect(joined.ok && joined.answer.epoch).not.toBe(CLUSTER);
    expect(codeOf(await poll('n1', lifeIn(joined), headIn(joined)))).toBe('answered');
    expect(epochs()).toHaveLength(1);
  });

  it('of remote nodes that the log does not know are turned away, and waited for: with the epoch that their own sealed head begins', async () => {
    const told = await loseTail();
    const noted = () => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'NodeJoinRefused');
    const asks = { remote: true as const, lastIncarnation: 3 };
    expect(codeOf(await join('r4', asks))).toBe('node-not-found');
    expect(noted()).toEqual([]);
    for (let time = 0; time < 3; time++) expect(codeOf(await join('r4', { ...asks, witness: told }))).toBe('node-not-found');
    expect(epochs()).toHaveLength(1);
    expect(noted()).toMatchObject([{ event: { data: { node: 'r4', bootId: 'boot-r4', unconfigured: true } } }]);
    // A token alone holds nobody up, whatever it claims.
    expect(codeOf(await join('r5', asks))).toBe('node-not-found');
    expect(codeOf(await join('r5', { ...asks, witness: { ...told, hash: 'made up' } }))).toBe('node-not-found');
    expect(noted()).toHaveLength(1);
    await join('n1', { witness: told });
    await join('n2', { witness: told });
    expect(activationHold(await database.openLog().load(CLUSTER), 0)?.nodes).toEqual(['r4']);
  });

  it('find it when they join', async () => {
    const told = await loseTail();
    expect(codeOf(await join('n1', { witness: told }))).toBe('answered');
    expect(epochs()).toHaveLength(1);
    expect(codeOf(await poll('n2', 1, { witness: told }))).toBe('log-epoch-changed');
    expect(epochs()).toHaveLength(1);
  });

  it('may not go on with a place in an earlier epoch, whatever incarnation they name', async () => {
    const told = await loseTail();
    const joined = await join('n1', { witness: told });
    expect(codeOf(await poll('n1', lifeIn(joined), { witness: told }))).toBe('log-epoch-changed');
  });

  it('whose life was of the lost tail end nothing, stop nothing and set nothing of the life that followed', async () => {
    const kept = database.eventsOf(CLUSTER).length;
    const lost = await join('n1');
    database.loseTail(CLUSTER, kept);
    server = serverOn(database);
    const joined = await join('n1', headIn(lost));
    const late = await Promise.all([
      server.sessions.leave(caller('n1'), { incarnation: lifeIn(lost) }, 'late'),
      server.sessions.shutdown(caller('n1'), lifeIn(lost), 'late'),
      server.sessions.attributes(
        caller('n1'),
        { incarnation: lifeIn(lost), changes: [{ name: 'master-db', value: '1', lifetime: 'reboot' }] },
        'late',
      ),
    ]);
    expect(late.map((answer) => (answer.ok ? 'done' : answer.rejection.status))).toEqual([409, 409, 409]);
    expect(memberOf(await database.openLog().load(CLUSTER), 'n1')).toMatchObject({ membership: 'joined', shutdownRequested: false });
    expect(codeOf(await poll('n1', lifeIn(joined), headIn(joined)))).toBe('answered');
  });

  it('can not keep a cluster from starting anything by telling tales', async () => {
    const made = (version: number): LogHead => ({ epoch: crypto.randomUUID(), version, hash: 'ff' });
    for (let tale = 1; tale <= 20; tale++) expect(codeOf(await poll('n1', 1, { witness: made(1_000 + tale) }))).toBe('log-epoch-changed');
    expect(epochs()).toHaveLength(1);
  });

  it('are not believed again by another api either, and later and later by any', async () => {
    const tell = async (): Promise<number> => {
      server = serverOn(database);
      const { incarnation } = memberOf(await database.openLog().load(CLUSTER), 'n1') ?? { incarnation: 0 };
      expect(codeOf(await poll('n1', incarnation, { witness: { epoch: crypto.randomUUID(), version: 1_000, hash: 'ff' } }))).toBe(
        'log-epoch-changed',
      );
      return epochs().length;
    };
    expect(await tell()).toBe(1);
    expect(await tell()).toBe(1);
    await join('n1');
    passedMs = 4.9 * 60_000;
    expect(await tell()).toBe(1);
    passedMs = 5.1 * 60_000;
    expect(await tell()).toBe(2);
    await join('n1');
    passedMs += 9.8 * 60_000;
    expect(await tell()).toBe(2);
    passedMs += 0.3 * 60_000;
    expect(await tell()).toBe(3);
    expect((await database.openLog().load(CLUSTER)).epoch?.tellings['n1']?.times).toBe(3);
  });

  it('are believed each for itself: a second loss is told by the others', async () => {
    await poll('n1', 1, { witness: { epoch: crypto.randomUUID(), version: 1_000, hash: 'ff' } });
    await join('n2', { witness: { epoch: crypto.randomUUID(), version: 1_000, hash: 'ff' } });
    expect(epochs()).toMatchObject([{ event: { data: { by: 'n1' } } }, { event: { data: { by: 'n2' } } }]);
  });

  it('of an incarnation that is over are none', async () => {
    await join('n1');
    expect(codeOf(await poll('n1', 1, { witness: { epoch: crypto.randomUUID(), version: 1_000, hash: 'ff' } }))).toBe(
      'incarnation-superseded',
    );
    expect(epochs()).toEqual([]);
  });

  it('are told what to do when they lose their lease, and what the server reckons with is recorded before it waits longer', async () => {
    expect(await poll('n1', 1)).toMatchObject({ answer: { onLeaseLoss: 'keep' } });
    await execute({ type: 'replace-configuration', cib: FENCING_OFF });
    const tellings = () => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'LeaseLossPolicyTold');
    const stop = await poll('n1', 1);
    expect(stop).toMatchObject({ answer: { onLeaseLoss: 'stop' } });
    expect(tellings()).toEqual([]);
    await poll('n1', 1, headIn(stop));
    expect(tellings()).toMatchObject([{ event: { data: { node: 'n1', policy: 'stop' } } }]);
    await execute({ type: 'replace-configuration', cib: CIB });
    expect(await poll('n1', 1)).toMatchObject({ answer: { onLeaseLoss: 'keep' } });
    expect(tellings()).toMatchObject([{}, { event: { data: { node: 'n1', policy: 'keep' } } }]);
  });

  it('show with the first poll of a life what its join told them: only then the server waits less', async () => {
    await execute({ type: 'replace-configuration', cib: FENCING_OFF });
    const tellings = () => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'LeaseLossPolicyTold');
    const lostAnswer = await join('n1');
    expect(lostAnswer).toMatchObject({ answer: { incarnation: 2, onLeaseLoss: 'stop' } });
    expect(await reckonedWith('n1')).toBe('keep');
    const joined = await join('n1');
    expect(await reckonedWith('n1')).toBe('keep');
    expect(tellings()).toEqual([]);
    await poll('n1', 3, headIn(joined));
    expect(tellings()).toMatchObject([{ event: { data: { node: 'n1', incarnation: 3, policy: 'stop' } } }]);
    expect(await reckonedWith('n1')).toBe('stop');
  });

  it('that join again because the answer was lost are given the same incarnation, and hold its lease', async () => {
    const request = { attempt: { processStartedMs: 1, number: 1 }, watchdog: true };
    const first = await join('n1', request);
    expect(first).toMatchObject({ answer: { incarnation: 2, leaseMs: 6_000 } });
    const renewal = async () => (await database.leases.ofCluster(CLUSTER)).find(({ node }) => node === 'n1')?.renewal;
    const before = await renewal();
    const again = await join('n1', request);
    expect(again).toMatchObject({ ok: true, answer: { incarnation: 2, nodeId: '1', leaseMs: 6_000, onLeaseLoss: 'keep', epoch: CLUSTER } });
    expect(await renewal()).not.toBe(before);
    expect(codeOf(await poll('n1', 2))).toBe('answered');
    expect(await join('n1', { ...request, attempt: { processStartedMs: 1, number: 2 } })).toMatchObject({ answer: { incarnation: 3 } });
    expect(codeOf(await join('n1', request))).toBe('join-overtaken');
    expect(codeOf(await poll('n1', 3))).toBe('answered');
  });

  it('are recorded with what keeps them from doing their work, when that changes in kind, and not at every poll', async () => {
    const told = () => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'NodeTroublesTold');
    const full = (detail: string) => ({ troubles: [{ code: 'journal-unwritable', detail }] });
    await poll('n1', 1, full('no space left'));
    await poll('n1', 1, full('no space left, again'));
    expect(told()).toMatchObject([
      { event: { data: { node: 'n1', troubles: [{ code: 'journal-unwritable', detail: 'no space left' }] } } },
    ]);
    await poll('n1', 1);
    expect(told()).toHaveLength(1);
    server = serverOn(database);
    await poll('n1', 1);
    expect(told()).toMatchObject([{}, { event: { data: { troubles: [] } } }]);
  });

  it('are not troubled by what the server alone knows of them, whatever they say', async () => {
    const told = () => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'NodeTroublesTold');
    const said = ['clock-skew', 'answers-lost'].map((code) => ({ code, detail: 'an hour behind' }));
    await poll('n1', 1, { troubles: said });
    expect(told()).toEqual([]);
    await poll('n1', 1, { troubles: [...said, { code: 'journal-unwritable', detail: 'no space left' }] });
    expect(told()).toMatchObject([{ event: { data: { troubles: [{ code: 'journal-unwritable' }] } } }]);
  });

  it('of protocol 1.0 are told nothing of that', async () => {
    const old = await server.sessions.join(caller('n1'), { agentVersion: '1', bootId: 'boot-n1' }, 'test');
    expect(old.ok && old.answer.onLeaseLoss).toBeUndefined();
    expect(await poll('n1', 2)).toMatchObject({ ok: true, answer: { head: {} } });
    const answer = await poll('n1', 2);
    expect(answer.ok && 'onLeaseLoss' in answer.answer).toBe(false);
  });

  it('from another boot are refused while the lease lives, which is noted once', async () => {
    const second = { bootId: 'boot-2', machineId: 'machine-2' };
    for (let attempt = 0; attempt < 3; attempt++) expect(codeOf(await join('n1', second))).toBe('node-joined-elsewhere');
    expect(database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'NodeJoinRefused')).toHaveLength(1);
    expect(codeOf(await poll('n1', 1))).toBe('answered');
  });
});
