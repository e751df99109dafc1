import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import type { RefusedSnapshot } from './snapshots.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

let database: ScratchDatabase;
let store: EventStore;

beforeAll(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

describe('snapshots', () => {
  it('gives the newest one of a schema, or the newest up to a version', async () => {
    for (const version of [10, 30, 20]) await store.saveSnapshot('s', 'state-1', { version, data: { z: version, a: ['ü', null] } });
    await store.saveSnapshot('s', 'state-2', { version: 40, data: {} });
    expect(await store.loadSnapshot('s', 'state-1')).toMatchObject({ version: 30, data: { z: 30, a: ['ü', null] } });
    expect(await store.loadSnapshot('s', 'state-1', 29)).toMatchObject({ version: 20 });
    expect(await store.loadSnapshot('s', 'state-1', 9)).toBeUndefined();
    expect(await store.loadSnapshot('t', 'state-1')).toBeUndefined();
  });

  it('replaces one of the same version', async () => {
    await store.saveSnapshot('r', 'state-1', { version: 1, data: 'old' });
    await store.saveSnapshot('r', 'state-1', { version: 1, data: 'new' });
    expect(await store.loadSnapshot('r', 'state-1')).toMatchObject({ version: 1, data: 'new' });
  });

  it('deletes those below a version, or all', async () => {
    for (const version of [1, 2, 3]) await store.saveSnapshot('d', 'state-1', { version, data: {} });
    expect(await store.deleteSnapshots('d', 3)).toBe(2);
    expect(await store.loadSnapshot('d', 'state-1')).toMatchObject({ version: 3 });
    expect(await store.deleteSnapshots('d')).toBe(1);
    expect(await store.loadSnapshot('d', 'state-1')).toBeUndefined();
  });

  describe('that are large', () => {
    const entry = (at: number): object => ({ name: 'entry', attributes: { id: `e${String(at)}`, text: 'as it was' }, children: [] });
    const data = {
      version: 3,
      nodes: Array.from({ length: 40 }, () => ({ name: 'node', children: Array.from({ length: 500 }, (_, at) => entry(at)) })),
    };
    const event = { type: 'Happened', data: {} };
    const piecesOf = async (streamId: string): Promise<number> =>
      (await database.pool.query('SELECT FROM snapshot_pieces WHERE stream_id = $1', [streamId])).rowCount ?? 0;
    const save = async (streamId: string): Promise<number> => {
      await store.append(streamId, 'no-stream', [event, event, event], { actor: 'a', command: 'c', correlationId: 'x' });
      await store.saveSnapshot(streamId, 'state-1', { version: 1, data: { version: 1 } });
      return store.saveSnapshot(streamId, 'state-1', { version: 3, data });
    };

    it('are saved and loaded piece by piece, and the same then', async () => {
      const length = await save('large');
      expect(await piecesOf('large')).toBeGreaterThan(10);
      expect(await store.loadSnapshot('large', 'state-1')).toEqual({ version: 3, data, length });
      expect(await store.newestSnapshot('large', 'state-1')).toBe(3);
      expect(await store.newestSnapshot('large', 'state-1', 2)).toBe(1);
      expect(await store.verifyChain({ streamId: 'large' })).toMatchObject({ intact: true });
      await store.deleteSnapshots('large', 4);
      expect(await piecesOf('large')).toBe(0);
      expect(await store.newestSnapshot('large', 'state-1')).toBe(0);
    });

    it('are refused when any piece was changed', async () => {
      const refused: RefusedSnapshot[] = [];
      const strict = new EventStore(database.pool, { onSnapshotRefused: (one) => refused.push(one) });
      for (const [streamId, change] of [
        ['other-text', `replace(text, 'as it was', 'forged')`],
        ['no-json', `'{'`],
      ] as const) {
        await save(streamId);
        await database.pool.query(`UPDATE snapshot_pieces SET text = ${change} WHERE stream_id = $1 AND piece = 7`, [streamId]);
        expect(await strict.loadSnapshot(streamId, 'state-1')).toMatchObject({ version: 1 });
        expect(refused.splice(0)).toEqual([{ streamId, schema: 'state-1', version: 3, reason: 'text-differs' }]);
        expect(await strict.verifyChain({ streamId })).toMatchObject({ intact: false, fault: 'snapshot-differs' });
      }
      await strict.close();
    });

    it('count for nothing as long as pieces are missing', async () => {
      await save('half');
      await database.pool.query(`DELETE FROM snapshot_pieces WHERE stream_id = 'half' AND piece = 7`);
      expect(await store.loadSnapshot('half', 'state-1')).toMatchObject({ version: 1 });
      expect(await store.verifyChain({ streamId: 'half' })).toMatchObject({ intact: true });
      await store.saveSnapshot('half', 'state-1', { version: 3, data });
      expect(await store.loadSnapshot('half', 'state-1')).toMatchObject({ version: 3, data });
    });
  });

  it('are thinned out: of each section of the stream the oldest stays, with all of its pieces', async () => {
    const meta = { actor: 'a', command: 'c', correlationId: 'x' };
    await store.append(
      'thin',
      'no-stream',
      Array.from({ length: 40 }, () => ({ type: 'Happened', data: {} })),
      meta,
    );
    const data = (version: number): unknown => ({
      version,
      texts: Array.from({ length: 2_000 }, (_, index) => `text ${index} of ${version}`),
    });
    for (let version = 2; version <= 40; version += 2) await store.saveSnapshot('thin', 'state-2', { version, data: data(version) });
    await store.saveSnapshot('thin', 'state-1', { version: 3, data: {} });
    const left = async (): Promise<readonly number[]> =>
      (await database.pool.query<{ version: string }>(`SELECT version FROM snapshots WHERE stream_id = 'thin' ORDER BY version`)).rows.map(
        (row) => Number(row.version),
      );
    expect(await store.thinSnapshots('thin', 'state-2', 32, 8)).toBe(12);
    expect(await left()).toEqual([2, 8, 16, 24, 32, 34, 36, 38, 40]);
    await store.thinSnapshots('thin', 'state-2', 36, 16);
    expect(await left()).toEqual([2, 16, 32, 36, 38, 40]);
    expect(await store.loadSnapshot('thin', 'state-2', 31)).toMatchObject({ version: 16, data: data(16) });
    const { rows } = await database.pool.query<{ version: string }>(
      `SELECT DISTINCT version FROM snapshot_pieces WHERE stream_id = 'thin' ORDER BY 1`,
    );
    expect((await left()).map(String)).toEqual(expect.arrayContaining(rows.map(({ version }) => version)));
    expect(rows.length).toBeGreaterThan(0);
  });

  describe('that are not what was saved', () => {
    const refused: RefusedSnapshot[] = [];
    const strict = (): EventStore => new EventStore(database.pool, { onSnapshotRefused: (one) => refused.push(one) });
    const event = { type: 'Happened', data: {} };
    const meta = { actor: 'a', command: 'c', correlationId: 'x' };
    const of = async (streamId: string): Promise<void> => {
      refused.splice(0);
      await store.append(streamId, 'no-stream', [event, event, event], meta);
      for (const version of [1, 2, 3]) await store.saveSnapshot(streamId, 'state-1', { version, data: { version, text: 'as it was' } });
    };
    const loaded = async (streamId: string): Promise<unknown> => {
      const reader = strict();
      const snapshot = await reader.loadSnapshot(streamId, 'state-1');
      await reader.close();
      return snapshot?.version;
    };

    it('are passed over for an earlier one, and said', async () => {
      await of('forged');
      await database.pool.query(`UPDATE snapshots SET data = '{"version":3,"text":"forged"}' WHERE stream_id = 'forged' AND version = 3`);
      expect(await loaded('forged')).toBe(2);
      expect(refused).toEqual([{ streamId: 'forged', schema: 'state-1', version: 3, reason: 'text-differs' }]);
      expect(await store.verifyChain({ streamId: 'forged' })).toMatchObject({ intact: false, version: 3, fault: 'snapshot-differs' });
      expect(await store.verifyChain()).toMatchObject({ intact: false, streamId: 'forged', fault: 'snapshot-differs' });
      expect(await store.head('forged')).toMatchObject({ version: 3 });
    });

    it('or were never recorded, or were moved elsewhere', async () => {
      await of('added');
      await database.pool.query(
        `INSERT INTO snapshots (stream_id, schema, version, data) SELECT stream_id, schema, 9, data FROM snapshots WHERE stream_id = 'added' AND version = 3`,
      );
      await database.pool.query(
        `INSERT INTO snapshots (stream_id, schema, version, data) SELECT 'other', schema, version, data FROM snapshots WHERE stream_id = 'added' AND version = 3`,
      );
      expect([await loaded('added'), await loaded('other')]).toEqual([3, undefined]);
      expect(refused.map(({ reason }) => reason)).toEqual(['not-recorded', 'not-recorded']);
    });

    it('are not even saved when they are of other events than the log holds by then', async () => {
      await store.append('went-back', 'no-stream', [event], meta);
      const hash = await store.hashAt('went-back', 1);
      await store.saveSnapshot('went-back', 'state-1', { version: 1, data: {}, hash: 'a'.repeat(64) });
      expect(await store.newestSnapshot('went-back', 'state-1')).toBe(0);
      await store.saveSnapshot('went-back', 'state-1', { version: 1, data: {}, hash: hash ?? '' });
      expect(await loaded('went-back')).toBe(1);
    });

    it('or are of events that are not in the log', async () => {
      refused.splice(0);
      await store.append('short', 'no-stream', [event], meta);
      await store.saveSnapshot('short', 'state-1', { version: 2, data: {} });
      await store.append('short', 1, [event], meta);
      expect(await loaded('short')).toBeUndefined();
      expect(refused).toMatchObject([{ reason: 'stream-differs' }]);
    });
  });
});
