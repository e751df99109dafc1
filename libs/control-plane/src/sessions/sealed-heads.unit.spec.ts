import { memberOf } from '@systole/cluster';
import { PROTOCOL, type JoinRequest, type PollRequest, type Witness } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { EpochKeepingLog } from '../epochs/epoch-keeping-log.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import { MemorySeals } from '../memory/memory-seals.js';
import type { Clock } from '../ports/clock.js';
import { AgentSessions } from './agent-sessions.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
let passedMs = 0;
const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passedMs, monotonic: () => passedMs, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
let warnings: string[] = [];
const report = { warn: (_: object, message: string) => void warnings.push(message) };
const caller = (node: string): CallingNode => ({ clusterId: CLUSTER, node, tokenId: 't', actor: `agent:${node}` });

describe('a sealed head of the log', () => {
  let database: MemoryDatabase;
  let commands: ClusterCommands;
  let sessions: AgentSessions;

  /** A server that has read nothing yet. */
  function start(): void {
    const log = new EpochKeepingLog({ log: database.openLog(), chance, report, by: 'api' });
    const { leases, dispatches, seals } = database;
    commands = new ClusterCommands({ log, clock, chance });
    const settings = { leaseMs: 6_000, pollMs: 0 };
    const ports = {
      log,
      commands,
      leases,
      dispatches,
      signals: dispatches,
      writes: database.writes,
      seals,
      clock,
      chance,
      report,
      settings,
    };
    sessions = new AgentSessions({ ...ports, requestAdvance: () => undefined });
  }
  const join = async (node: string, changes: Partial<JoinRequest> = {}): Promise<{ incarnation: number; witness: Witness }> => {
    const joined = await sessions.join(caller(node), { agentVersion: '1', bootId: `b-${node}`, protocol: PROTOCOL, ...changes }, 'test');
    if (!joined.ok || joined.answer.head === undefined) throw new Error('not joined');
    return { incarnation: joined.answer.incarnation, witness: joined.answer.head };
  };
  const poll = async (node: string, incarnation: number, witness?: Witness): Promise<Witness | string> => {
    const shown: Pick<PollRequest, 'witness'> = witness === undefined ? {} : { witness };
    const request: PollRequest = { incarnation, waitMs: 0, known: [], active: [], watchdog: false, ...shown };
    const answer = await sessions.poll(caller(node), request, [], 'test');
    return answer.ok ? (answer.answer.head ?? 'no head') : answer.rejection.code;
  };
  const change = (value: string) =>
    commands.execute(
      CLUSTER,
      { type: 'set-node-attribute', node: 'n1', name: 'a', value, lifetime: 'reboot' },
      { actor: 't', correlationId: 't' },
    );
  const eventsOf = (type: string) => database.eventsOf(CLUSTER).filter(({ event }) => event.type === type);
  const made = (version = 99_999): Witness => ({ epoch: CLUSTER, version, hash: 'ff', seal: 'memory.made up' });

  beforeEach(async () => {
    [passedMs, warnings] = [0, []];
    database = new MemoryDatabase(clock);
    start();
    await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c' }, { actor: 't', correlationId: 't' });
  });

  it('is told with each answer, and is right', async () => {
    const { incarnation, witness } = await join('n1');
    expect(database.seals.judge(CLUSTER, witness)).toBe('right');
    const head = await poll('n1', incarnation, witness);
    expect(head).toMatchObject({ seal: expect.any(String) as string });
    expect(database.seals.judge(CLUSTER, head as Witness)).toBe('right');
  });

  it('that the log lacks is proof: each loss begins an epoch, however lately the same node told of another', async () => {
    let { incarnation } = await join('n1');
    for (let loss = 1; loss <= 4; loss++) {
      const kept = database.eventsOf(CLUSTER).length;
      await change(String(loss));
      const told = (await poll('n1', incarnation)) as Witness;
      database.loseTail(CLUSTER, kept);
      start();
      expect(await poll('n1', incarnation, told)).toBe('log-epoch-changed');
      expect(eventsOf('EpochBegan')).toHaveLength(loss);
      expect(JSON.stringify(eventsOf('EpochBegan'))).not.toContain('seal');
      ({ incarnation } = await join('n1', { witness: told }));
      expect(eventsOf('EpochBegan')).toHaveLength(loss);
    }
  });

  it('begins one epoch, whoever shows it, as often as they like', async () => {
    const { incarnation } = await join('n1');
    const other = await join('n2');
    const kept = database.eventsOf(CLUSTER).length;
    await change('1');
    const told = (await poll('n1', incarnation)) as Witness;
    database.loseTail(CLUSTER, kept);
    start();
    expect(await Promise.all([poll('n2', other.incarnation, told), poll('n1', incarnation, told)])).toEqual([
      'log-epoch-changed',
      'log-epoch-changed',
    ]);
    for (let round = 0; round < 3; round++) {
      const { incarnation: life } = await join('n2', { witness: told });
      expect(await poll('n2', life, told)).toBe('log-epoch-changed');
    }
    expect(eventsOf('EpochBegan')).toHaveLength(1);
  });

  it('is proof also where another node has told of the loss before, by its word alone; once', async () => {
    const { incarnation } = await join('n1');
    const other = await join('n2');
    const kept = database.eventsOf(CLUSTER).length;
    await change('1');
    const told = (await poll('n1', incarnation)) as Witness;
    database.loseTail(CLUSTER, kept);
    start();
    const word = { epoch: told.epoch, version: told.version, hash: told.hash };
    expect(await poll('n2', other.incarnation, word)).toBe('log-epoch-changed');
    expect(await poll('n2', other.incarnation, word)).toBe('log-epoch-changed');
    expect(eventsOf('EpochBegan')).toHaveLength(1);
    expect(await poll('n1', incarnation, told)).toBe('log-epoch-changed');
    expect(eventsOf('EpochBegan')).toMatchObject([{ event: { data: { by: 'n2' } } }, { event: { data: { by: 'n1', proven: true } } }]);
    for (let round = 0; round < 2; round++) expect(await poll('n1', incarnation, told)).toBe('log-epoch-changed');
    expect(eventsOf('EpochBegan')).toHaveLength(2);
  });

  it('of before a tale that a node told proves nothing, as the log has it', async () => {
    const { incarnation, witness } = await join('n1');
    const other = await join('n2');
    const word: Witness = { epoch: CLUSTER, version: 99_999, hash: 'ff' };
    expect(await poll('n2', other.incarnation, word)).toBe('log-epoch-changed');
    expect(await poll('n1', incarnation, witness)).toBe('log-epoch-changed');
    expect(eventsOf('EpochBegan')).toHaveLength(1);
  });

  it('is proof in the hands of a life that is over as well', async () => {
    const { incarnation } = await join('n1');
    await join('n1', { bootId: 'b-n1' });
    const kept = database.eventsOf(CLUSTER).length;
    await change('1');
    const told = (await poll('n1', incarnation + 1)) as Witness;
    database.loseTail(CLUSTER, kept);
    start();
    expect(await poll('n1', incarnation, told)).toBe('log-epoch-changed');
    expect(eventsOf('EpochBegan')).toHaveLength(1);
  });

  describe('that is made up', () => {
    it('begins no epoch and costs no lease; it is noted of the node, once', async () => {
      const { incarnation } = await join('n1');
      for (let tale = 0; tale < 20; tale++) expect(await poll('n1', incarnation, made(99_999 + tale))).toMatchObject({ epoch: CLUSTER });
      expect(eventsOf('EpochBegan')).toEqual([]);
      expect(eventsOf('FalseWitnessShown')).toMatchObject([
        { event: { data: { node: 'n1', incarnation, witness: { epoch: CLUSTER, version: 99_999, hash: 'ff' } } } },
      ]);
      expect(memberOf(await database.openLog().load(CLUSTER), 'n1')?.falseWitnessAt).toBeDefined();
      expect(await poll('n1', incarnation - 1, made())).toBe('incarnation-superseded');
    });

    it('at a join is noted of the life that begins; who joins again and again is noted once an hour', async () => {
      for (let round = 0; round < 10; round++) {
        passedMs = round * 60_000;
        await join('n1', { witness: made() });
      }
      expect(eventsOf('EpochBegan')).toEqual([]);
      expect(eventsOf('FalseWitnessShown')).toMatchObject([{ event: { data: { node: 'n1', incarnation: 1 } } }]);
      passedMs = 61 * 60_000;
      const { incarnation } = await join('n1', { witness: made() });
      expect(eventsOf('FalseWitnessShown')).toHaveLength(2);
      passedMs += 60_000;
      await join('n1');
      expect(memberOf(await database.openLog().load(CLUSTER), 'n1')).toMatchObject({ incarnation: incarnation + 1 });
      expect(memberOf(await database.openLog().load(CLUSTER), 'n1')?.falseWitnessAt).toBeUndefined();
    });

    it('of a true one is no better', async () => {
      const { incarnation, witness } = await join('n1');
      await poll('n1', incarnation, { ...witness, version: witness.version + 1 });
      await poll('n1', incarnation, { ...witness, epoch: crypto.randomUUID() });
      expect(eventsOf('EpochBegan')).toEqual([]);
      expect(eventsOf('FalseWitnessShown')).toHaveLength(1);
    });

    it('does not keep the others from telling the truth', async () => {
      const { incarnation } = await join('n1');
      const other = await join('n2');
      const kept = database.eventsOf(CLUSTER).length;
      await change('1');
      const told = (await poll('n2', other.incarnation)) as Witness;
      database.loseTail(CLUSTER, kept);
      start();
      await poll('n1', incarnation, made());
      expect(eventsOf('EpochBegan')).toEqual([]);
      expect(await poll('n2', other.incarnation, told)).toBe('log-epoch-changed');
      expect(eventsOf('EpochBegan')).toHaveLength(1);
    });
  });

  describe('by another key, of an older server or of none', () => {
    it.each([
      ['none', undefined],
      ['another installation', new MemorySeals('another').sealed(CLUSTER, { epoch: CLUSTER, version: 99_999, hash: 'ff' }).seal],
    ])('(%s) is the word of the node, which is believed now and then: another database is found out', async (_, seal) => {
      const { incarnation } = await join('n1');
      const shown: Witness = { epoch: CLUSTER, version: 99_999, hash: 'ff', ...(seal === undefined ? {} : { seal }) };
      expect(await poll('n1', incarnation, shown)).toBe('log-epoch-changed');
      expect(eventsOf('EpochBegan')).toHaveLength(1);
      expect(eventsOf('FalseWitnessShown')).toEqual([]);
      const { incarnation: next } = await join('n1');
      expect(await poll('n1', next, { ...shown, epoch: crypto.randomUUID() })).toBe('log-epoch-changed');
      expect(eventsOf('EpochBegan')).toHaveLength(1);
    });

    it('is told of in the server log once a minute, however often the node shows it once more', async () => {
      const shown: Witness = { epoch: CLUSTER, version: 99_999, hash: 'ff' };
      await poll('n1', (await join('n1')).incarnation, shown);
      const { incarnation } = await join('n1');
      const again = async (): Promise<number> => {
        expect(await poll('n1', incarnation, { ...shown, epoch: crypto.randomUUID() })).toBe('log-epoch-changed');
        return warnings.filter((message) => message.includes('once more')).length;
      };
      for (let polled = 0; polled < 20; polled++) expect(await again()).toBe(1);
      passedMs += 59_999;
      expect(await again()).toBe(1);
      passedMs += 1;
      expect(await again()).toBe(2);
    });

    describe('when its node holds no lease', () => {
      const word: Witness = { epoch: CLUSTER, version: 99_999, hash: 'ff' };
      const attempt = (number: number) => ({ attempt: { processStartedMs: 1, number } });
      const refusal = async (changes: Partial<JoinRequest>): Promise<string> => {
        const answer = await sessions.join(caller('n1'), { agentVersion: '1', bootId: 'b-n1', protocol: PROTOCOL, ...changes }, 'test');
        return answer.ok ? 'joined' : answer.rejection.code;
      };
      const left = async (): Promise<number> => {
        const { incarnation } = await join('n1', attempt(2));
        expect(await sessions.leave(caller('n1'), { incarnation, active: [] }, 'test')).toEqual({ ok: true, answer: undefined });
        return incarnation;
      };

      it('begins no epoch by a poll', async () => {
        const incarnation = await left();
        expect(await poll('n1', incarnation, word)).toBe('declared-down');
        expect(await poll('n1', incarnation + 1_000_000, word)).toBe('log-epoch-changed');
        expect(await poll('n2', 1, word)).toBe('log-epoch-changed');
        expect(eventsOf('EpochBegan')).toEqual([]);
      });

      it('begins none by a join that is refused, for what asks is not the agent of the node', async () => {
        await left();
        expect(await refusal({ witness: word, ...attempt(1) })).toBe('join-overtaken');
        await join('n1', attempt(3));
        expect(await refusal({ witness: word, bootId: 'another' })).toBe('node-joined-elsewhere');
        expect(eventsOf('EpochBegan')).toEqual([]);
      });

      it('is believed at a join that is let in, or that what runs there stands against: its agent may know what the log has lost', async () => {
        await left();
        expect(await refusal({ witness: word, ...attempt(3), active: ['db'] })).toBe('joined');
        expect(eventsOf('EpochBegan')).toHaveLength(1);
      });

      it('is heard with a seal, whatever becomes of the join', async () => {
        await left();
        const told = database.seals.sealed(CLUSTER, word);
        expect(await refusal({ witness: told, ...attempt(1) })).toBe('join-overtaken');
        expect(eventsOf('EpochBegan')).toHaveLength(1);
      });
    });
  });
});
