import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type Embedded, type EmbeddedOptions } from './embedded.js';
import { StartFailure } from './start-failure.js';

describe('the admin token of the whole in one process', () => {
  let database: ScratchDatabase;
  let running: Embedded | undefined;

  beforeEach(async () => {
    database = await createScratchDatabase();
  });

  afterEach(async () => {
    await running?.stop();
    await database.drop();
  });

  async function restart(options: EmbeddedOptions = {}): Promise<Embedded> {
    await running?.stop();
    running = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', ...options });
    return running;
  }

  async function administers({ url }: Embedded, token: string | undefined): Promise<boolean> {
    const answer = await fetch(`${url}/v1/tokens`, { headers: { authorization: `Bearer ${token ?? ''}` } });
    return answer.status === 200;
  }

  it('is made at the first start, and another one on request by whoever has forgotten it', async () => {
    const first = (await restart()).adminToken;
    expect(await administers(await restart(), first)).toBe(true);
    expect((await restart()).adminToken).toBeUndefined();

    const recovered = await restart({ newAdminToken: true });
    expect(recovered.adminToken).not.toBe(first);
    expect(await administers(recovered, recovered.adminToken)).toBe(true);
    expect(await administers(recovered, first)).toBe(true);
  });

  it('is made once when it is requested at the first start', async () => {
    const systole = await restart({ newAdminToken: true });
    const answer = await fetch(`${systole.url}/v1/tokens`, { headers: { authorization: `Bearer ${systole.adminToken ?? ''}` } });
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(1);
  });
});

describe('the metrics of the whole in one process', () => {
  it('are those of the api and of the worker, each once, and what both have added up', async () => {
    const database = await createScratchDatabase();
    const running = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent' });
    try {
      const call = async (method: string, path: string, body?: object): Promise<Response> =>
        fetch(`${running.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${running.adminToken ?? ''}`, 'content-type': 'application/json', 'idempotency-key': path },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      expect((await call('POST', '/v1/clusters', { name: 'metrics' })).status).toBe(201);
      const lines = async (): Promise<readonly string[]> => (await (await fetch(`${running.url}/metrics`)).text()).split('\n');
      // A cluster that nobody has joined is not planned; that it was asked for is stored by the thread for operators.
      await expect.poll(lines).toContain('systole_append_events_total 1');
      await expect.poll(lines).toContain('systole_database_waiting 0');
      const shown = await lines();
      for (const line of [
        'systole_results_acknowledged_total 0',
        'systole_plan_duration_seconds_count 0',
        'systole_actions_handed_out_total 0',
        'systole_transitions_ended_total{outcome="complete"} 0',
        'systole_plans_waiting 0',
        // Of the worker, and of the api's two threads.
        `systole_states_cached_limit_bytes ${String(2 * 384 * 1024 * 1024)}`,
      ])
        expect(shown).toContain(line);
      const described = shown.flatMap((line) => (line.startsWith('# TYPE ') ? [line.split(' ')[2]] : []));
      expect(new Set(described).size).toBe(described.length);
      expect(described).toContain('process_cpu_seconds_total');
      const guide = await readFile(new URL('../../docs/guide/metrics.md', import.meta.url), 'utf8');
      const named = new Set(guide.match(/systole_[a-z_]+/g));
      expect(described.filter((name = '') => name.startsWith('systole_') && !named.has(name))).toEqual([]);
    } finally {
      await running.stop();
      await database.drop();
    }
  });
});

describe('a start that can not succeed says what to do instead', () => {
  const failure = (options: EmbeddedOptions): Promise<unknown> =>
    startEmbedded({ logLevel: 'silent', ...options }).catch((error: unknown) => error);

  it('when the data directory is not usable', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'systole-start-'));
    try {
      const file = join(directory, 'file');
      await writeFile(file, '');
      for (const dataDir of [file, join(file, 'below')]) {
        const error = await failure({ dataDir });
        expect(error).toBeInstanceOf(StartFailure);
        expect(String(error)).toContain(`The data directory ${dataDir} can not be used`);
        expect(String(error)).toContain('--data-dir');
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('when the database is not there, without its password', async () => {
    const error = await failure({ databaseUrl: 'postgres://systole:secret@127.0.0.1:1/systole' });
    expect(error).toBeInstanceOf(StartFailure);
    expect(String(error)).toContain(
      'The database at 127.0.0.1:1 can not be reached (connect ECONNREFUSED 127.0.0.1:1). Check DATABASE_URL',
    );
    expect(String(error)).not.toContain('secret');
  });

  it('when it can not listen', async () => {
    const database = await createScratchDatabase();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const taken = await failure({ databaseUrl: database.url, port });
      expect(taken).toBeInstanceOf(StartFailure);
      expect(String(taken)).toContain(`Port ${port} of 127.0.0.1 can not be used (EADDRINUSE). Choose another one: npm start -- --port`);
      const nowhere = await failure({ databaseUrl: database.url, port, host: '203.0.113.1' });
      expect(String(nowhere)).toContain('EADDRNOTAVAIL');
    } finally {
      other.close();
      await database.drop();
    }
  });
});
