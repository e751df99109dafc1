import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import { evidenceLines } from './evidence-file.js';
import { HeadSigning, readStatements } from './heads-log.js';
import { signStatement, type SignedHeads } from './signed-heads.js';
import { verifyEvidence, type EvidenceToVerify, type EvidenceVerdict } from './verify-evidence.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };
const INSTALLATION = '7f8d2f4e-0000-4000-8000-000000000001';
const EXPORT = { installation: INSTALLATION, exportedAt: '2026-01-02T00:00:00.000Z' };

let database: ScratchDatabase;
let store: EventStore;
let key: KeyObject;
let publicKey: string;
let signing: HeadSigning;

beforeEach(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
  const pair = generateKeyPairSync('ed25519');
  key = pair.privateKey;
  publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  signing = signer();
  for (const stream of ['a', 'b', 'server/audit']) await grow(stream, 4);
  await signing.signNow();
  await grow('a', 3);
});

afterEach(async () => {
  await store.close();
  await database.drop();
});

function signer(): HeadSigning {
  return new HeadSigning(database.pool, key, INSTALLATION, () => new Date('2026-01-01T00:00:00Z'));
}

async function grow(stream: string, events: number): Promise<void> {
  for (let step = 1; step <= events; step++) {
    await store.append(stream, 'any', [{ type: 'A', data: { step, text: 'ü\u2028"\\', half: step / 8 }, subjects: ['db'] }], meta);
  }
}

async function exported(only?: readonly string[]): Promise<readonly string[]> {
  let text = '';
  for await (const piece of evidenceLines(database.pool, { ...EXPORT, ...(only === undefined ? {} : { only }) })) text += piece;
  return text.trimEnd().split('\n');
}

/** In pieces that end anywhere. */
async function verified(lines: readonly string[], more: Omit<EvidenceToVerify, 'file'> = {}): Promise<EvidenceVerdict> {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 97) yield await Promise.resolve(Uint8Array.from(bytes.subarray(at, at + 97)));
  }
  return verifyEvidence({ file: pieces(), ...more });
}

async function faults(lines: readonly string[], more: Omit<EvidenceToVerify, 'file'> = {}): Promise<readonly string[]> {
  const verdict = await verified(lines, more);
  expect(verdict.intact).toBe(verdict.faults.length === 0);
  return verdict.faults.map(({ fault, streamId, version }) => [fault, streamId, version].filter((part) => part !== undefined).join(' '));
}

/** What only a superuser, or the table's owner, can do. */
async function tamper(statement: string): Promise<void> {
  await database.pool.query(`BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; ${statement}; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`);
}

const statements = (): Promise<readonly SignedHeads[]> => readStatements(database.pool, { limit: 100 });
/** Line of an event in an export. */
const at = (lines: readonly string[], streamId: string, version: number): number =>
  lines.findIndex((line) => line.includes(`"streamId":"${streamId}"`) && line.endsWith(`"version":${String(version)}}}`));

