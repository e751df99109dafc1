import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMPTY_STATE, evolve, type ActiveResource } from '@systole/node-session';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Journal } from '../journal/journal.js';
import { LeaseFile } from '../lease/lease-file.js';
import { ActiveRecord } from '../node/active-record.js';
import { Programs } from '../programs/programs.js';
import { GivenSecrets } from '../secrets/given-secrets.js';
import { SecretSources } from '../secrets/secret-sources.js';
import { ServerConnection } from '../server/server-connection.js';
import { NodeShell } from './node-shell.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-shell-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

const DB: ActiveResource = {
  resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
  parameters: {},
  meta: {},
};

it('leaves the second record as it is until the first one can be written', async () => {
  const path = join(directory, 'active');
  const record = new ActiveRecord(path, 'boot', () => undefined);
  record.follow(evolve({ ...EMPTY_STATE, bootId: 'boot', onLeaseLoss: 'stop' }, { kind: 'active', active: DB }));
  const rescued = await vi.waitFor(async () => {
    const found = await new ActiveRecord(path, 'boot', () => undefined).read();
    expect(found).toBeDefined();
    return found;
  });

  const { journal } = await Journal.open(join(directory, 'journal'));
  const append = vi.spyOn(journal, 'append').mockRejectedValue(new Error('ENOSPC'));
  const host = {
    directories: { ocfRoots: [], lsb: '/nowhere', fence: [] },
    environment: { inherited: {}, resourceTmp: directory, varRun: directory },
  };
  const secrets = await GivenSecrets.open(join(directory, 'secrets'), () => []);
  const shell = new NodeShell(
    {
      clock: () => performance.now(),
      journal,
      activeRecord: new ActiveRecord(path, 'boot', () => undefined),
      leaseFile: new LeaseFile(join(directory, 'lease')),
      server: new ServerConnection('token'),
      programs: new Programs(host, new SecretSources({ directories: [], commands: {}, cibsecretDirectory: directory }, secrets), {
        prepared: (job) => Promise.resolve({ ok: true, job }),
      }),
      secrets,
      logger: pino({ level: 'silent' }),
      identity: { joined: () => undefined },
      killGraceMs: 1,
      panic: () => undefined,
      feed: () => undefined,
    },
    {
      agentVersion: '1',
      servers: ['http://127.0.0.1:9'],
      actionLimit: 1,
      watchdog: false,
      stopTimeoutMs: 1_000,
      bootId: 'boot',
      processStartedMs: 0,
      tokenMark: 'token',
      instance: 'i',
      seed: 1,
    },
    { journal: journal.state, ...(rescued === undefined ? {} : { rescued }) },
  );
  shell.begin();
  await vi.waitFor(() => {
    expect(append).toHaveBeenCalled();
  });
  await sleep(100);
  shell.close();
  await journal.close();
  expect((await new ActiveRecord(path, 'boot', () => undefined).read())?.active).toEqual([DB]);
});
