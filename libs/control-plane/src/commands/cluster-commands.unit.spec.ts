import { decide, type ClusterCommand } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import { MemoryFigures } from '../memory/memory-figures.js';
import type { CommitFate } from '../memory/memory-log.js';
import type { Clock } from '../ports/clock.js';
import { HeldTooLong, OutcomeUnknown, Unstorable, type Append, type AppendOutcome, type ClusterLog } from '../ports/cluster-log.js';
import { ClusterCommands, type CommandsOf } from './cluster-commands.js';
import type { ExecuteResult } from './command-results.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const clock: Clock = {
  timeOfDay: () => 1_800_000_000_000,
  monotonic: () => 0,
  after: (_, run) => {
    queueMicrotask(run);
    return () => undefined;
  },
};
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0 };
const JOIN: ClusterCommand = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 };
const attribute = (name: string, value = '1'): ClusterCommand => ({
  type: 'set-node-attribute',
  node: 'n1',
  name,
  value,
  lifetime: 'reboot',
});
const by = (actor: string) => ({ actor, correlationId: `asked by ${actor}` });

type Appending = (append: Append) => Promise<AppendOutcome>;

/** Commands on a cluster with one node, with what is appended, part by part. */
async function onCluster(): Promise<{
  commands: ClusterCommands;
  database: MemoryDatabase;
  appends: string[][];
  figures: MemoryFigures;
  /** What is done instead of the next appends, one after the other. */
  instead: (...steps: ((append: Append, log: Appending) => Promise<AppendOutcome>)[]) => void;
}> {
  const database = new MemoryDatabase(clock);
  const log = database.openLog();
  const appends: string[][] = [];
  const steps: ((append: Append, log: Appending) => Promise<AppendOutcome>)[] = [];
  const appending: Appending = (one) => log.append(one);
  const append: Appending = (one) => {
    appends.push(one.parts.map(({ meta }) => meta.actor));
    return steps.shift()?.(one, appending) ?? log.append(one);
  };
  const figures = new MemoryFigures();
  const commands = new ClusterCommands({ log: Object.assign(Object.create(log) as ClusterLog, { append }), clock, chance, figures });
  await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c' }, by('setup'));
  await commands.execute(CLUSTER, JOIN, by('setup'));
  // The line is empty a moment after the answer.
  await new Promise(setImmediate);
  appends.length = 0;
  figures.groups.length = 0;
  return { commands, database, appends, figures, instead: (...next) => void steps.push(...next) };
}

/** What each was told: the version, or the error's name. */
async function told(asked: readonly Promise<ExecuteResult>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(asked);
  return settled.map((one): unknown => {
    if (one.status === 'rejected') return one.reason instanceof Error ? one.reason.name : one.reason;
    return one.value.ok ? one.value.version : one.value.rejection.code;
  });
}

/** What stands in the stream after the setup: who wrote which attribute. */
function written(database: MemoryDatabase): readonly string[] {
  return database
    .eventsOf(CLUSTER)
    .slice(2)
    .map(({ event, meta }) => `${meta.actor} ${event.type === 'NodeAttributeSet' ? event.data.name : event.type}`);
}

