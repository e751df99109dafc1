import type { ClusterCommand } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { CommitFate } from '../memory/memory-log.js';
import type { Clock } from '../ports/clock.js';
import type { Append, ClusterLog } from '../ports/cluster-log.js';
import { ClusterCommands } from './cluster-commands.js';

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

/** Commands on a cluster with one node, with what is appended, part by part. */
async function onCluster(): Promise<{ commands: ClusterCommands; database: MemoryDatabase; appends: string[][] }> {
  const database = new MemoryDatabase(clock);
  const log = database.openLog();
  const appends: string[][] = [];
  const append = (one: Append) => {
    appends.push(one.parts.map(({ meta }) => meta.actor));
    return log.append(one);
  };
  const commands = new ClusterCommands({ log: Object.assign(Object.create(log) as ClusterLog, { append }), clock, chance });
  await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c' }, by('setup'));
  await commands.execute(CLUSTER, JOIN, by('setup'));
  appends.length = 0;
  return { commands, database, appends };
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
    const { commands, database, appends } = await onCluster();
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((actor) => commands.execute(CLUSTER, attribute(actor), by(actor))));
    expect(appends).toEqual([['a'], ['b', 'c', 'd']]);
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

/** The last one for all that follow. */
function fates(...fate: readonly [CommitFate, ...CommitFate[]]): () => CommitFate {
  const left = [...fate];
  return () => (left.length > 1 ? (left.shift() ?? fate[0]) : (left[0] ?? fate[0]));
}