describe('a log as it was written', () => {
  it('is found intact, with what is signed and what is not yet', async () => {
    expect(await verified(await exported(), { trustedKeys: [publicKey], published: await statements() })).toEqual({
      intact: true,
      restored: false,
      events: 16,
      streams: 4,
      statements: 1,
      signedUntil: '2026-01-01T00:00:00.000Z',
      published: 1,
      unsignedEvents: 3,
      unsignedStreams: 1,
      unsignedSince: (await store.readStream('a', { fromVersion: 5, limit: 1 }))[0]?.occurredAt,
      keys: [expect.stringMatching(/^[0-9a-f]{16}$/)],
      keysCompared: true,
      streamsLeftOut: 0,
      faults: [],
    });
  });

  it('is none where a line says more, or otherwise, than what was hashed: two readers could see two things in it', async () => {
    const lines = await exported();
    const place = at(lines, 'a', 1);
    const changed = (change: (line: string) => string): readonly string[] => lines.with(place, change(lines[place] ?? ''));
    for (const lying of [
      changed((line) => line.replace('"event":{', '"event":{"actor":"user:innocent",')),
      changed((line) => line.replace('{"hash"', '{"event":{"actor":"user:innocent"},"hash"')),
      changed((line) => `${line.slice(0, -1)},"note":"forged"}`),
      changed((line) => line.replace('"version":1}', '"version":1e0}')),
      lines.map((line) => JSON.stringify(JSON.parse(line), null, 1).replaceAll(/\n */g, ' ')),
    ]) {
      expect((await faults(lying)).length).toBeGreaterThan(0);
    }
  });

  it('is not what a key is asked about where nothing is signed', async () => {
    const lines = await exported();
    const unsigned = [
      JSON.stringify({ ...(JSON.parse(lines[0] ?? '{}') as object), streams: [] }),
      JSON.stringify({ end: { events: 0, streams: 0 } }),
    ];
    expect(await faults(unsigned)).toEqual([]);
    expect(await faults(unsigned, { trustedKeys: [publicKey] })).toEqual(['missing-statement']);
  });

  it('is signed by whoever is first, names only what has grown, and nothing where nothing has', async () => {
    const other = signer();
    const both = await Promise.all([signing.signNow(), other.signNow()]);
    expect(both.filter((one) => one !== undefined)).toHaveLength(1);
    expect((await statements()).map(({ statement }) => statement.heads.map(({ streamId }) => streamId))).toEqual([
      ['a', 'b', 'server/audit'],
      ['a'],
    ]);
    expect(await Promise.all([signing.signNow(), other.signNow()])).toEqual([undefined, undefined]);
    await grow('b', 1);
    await other.signNow();
    await grow('b', 1);
    await signing.signNow();
    expect(await verified(await exported())).toMatchObject({ intact: true, statements: 4, unsignedEvents: 0 });
  });

  it('goes on being signed when it went back in time', async () => {
    await signing.signNow();
    await tamper(
      `DELETE FROM events WHERE stream_id = 'server/evidence' AND version = 2; DELETE FROM events WHERE stream_id = 'a' AND version > 5`,
    );
    await signing.signNow();
    expect((await statements()).map(({ statement }) => statement.number)).toEqual([1, 2]);
    expect(await faults(await exported())).toEqual([]);
  });

  it('is not signed on behind something that is no statement, and that is said', async () => {
    await store.append('server/evidence', 'any', [{ type: 'HeadsSigned', data: { statement: 'mine' } }], meta);
    await expect(signing.signNow()).rejects.toThrow('server/evidence holds something that is no signed statement');
    expect(await faults(await exported())).toEqual(['unreadable-line server/evidence 2']);
  });

  it('can be exported in part, and is taken for a part only when that is said', async () => {
    const part = await exported(['b']);
    expect(await faults(part)).toEqual(['missing-stream a', 'missing-stream server/audit']);
    expect(await verified(part, { partial: true })).toMatchObject({ intact: true, streams: 2, streamsLeftOut: 2 });
  });
});

describe('a log that was changed in its database', () => {
  it('shows a tail that was cut off', async () => {
    await tamper(`DELETE FROM events WHERE stream_id = 'b' AND version > 2`);
    expect(await faults(await exported())).toEqual(['cut-tail b 3']);
  });

  it('shows a chain that was rewritten, with right hashes', async () => {
    await tamper(`DELETE FROM events WHERE stream_id = 'b'`);
    await grow('b', 6);
    expect(await faults(await exported())).toEqual(['rewritten b 4']);
  });

  it('shows a stream that was dropped', async () => {
    await tamper(`DELETE FROM events WHERE stream_id = 'b'`);
    expect(await faults(await exported())).toEqual(['missing-stream b']);
  });

  it('shows an event that says something else', async () => {
    await tamper(`UPDATE events SET actor = 'mallory' WHERE stream_id = 'b' AND version = 3`);
    expect(await faults(await exported())).toEqual(['changed-content b 3']);
  });

  it('shows an event that was taken out', async () => {
    await tamper(`DELETE FROM events WHERE stream_id = 'b' AND version = 2`);
    expect(await faults(await exported())).toEqual(['missing-version b 2']);
  });

  it('shows, by statements that were published, that everything was written anew with its statements', async () => {
    await signing.signNow();
    const published = await statements();
    await tamper(`DELETE FROM events`);
    await grow('a', 2);
    key = generateKeyPairSync('ed25519').privateKey;
    await signer().signNow();
    const lines = await exported();
    expect(await faults(lines)).toEqual([]);
    expect(await faults(lines, { trustedKeys: [publicKey] })).toEqual(['unknown-key']);
    expect(await faults(lines, { published, trustedKeys: [publicKey] })).toEqual([
      'unknown-key',
      'cut-tail a 3',
      'missing-stream b',
      'missing-stream server/audit',
      'other-statement',
      'missing-statement',
    ]);
  });

  it('shows statements that were taken away', async () => {
    const published = [...(await statements())];
    await signing.signNow();
    const later = await statements();
    await tamper(`DELETE FROM events WHERE stream_id = 'server/evidence' AND version = 2`);
    const lines = await exported();
    expect(await faults(lines, { published })).toEqual([]);
    expect(await faults(lines, { published: later })).toEqual(['missing-statement']);
  });
});

