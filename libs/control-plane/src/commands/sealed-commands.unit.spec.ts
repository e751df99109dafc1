import type { ClusterCommand } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Append, ClusterLog } from '../ports/cluster-log.js';
import type { Clock } from '../ports/clock.js';
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
const by = (actor: string) => ({ actor, correlationId: `asked by ${actor}` });
const device = (id: string, password: string): ClusterCommand => ({
  type: 'edit-configuration',
  edits: [
    {
      edit: 'create',
      collection: 'resources',
      element: { element: 'primitive', id, class: 'stonith', type: 'fence_x', instance_attributes: { password } },
    },
  ],
});

/** Commands on a new cluster. @param before each append */
async function onCluster(before: (append: Append) => Promise<void> = () => Promise.resolve()) {
  const database = new MemoryDatabase(clock);
  const log = database.openLog();
  const append = async (one: Append) => {
    await before(one);
    return log.append(one);
  };
  const commands = new ClusterCommands({
    log: Object.assign(Object.create(log) as ClusterLog, { append }),
    clock,
    chance,
    secrets: database.secrets,
  });
  await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c' }, by('setup'));
  const events = () => JSON.stringify(database.copy().events.get(CLUSTER));
  return { commands, database, log, events };
}

describe('commands that bring in secrets', () => {
  it('store them with the events that refer to them', async () => {
    const { commands, database, events } = await onCluster();
    expect(await commands.execute(CLUSTER, device('power', 'geheim'), by('alice'))).toMatchObject({ ok: true });
    const held = await database.secrets.held(CLUSTER);
    expect(Object.values(held)).toMatchObject([{ owner: 'power', parameter: 'password', agents: ['stonith:fence_x'], value: 'geheim' }]);
    expect(events()).not.toContain('geheim');
    expect(events()).toContain(Object.keys(held)[0]);
  });

  it('keep them for a resource that is renamed, under its new name', async () => {
    const { commands, database, events } = await onCluster();
    await commands.execute(CLUSTER, device('power', 'geheim'), by('alice'));
    expect(await commands.execute(CLUSTER, { type: 'rename-resource', resource: 'power', to: 'pdu' }, by('bob'))).toMatchObject({
      ok: true,
    });
    const held = Object.entries(await database.secrets.held(CLUSTER));
    const [id] = held.find(([, { owner }]) => owner === 'pdu') ?? [];
    expect(held.find(([each]) => each === id)?.[1]).toMatchObject({ parameter: 'password', value: 'geheim' });
    expect(events().lastIndexOf(String(id))).toBeGreaterThan(0);
  });

  it('refuse that another resource takes them over by id-ref, unless who asks may see secrets', async () => {
    const { commands } = await onCluster();
    await commands.execute(CLUSTER, device('power', 'geheim'), by('alice'));
    const borrows: ClusterCommand = {
      type: 'edit-configuration',
      edits: [
        {
          edit: 'create',
          collection: 'resources',
          element: {
            ...{ element: 'primitive', id: 'mine', class: 'stonith', type: 'fence_x' },
            instance_attributes: [{ 'id-ref': 'power-instance_attributes' }],
          },
        },
      ],
    };
    expect(await commands.execute(CLUSTER, borrows, by('mallory'))).toMatchObject({
      rejection: { code: 'secret-refused', message: expect.stringContaining('takes over password by id-ref from power') as string },
    });
    expect(await commands.execute(CLUSTER, borrows, { ...by('alice'), seesSecrets: true })).toMatchObject({ ok: true });
  });

  it('store nothing when they are only tried, or refused', async () => {
    const { commands, database } = await onCluster();
    const tried = await commands.preview(CLUSTER, device('power', 'geheim'), {
      actor: 'alice',
      correlationId: 'c',
      now: '2027-01-01T00:00:00Z',
    });
    expect(JSON.stringify(tried)).toContain('systole-secret:');
    expect(JSON.stringify(tried)).not.toContain('geheim');
    expect(await commands.execute(CLUSTER, device('power', 'systole-secret:nonsense'), by('alice'))).toMatchObject({
      rejection: { code: 'secret-refused' },
    });
    expect(await database.secrets.held(CLUSTER)).toEqual({});
  });

  it('that are decided together, or anew after a conflict, keep one secret each', async () => {
    let conflicts = 0;
    const { commands, database, log, events } = await onCluster(async ({ parts, expectedVersion }) => {
      if (expectedVersion === 0 || conflicts > 0) return;
      conflicts += 1;
      const [part] = parts;
      if (part === undefined) return;
      const attribute = { node: 'n1', name: 'x', value: '1', lifetime: 'reboot' } as const;
      await log.append({
        clusterId: CLUSTER,
        expectedVersion,
        parts: [{ events: [{ type: 'NodeAttributeSet', data: attribute }], meta: { ...part.meta, causationId: crypto.randomUUID() } }],
      });
    });
    const results = await Promise.all([
      commands.execute(CLUSTER, device('one', 'geheim-1'), by('alice')),
      commands.execute(CLUSTER, device('two', 'geheim-2'), by('bob')),
      commands.execute(CLUSTER, device('three', 'geheim-3'), by('carol')),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(conflicts).toBe(1);
    const held = await database.secrets.held(CLUSTER);
    expect(
      Object.values(held)
        .map(({ owner, value }) => `${owner} ${value ?? ''}`)
        .sort(),
    ).toEqual(['one geheim-1', 'three geheim-3', 'two geheim-2']);
    for (const id of Object.keys(held)) expect(events()).toContain(id);
  });

  it('are gone with their cluster', async () => {
    const { commands, database } = await onCluster();
    await commands.execute(CLUSTER, device('power', 'geheim'), by('alice'));
    await commands.execute(CLUSTER, { type: 'delete-cluster' }, by('alice'));
    expect(Object.values(await database.secrets.held(CLUSTER))).toMatchObject([{ owner: 'power', erased: true }]);
    expect(JSON.stringify(await database.secrets.held(CLUSTER))).not.toContain('geheim');
  });
});