describe('what is asked of a cluster while an append is on its way', () => {
  it('is decided one upon the other and appended together, each with who asked', async () => {
    const { commands, database, appends, figures } = await onCluster();
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((actor) => commands.execute(CLUSTER, attribute(actor), by(actor))));
    expect(appends).toEqual([['a'], ['b', 'c', 'd']]);
    expect(figures.groups).toEqual([
      { requests: 1, events: 1 },
      { requests: 3, events: 3 },
    ]);
    expect(written(database)).toEqual(['a a', 'b b', 'c c', 'd d']);
    expect(results.map((result) => result.ok && result.version)).toEqual([3, 4, 5, 6]);
  });

  it('goes alone where it names the version that it was asked of', async () => {
    const { commands, appends } = await onCluster();
    const expected = [{ version: 3 }];
    await Promise.all([
      commands.execute(CLUSTER, attribute('a'), by('a')),
      commands.execute(CLUSTER, attribute('b'), { ...by('b'), expected }),
      commands.execute(CLUSTER, attribute('c'), by('c')),
      commands.execute(CLUSTER, attribute('d'), by('d')),
    ]);
    expect(appends).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('is told that nothing changes, or that it is refused, only when what that rests on is stored', async () => {
    const { commands, database } = await onCluster();
    const first = commands.execute(CLUSTER, attribute('z'), by('z'));
    database.fateOfNextCommit = fates('answered', 'lost', 'answered');
    const told: string[] = [];
    const note = (actor: string, command: ClusterCommand) =>
      commands.execute(CLUSTER, command, by(actor)).then((result) => {
        told.push(
          `${actor} ${result.ok ? String(result.events.length) : result.rejection.code} at ${String(database.eventsOf(CLUSTER).length)}`,
        );
      });
    await Promise.all([
      first,
      note('a', attribute('a')),
      note('again', attribute('a')),
      note('unknown', { ...JOIN, type: 'leave-node', incarnation: 7 }),
    ]);
    expect(told).toEqual(['a 1 at 4', 'again 0 at 4', 'unknown lease-lost at 4']);
  });

  it('that throws while it is stored takes nobody else with it', async () => {
    const { commands, database } = await onCluster();
    const within = () => Promise.reject(new Error('too much'));
    const results = await Promise.allSettled([
      commands.execute(CLUSTER, attribute('a'), by('a')),
      commands.execute(CLUSTER, attribute('b'), by('b')),
      commands.execute(CLUSTER, attribute('c'), { ...by('c'), within }),
      commands.execute(CLUSTER, attribute('d'), by('d')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(written(database)).toEqual(['a a', 'b b', 'd d']);
  });

  it.each<[CommitFate, string]>([
    ['unanswered', 'took place'],
    ['late', 'takes place later'],
    ['lost', 'never took place'],
  ])('is stored once when the answer to the commit is lost, which %s', async (fate) => {
    const { commands, database } = await onCluster();
    database.fateOfNextCommit = fates('answered', fate, 'answered');
    const results = await Promise.all(['a', 'b', 'c'].map((actor) => commands.execute(CLUSTER, attribute(actor), by(actor))));
    expect(written(database)).toEqual(['a a', 'b b', 'c c']);
    expect(results.map((result) => result.ok && result.version)).toEqual([3, 4, 5]);
  });
});

describe('as long as nobody knows whether an append took place', () => {
  const unanswered = () => Promise.reject(new OutcomeUnknown(CLUSTER));
  const away = () => Promise.reject(new Error('nothing was changed'));

  it('nobody whose command may be stored is told that nothing was changed', async () => {
    const { commands, database, instead } = await onCluster();
    instead(unanswered, away);
    expect(await told([commands.execute(CLUSTER, attribute('a'), by('a'))])).toEqual(['OutcomeUnknown']);
    expect(written(database)).toEqual([]);
  });

  it('others are told what it was', async () => {
    const { commands, instead } = await onCluster();
    let asks = 0;
    const again: CommandsOf = {
      type: 'set-node-attribute',
      madeOf: () => Promise.resolve(++asks > 1 ? [attribute('b')] : []),
    };
    instead((append, log) => log(append), unanswered, away);
    const asked = [
      commands.execute(CLUSTER, attribute('z'), by('z')),
      commands.execute(CLUSTER, attribute('a'), by('a')),
      commands.executeAll(CLUSTER, again, by('b')),
    ];
    expect(await told(asked)).toEqual([3, 'OutcomeUnknown', 'Error']);
  });

  it('who fails at another attempt is told by what the log shows, and those after it are stored once', async () => {
    const { commands, database, instead } = await onCluster();
    let inDoubt: Append | undefined;
    instead(
      (append, log) => log(append),
      (append) => {
        inDoubt = append;
        return unanswered();
      },
      async (_, log) => {
        if (inDoubt !== undefined) await log(inDoubt);
        return { type: 'conflict' };
      },
    );
    let looks = 0;
    const admit = () => (++looks > 1 ? away() : Promise.resolve());
    const asked = [
      commands.execute(CLUSTER, attribute('z'), by('z')),
      commands.execute(CLUSTER, attribute('a'), { ...by('a'), admit }),
      commands.execute(CLUSTER, attribute('b'), by('b')),
    ];
    expect(await told(asked)).toEqual([3, 4, 5]);
    expect(written(database)).toEqual(['z z', 'a a', 'b b']);
  });

  it('who fails at another attempt is told that when something else was stored in the place of both', async () => {
    const { commands, database, instead } = await onCluster();
    instead((append, log) => log(append), unanswered);
    let looks = 0;
    const admit = () => (++looks > 1 ? away() : Promise.resolve());
    const asked = [
      commands.execute(CLUSTER, attribute('z'), by('z')),
      commands.execute(CLUSTER, attribute('a'), { ...by('a'), admit }),
      commands.execute(CLUSTER, attribute('b'), by('b')),
    ];
    expect(await told(asked)).toEqual([3, 'Error', 4]);
    expect(written(database)).toEqual(['z z', 'b b']);
  });

  it('who fails at another attempt is told that nobody knows when nothing shows', async () => {
    const { commands, instead } = await onCluster();
    instead(unanswered);
    let looks = 0;
    const admit = () => (++looks > 1 ? away() : Promise.resolve());
    expect(await told([commands.execute(CLUSTER, attribute('a'), { ...by('a'), admit })])).toEqual(['OutcomeUnknown']);
  });

  it('nobody is told that it comes to nothing at another attempt', async () => {
    const { commands, database, instead } = await onCluster();
    let late: Append | undefined;
    let looks = 0;
    const commandsOf: CommandsOf = {
      type: 'set-node-attribute',
      madeOf: async () => {
        looks += 1;
        if (looks === 1) return [attribute('a')];
        if (looks === 3 && late !== undefined) await database.transact(late);
        return [];
      },
    };
    instead((append) => {
      late = append;
      return unanswered();
    });
    expect(await told([commands.executeAll(CLUSTER, commandsOf, by('a'))])).toEqual([3]);
    expect(written(database)).toEqual(['a a']);
  });

  it('either of two appends may be the one that took place', async () => {
    const { commands, database, instead } = await onCluster();
    const inDoubt: Append[] = [];
    const lost = (append: Append) => {
      inDoubt.push(append);
      return unanswered();
    };
    instead(
      (append, log) => log(append),
      lost,
      lost,
      async (_, log) => {
        const [first] = inDoubt;
        if (first !== undefined) await log(first);
        return { type: 'conflict' };
      },
    );
    let looks = 0;
    const admit = () => (++looks > 1 ? away() : Promise.resolve());
    const asked = [
      commands.execute(CLUSTER, attribute('z'), by('z')),
      commands.execute(CLUSTER, attribute('a'), { ...by('a'), admit }),
      commands.execute(CLUSTER, attribute('b'), by('b')),
    ];
    expect(await told(asked)).toEqual([3, 4, 5]);
    expect(written(database)).toEqual(['z z', 'a a', 'b b']);
  });
});

describe('what the database refuses', () => {
  it('takes nobody with it of those that came at the same moment', async () => {
    const { commands, database, instead } = await onCluster();
    const refusing = (append: Append, log: Appending) =>
      append.parts.some(({ meta }) => meta.actor === 'c') ? Promise.reject(new Unstorable({ cause: 'c' })) : log(append);
    instead(...Array.from({ length: 9 }, () => refusing));
    const asked = ['a', 'b', 'c', 'd'].map((actor) => commands.execute(CLUSTER, attribute(actor), by(actor)));
    expect(await told(asked)).toEqual([3, 4, 'Unstorable', 5]);
    expect(written(database)).toEqual(['a a', 'b b', 'd d']);
  });

  it('is told to the one whose work on the tables it was, though others fail after it', async () => {
    const { commands, database, instead } = await onCluster();
    let broken = false;
    const begin = (append: Append, log: Appending) => {
      broken = false;
      return log(append);
    };
    instead(...Array.from({ length: 9 }, () => begin));
    const within = (isCause: boolean) => async () => {
      await Promise.resolve();
      if (isCause) broken = true;
      if (broken) throw new Unstorable({ cause: 'the transaction is aborted' });
    };
    const asked = ['a', 'b', 'c', 'd'].map((actor) =>
      commands.execute(CLUSTER, attribute(actor), { ...by(actor), within: within(actor === 'c') }),
    );
    expect(await told(asked)).toEqual([3, 4, 'Unstorable', 5]);
    expect(written(database)).toEqual(['a a', 'b b', 'd d']);
  });
});

describe('while somebody else always appends between load and append', () => {
  /** Commands of a process, of which another one is always faster; and whose deciding takes so long, ms. */
  async function overtaken(decidingMs = 0) {
    const { database } = await onCluster();
    const log = database.openLog();
    let others = 0;
    let now = 0;
    const append: Appending = async (one) => {
      const name = `other${String(++others)}`;
      const meta = { actor: 'other', command: 'x', correlationId: 'x', causationId: crypto.randomUUID() };
      const events = [{ type: 'NodeAttributeSet', data: { node: 'n1', name, value: '1', lifetime: 'reboot' } } as const];
      await log.append({ clusterId: CLUSTER, expectedVersion: one.expectedVersion, parts: [{ events, meta }] });
      return log.append(one);
    };
    const commands = new ClusterCommands({
      log: Object.assign(Object.create(log) as ClusterLog, { append }),
      clock: { ...clock, monotonic: () => now },
      chance,
      decide: (...asked) => {
        now += decidingMs;
        return decide(...asked);
      },
    });
    return { commands, database };
  }

  it('a command is decided on a stream that is held, after three conflicts', async () => {
    const { commands, database } = await overtaken();
    expect(await told([commands.execute(CLUSTER, attribute('a'), by('a'))])).toEqual([6]);
    expect(written(database)).toEqual(['other other1', 'other other2', 'other other3', 'a a']);
  });

  it('a command that takes long to decide is so after the first', async () => {
    const { commands, database } = await overtaken(150);
    expect(await told([commands.execute(CLUSTER, attribute('a'), by('a'))])).toEqual([4]);
    expect(written(database)).toEqual(['other other1', 'a a']);
  });

  it('commands that take very long do not share a hold', async () => {
    const { commands, database } = await overtaken(2_000);
    expect(await told(['a', 'b', 'c'].map((actor) => commands.execute(CLUSTER, attribute(actor), by(actor))))).toEqual([4, 7, 9]);
    expect(written(database).filter((each) => !each.startsWith('other'))).toEqual(['a a', 'b b', 'c c']);
  });

  it('a command is refused by what its guard, its own version or the state says, as before', async () => {
    const { commands, database } = await overtaken();
    const guarded = commands.execute(CLUSTER, attribute('a'), { ...by('a'), guard: () => Promise.resolve(false) });
    expect(await told([guarded])).toEqual([2]);
    const stale = commands.execute(CLUSTER, attribute('a'), { ...by('a'), expected: [{ version: 2 }] });
    expect(await told([stale])).toEqual(['version-mismatch']);
    expect(await told([commands.execute(CLUSTER, { ...JOIN, type: 'leave-node', incarnation: 7 }, by('a'))])).toEqual(['lease-lost']);
    expect(written(database).every((each) => each.startsWith('other'))).toBe(true);
  });

  it('a request of which another attempt is stored meanwhile takes place once', async () => {
    const { commands, database } = await overtaken();
    const twin = new ClusterCommands({ log: database.openLog(), clock, chance });
    const request = { id: crypto.randomUUID(), repeated: false };
    let decisions = 0;
    const asked: CommandsOf = {
      type: 'set-node-attribute',
      madeOf: async () => {
        decisions += 1;
        if (decisions === 3) await twin.execute(CLUSTER, attribute('a', 'twin'), { ...by('twin'), request });
        return [attribute('a')];
      },
    };
    expect(await told([commands.executeAll(CLUSTER, asked, { ...by('a'), request })])).toEqual([5]);
    expect(written(database).filter((each) => !each.startsWith('other'))).toEqual(['twin a']);
  });

  it('a command for which no stream can be held is given up in the end, and says how long it took', async () => {
    const { commands, database } = await overtaken(150);
    const holding = database.openLog().appendHolding(crypto.randomUUID(), 8_000, () => new Promise(() => undefined));
    await new Promise(setImmediate);
    await expect(commands.execute(CLUSTER, attribute('a'), by('a'))).rejects.toThrow(/50 conflicting changes .* within 7.5 s/);
    database.restore(database.copy());
    await expect(holding).rejects.toThrow(HeldTooLong);
  });

  it('a command whose decision outlasts the hold is given up, and changes nothing', async () => {
    const { commands, database } = await overtaken();
    const never: CommandsOf = {
      type: 'set-node-attribute',
      madeOf: ({ version }) => {
        if (version < 5) return Promise.resolve([attribute('a')]);
        database.restore(database.copy());
        return new Promise(() => undefined);
      },
    };
    expect(await told([commands.executeAll(CLUSTER, never, by('a'))])).toEqual(['CommandContention']);
    expect(await told([commands.execute(CLUSTER, attribute('b'), by('b'))])).toEqual([9]);
  });
});

/** The last one for all that follow. */
function fates(...fate: readonly [CommitFate, ...CommitFate[]]): () => CommitFate {
  const left = [...fate];
  return () => (left.length > 1 ? (left.shift() ?? fate[0]) : (left[0] ?? fate[0]));
}