describe('a log that lost its end in a restore', () => {
  const began = {
    epoch: 'e2',
    previous: 'e1',
    reason: 'n1 was told of version 7',
    by: 'n1',
    witness: { epoch: 'e1', version: 7, hash: '00' },
  };
  let published: readonly SignedHeads[];

  /** What was written after the backup is lost: of a from version 6 on, of b none, all of c, of the audit from 5 on, and the statements 2 to 4. */
  const restore = async (tells: boolean): Promise<void> => {
    await signing.signNow();
    await grow('c', 2);
    await signing.signNow();
    await grow('server/audit', 2);
    await signing.signNow();
    published = await statements();
    await tamper(
      `DELETE FROM events WHERE (stream_id = 'a' AND version > 5) OR stream_id = 'c' OR (stream_id = 'server/audit' AND version > 4) OR (stream_id = 'server/evidence' AND version > 1)`,
    );
    if (tells) await store.append('a', 'any', [{ type: 'EpochBegan', data: began }], meta);
    await grow('a', 4);
    await signer().signNow();
  };

  it('is told by its epoch, with what was lost, and is not intact', async () => {
    await restore(true);
    const { faults: found, ...verdict } = await verified(await exported(), { published, trustedKeys: [publicKey] });
    expect(verdict).toMatchObject({ intact: false, restored: true, unsignedEvents: 0 });
    expect(found.map(({ fault, streamId, version, statement }) => [fault, streamId, version, statement])).toEqual([
      ['lost-tail', 'a', 6, 2],
      ['lost-tail', 'server/audit', 5, 4],
      ['lost-tail', 'c', 1, 3],
      ['lost-statements', undefined, undefined, 2],
    ]);
    expect(found[0]?.detail).toMatch(
      /^from a version between 5 and 6 on the log was lost, and written anew; up to version 7 it had been signed\. The epoch that began at version 6 tells of it \(2.*Z, n1 was told of version 7, shown by n1\)$/,
    );
    expect(found[1]?.detail).toContain('that of a at version 6');
    expect(found[3]?.detail).toContain('statements 2 to 4');
    // What is published afterwards goes on in the same file.
    expect(await faults(await exported(), { published: [...published, ...(await statements())] })).toHaveLength(4);
  });

  it('tells each loss of a log that was restored twice, though the second restore lost nothing of what the first one lost', async () => {
    await restore(true);
    await signing.signNow();
    published = [...published, ...(await statements())];
    const backup = (await statements()).length;
    await grow('a', 2);
    await signer().signNow();
    await grow('a', 1);
    await signer().signNow();
    published = [...published, ...(await statements()).slice(1)];
    await tamper(
      `DELETE FROM events WHERE (stream_id = 'a' AND version > 10) OR (stream_id = 'server/evidence' AND version > ${String(backup)})`,
    );
    await store.append('a', 'any', [{ type: 'EpochBegan', data: { ...began, epoch: 'e3', previous: 'e2', reason: 'the second' } }], meta);
    await grow('a', 4);
    await signer().signNow();
    const verdict = await verified(await exported(), { published, trustedKeys: [publicKey] });
    expect(verdict).toMatchObject({ intact: false, restored: true });
    const tails = verdict.faults.filter(({ fault, streamId }) => fault === 'lost-tail' && streamId === 'a');
    expect(tails.map(({ version, detail }) => [version, /The epoch that began at version (\d+)/.exec(detail)?.[1]])).toEqual([
      [6, '6'],
      [11, '11'],
    ]);
    expect(tails.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('up to version 7 it had been signed'),
      expect.stringContaining('up to version 13 it had been signed'),
    ]);
    expect(verdict.faults.filter(({ fault }) => fault === 'lost-statements')).toHaveLength(2);
  });

  it('is a log that was changed where it does not tell of it, or something else is wrong besides', async () => {
    await restore(false);
    expect(await faults(await exported(), { published })).toEqual([
      'rewritten a 7',
      'cut-tail server/audit 5',
      'missing-stream c',
      'other-statement',
      'missing-statement',
      'missing-statement',
    ]);
  });

  it('is not told by an epoch from before', async () => {
    await store.append('a', 'any', [{ type: 'EpochBegan', data: began }], meta);
    await signing.signNow();
    await grow('a', 2);
    await signing.signNow();
    published = await statements();
    await tamper(`DELETE FROM events WHERE (stream_id = 'a' AND version > 9) OR (stream_id = 'server/evidence' AND version > 2)`);
    expect(await faults(await exported(), { published })).toEqual(['cut-tail a 10', 'missing-statement']);
  });

  it('tells tampering beside it', async () => {
    await restore(true);
    await tamper(`UPDATE events SET actor = 'mallory' WHERE stream_id = 'b' AND version = 3`);
    const verdict = await verified(await exported(), { published });
    expect(verdict.restored).toBe(false);
    expect(verdict.faults.map(({ fault }) => fault)).toEqual(['changed-content', 'lost-tail', 'lost-tail', 'lost-tail', 'lost-statements']);
    const forged = published.map((one) => ({ ...one, signature: published[0]?.signature ?? '' }));
    expect(await faults(await exported(), { published: forged })).toContain('rewritten a 7');
  });
});

