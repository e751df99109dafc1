import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventHash, GENESIS_HASH } from '../chain/event-hash.js';
import { HeadSigning } from '../evidence/heads-log.js';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import { ChangedArchive, UnusableArchive } from './archive-files.js';
import type { ArchiveManifest } from './archive-manifest.js';
import { readArchive } from './read-archive.js';
import { verifyArchive } from './verify-archive.js';
import { writeArchive } from './write-archive.js';

const META = { actor: 'alice', command: 'test', correlationId: 'c-1' };
const INSTALLATION = '7f8d2f4e-0000-4000-8000-000000000001';

describe('an archive of the log', () => {
  let database: ScratchDatabase;
  let store: EventStore;
  let root: string;
  const keys = generateKeyPairSync('ed25519');
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

  beforeEach(async () => {
    database = await createScratchDatabase();
    store = new EventStore(database.pool);
    root = await mkdtemp(join(tmpdir(), 'systole-archive-'));
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
    await rm(root, { recursive: true, force: true });
  });

  const grow = async (stream: string, events: number): Promise<void> => {
    for (let step = 1; step <= events; step++) await store.append(stream, 'any', [{ type: 'A', data: { step, text: 'ü\u2028"\\' } }], META);
  };
  const archived = (streamId: string, upTo?: number): Promise<readonly ArchiveManifest[]> =>
    writeArchive(database.pool, {
      root,
      installation: INSTALLATION,
      streamId,
      now: () => new Date('2026-02-01T00:00:00Z'),
      ...(upTo === undefined ? {} : { upTo }),
    });
  const readBack = async (
    streamId: string,
    range: { readonly fromVersion?: number; readonly toVersion?: number; readonly unchecked?: boolean } = {},
  ): Promise<readonly unknown[]> => {
    const versions: unknown[] = [];
    for await (const text of readArchive(root, { streamId, ...range }))
      versions.push((JSON.parse(text) as { readonly version: unknown }).version);
    return versions;
  };
  const faultsOf = async (): Promise<readonly string[]> =>
    (await verifyArchive(root)).faults.map(({ file, detail }) => `${file}: ${detail}`);
  const pathOf = ({ streamId, file }: ArchiveManifest): string => join(root, encodeURIComponent(streamId), file);
  const sign = (): Promise<unknown> => new HeadSigning(database.pool, keys.privateKey, INSTALLATION).signNow();

  it('has what the log has, goes on where it ended, and is verified without the log', async () => {
    await grow('c1', 5);
    await grow('server/audit', 2);
    const [first] = await archived('c1', 3);
    expect(first).toMatchObject({ firstVersion: 1, lastVersion: 3, previousHash: '0'.repeat(64), lastHash: await store.hashAt('c1', 3) });
    expect(await archived('c1', 3)).toEqual([]);
    const [second] = await archived('c1');
    expect(second).toMatchObject({ firstVersion: 4, lastVersion: 5, previousHash: first?.lastHash });
    await archived('server/audit');
    expect(await verifyArchive(root)).toEqual({ intact: true, events: 7, streams: 2, files: 3, signedFiles: 0, keys: [], faults: [] });
    expect(await readBack('c1')).toEqual([1, 2, 3, 4, 5]);
    expect(await readBack('c1', { fromVersion: 3, toVersion: 4 })).toEqual([3, 4]);
    expect(await readBack('server/audit')).toEqual([1, 2]);
    expect(await readBack('../c1')).toEqual([]);
  });

  it('gives back each event as the log has it, to the last letter of what its hash covers', async () => {
    await grow('c1', 4);
    await store.append(
      'c1',
      'any',
      [{ type: 'B', data: { 10: -0, 9: [1e21, 1e-7, null], ü: { b: '"\\\n', a: {} } }, subjects: ['x', 'y"'] }],
      {
        ...META,
        causationId: 'cause',
      },
    );
    await archived('c1', 3);
    await archived('c1');
    const inLog = await store.readStream('c1');
    const texts: string[] = [];
    for await (const text of readArchive(root, { streamId: 'c1' })) texts.push(text);
    const told = texts.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
    expect(told).toHaveLength(5);
    expect(told).toEqual(
      inLog.map(({ streamId, version, type, schemaVersion, data, subjects, actor, command, correlationId, causationId, occurredAt }) => ({
        ...{ streamId, version, type, schemaVersion, data, subjects, actor, command, correlationId },
        ...{ causationId: causationId ?? null, occurredAt: new Date(occurredAt).toISOString() },
      })),
    );
    let hash = GENESIS_HASH;
    for (const text of texts) hash = eventHash(hash, text);
    expect(hash).toBe((await store.head('c1'))?.hash);
    // Nothing is taken out of the log: who asks the server for what was archived gets it as before.
    expect(inLog.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });

  it('carries who signed it, and says of a key that is not trusted', async () => {
    await grow('c1', 3);
    await sign();
    await grow('c1', 2);
    await archived('c1', 3);
    await archived('c1');
    const verdict = await verifyArchive(root, [publicKey]);
    expect(verdict).toMatchObject({ intact: true, signedFiles: 1, keys: [expect.any(String)] });
    expect((await verifyArchive(root, ['other'])).faults.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/none of those that are trusted/),
    ]);
  });

  it('shows a changed file, a changed event, a gap, and a file of another stream', async () => {
    await grow('c1', 6);
    const segments = [...(await archived('c1', 2)), ...(await archived('c1', 4)), ...(await archived('c1', 6))];
    const [one, two, three] = segments;
    if (one === undefined || two === undefined || three === undefined) throw new Error('nothing was written');
    const [path, manifestOf] = [pathOf(two), (manifest: ArchiveManifest) => pathOf(manifest).replace(/ndjson\.gz$/, 'manifest.json')];
    const [kept, keptManifest] = [await readFile(path), await readFile(manifestOf(two), 'utf8')];
    await writeFile(path, kept.subarray(0, -3));
    expect(await faultsOf()).toEqual([expect.stringMatching(/SHA-256/)]);
    // Whoever writes the manifest, too, still can't make the chain fit.
    const forged = gzipSync(gunzipSync(kept).toString('utf8').replace('"step":3', '"step":7'));
    await writeFile(path, forged);
    const { createHash } = await import('node:crypto');
    await writeFile(manifestOf(two), keptManifest.replace(two.sha256, createHash('sha256').update(forged).digest('hex')));
    expect(await faultsOf()).toEqual([expect.stringMatching(/version 3 was changed/)]);
    await rm(manifestOf(two));
    expect(await faultsOf()).toEqual([expect.stringMatching(/begins at version 5, and the file before it ends at version 2/)]);
    await rm(manifestOf(one));
    expect(await faultsOf()).toEqual([expect.stringMatching(/the files before it are missing/)]);
  });

  it('is read only as it was archived, or as it is when that is asked for', async () => {
    await grow('c1', 6);
    const [one, two, three] = [...(await archived('c1', 2)), ...(await archived('c1', 4)), ...(await archived('c1', 6))];
    if (one === undefined || two === undefined || three === undefined) throw new Error('nothing was written');
    const manifestOf = (of: ArchiveManifest): string => pathOf(of).replace(/ndjson\.gz$/, 'manifest.json');
    const kept = await readFile(pathOf(two));
    await writeFile(pathOf(two), gzipSync(gunzipSync(kept).toString('utf8').replace('"alice"', '"nobdy"')));
    const told: string[] = [];
    const reading = (async () => {
      for await (const text of readArchive(root, { streamId: 'c1' })) told.push(text);
    })();
    await expect(reading).rejects.toThrow(ChangedArchive);
    await expect(reading).rejects.toThrow(/000000000003-\d+\.ndjson\.gz is not what was archived.*SHA-256/);
    expect(told).toHaveLength(2);
    expect(told.join()).not.toContain('nobdy');
    // Another part of it is read all the same.
    expect(await readBack('c1', { fromVersion: 5 })).toEqual([5, 6]);
    expect(await readBack('c1', { unchecked: true })).toEqual([1, 2, 3, 4, 5, 6]);
    await writeFile(pathOf(two), kept);
    await rm(manifestOf(two));
    await expect(readBack('c1')).rejects.toThrow(UnusableArchive);
    await expect(readBack('c1')).rejects.toThrow(/has no manifest/);
    expect(await readBack('c1', { toVersion: 2 })).toEqual([1, 2]);
    expect(await readBack('c1', { unchecked: true })).toEqual([1, 2, 3, 4, 5, 6]);
    await rm(pathOf(two));
    await expect(readBack('c1')).rejects.toThrow(/begins at version 5, and the files before it are missing/);
  });

  it('is verified to its end where a manifest is none', async () => {
    await grow('c1', 2);
    await grow('c2', 2);
    const [one] = await archived('c1');
    const [other] = await archived('c2');
    if (one === undefined || other === undefined) throw new Error('nothing was written');
    await writeFile(pathOf(one).replace(/ndjson\.gz$/, 'manifest.json'), '{"file":"../../etc/passwd"}');
    await writeFile(pathOf(other), 'changed');
    expect(await faultsOf()).toEqual([expect.stringMatching(/manifest\.json: it is no manifest/), expect.stringMatching(/SHA-256/)]);
  });

  it('does not count what a process left behind that was killed in the midst of it', async () => {
    await grow('c1', 2);
    const [manifest] = await archived('c1');
    if (manifest === undefined) throw new Error('nothing was written');
    // The events are there, their manifest is not; and half of a file.
    await rm(pathOf(manifest).replace(/ndjson\.gz$/, 'manifest.json'));
    await writeFile(`${pathOf(manifest)}.unfinished`, 'half');
    expect((await verifyArchive(root)).files).toBe(0);
    expect(await archived('c1')).toHaveLength(1);
    expect((await readdir(join(root, 'c1'))).sort()).toEqual([manifest.file, manifest.file.replace(/ndjson\.gz$/, 'manifest.json')].sort());
    expect(await faultsOf()).toEqual([]);
  });

  it('is not gone on with when it is of another log, or asked for what there is not', async () => {
    await grow('c1', 2);
    await archived('c1');
    await expect(archived('c1', 3)).rejects.toThrow(/newest one is 2/);
    await database.pool.query(
      `BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; DELETE FROM events WHERE version = 2; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`,
    );
    await grow('c1', 2);
    await expect(archived('c1')).rejects.toThrow(UnusableArchive);
  });
});
