import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { embeddedDatabaseUrl } from './embedded-database.js';

it('finds the database of a server by what its data directory keeps', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'systole-data-'));
  try {
    expect(await embeddedDatabaseUrl(join(directory, 'nothing'))).toBeUndefined();
    await writeFile(join(directory, 'postgres-port'), '40123\n');
    expect(await embeddedDatabaseUrl(directory)).toBeUndefined();
    await writeFile(join(directory, 'postgres-password'), 'abc123\n');
    expect(await embeddedDatabaseUrl(directory)).toBe('postgres://postgres:abc123@127.0.0.1:40123/systole');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