describe('a file that was changed', () => {
  let lines: readonly string[];
  beforeEach(async () => {
    lines = await exported();
  });

  it('shows events in another order', async () => {
    const changed = [...lines];
    const [first, second] = [at(lines, 'b', 2), at(lines, 'b', 3)];
    [changed[first], changed[second]] = [lines[second] ?? '', lines[first] ?? ''];
    expect(await faults(changed)).toEqual(['missing-version b 2']);
    const twice = [...lines.slice(0, second + 1), lines[first] ?? '', ...lines.slice(second + 1)];
    expect(await faults(twice)).toEqual(['changed-order b 2', 'incomplete-file']);
  });

  it('shows streams in another order, and in two places', async () => {
    const of = (streamId: string): readonly string[] => lines.filter((line) => line.includes(`"streamId":"${streamId}","subjects"`));
    const [head = '', end = ''] = [lines[0], lines.at(-1)];
    const [a, b, audit, evidence] = ['a', 'b', 'server/audit', 'server/evidence'].map(of) as [string[], string[], string[], string[]];
    expect(await faults([head, ...evidence, ...b, ...audit, ...a, end])).toEqual([]);
    expect(await faults([head, ...a, ...b, ...audit, ...evidence, end])).toEqual(['changed-order server/evidence']);
    expect(await faults([head, ...evidence, ...a.slice(0, 3), ...b, ...a.slice(3), ...audit, end])).toContain('changed-order a');
  });

  it('shows that it was cut off', async () => {
    expect(await faults(lines.slice(0, -1))).toEqual(['incomplete-file']);
    expect(await faults(lines.slice(0, at(lines, 'b', 3)))).toContain('cut-tail b 3');
    expect(await faults(lines.slice(1))).toEqual(['incomplete-file']);
    expect(await faults([])).toEqual(['incomplete-file']);
  });

  it('shows statements, and a first line, of different installations', async () => {
    const other = '7f8d2f4e-0000-4000-8000-000000000002';
    const foreign = lines.with(0, (lines[0] ?? '').replace(INSTALLATION, other));
    expect(await faults(foreign, { trustedKeys: [publicKey] })).toEqual(['other-installation']);
    const published = await statements();
    expect(await faults(foreign, { trustedKeys: [publicKey], published })).toEqual(['other-installation']);
    const [signed] = published;
    if (signed === undefined) throw new Error('nothing was signed');
    const elsewhere = signStatement({ ...signed.statement, number: 2, installation: other, heads: [] }, key);
    expect(await faults(lines, { trustedKeys: [publicKey], published: [elsewhere] })).toContain('other-installation');
    await grow('b', 1);
    await new HeadSigning(database.pool, key, other).signNow();
    const [told, ...more] = (await verified(await exported(), { trustedKeys: [publicKey] })).faults;
    expect([told, more]).toMatchObject([{ fault: 'other-installation', statement: 2 }, []]);
    expect(await faults(lines.with(0, (lines[0] ?? '').replace('"installation"', '"installed"')))).toEqual([
      'unreadable-line',
      'incomplete-file',
    ]);
  });

  it('shows a statement that nobody signed', async () => {
    const [signed] = await statements();
    if (signed === undefined) throw new Error('nothing was signed');
    const { statement } = signed;
    const forged = { ...signed, statement: { ...statement, heads: statement.heads.map((head) => ({ ...head, version: 2 })) } };
    expect(await faults(lines, { published: [forged] })).toContain('bad-signature');
    expect(await faults(lines, { published: [{ ...signed, publicKey: 'AAAA' }] })).toContain('bad-signature');
  });

  it.each(['', 'no JSON', '[]', '{"hash":1,"event":{}}', '{"hash":"00","event":{"streamId":"b","version":"2"}}', '"\\ud800"'])(
    'is told by %j that it is none',
    async (line) => {
      const found = await faults([line, line]);
      expect(found).toContain('incomplete-file');
      expect((await verified([...lines.slice(0, 3), line, ...lines.slice(3)])).intact).toBe(line === '');
    },
  );
});
