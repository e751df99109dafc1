import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from '@systole/node-session';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuestContainers, type GuestContainersParts } from './guest-containers.js';

const RUN_OPTS =
  ' -h db-0 -e PCMK_stderr=1 -e PCMK_remote_port=3121 -v /etc/pacemaker/authkey:/etc/pacemaker/authkey -v /var/log/pacemaker/bundles/db-0:/var/log -p 192.0.2.60:3121:3121 ';

function job(operation: string, guest: string | null = 'db-0', more: Readonly<Record<string, string>> = {}): Job {
  return {
    kind: 'operation',
    operation: {
      resource: { id: 'db-podman-0', historyId: 'db-podman-0', class: 'ocf', provider: 'heartbeat', type: 'podman' },
      ...{ operation, intervalMs: 0, timeoutMs: 1_000 },
      parameters: { image: 'db:1', run_opts: RUN_OPTS, run_cmd: '/usr/sbin/pacemaker-remoted', ...more },
      meta: guest === null ? {} : { CRM_meta_systole_guest: guest },
    },
  };
}

describe('the container of a bundle in which an agent is to run', () => {
  let directory: string;
  let asked: string[];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-guests-'));
    asked = [];
  });
  afterEach(() => rm(directory, { recursive: true }));

  const guests = (more: Partial<GuestContainersParts> = {}): GuestContainers =>
    new GuestContainers({
      directory: join(directory, 'guests'),
      serverUrls: ['https://one.example:3000', 'https://two.example:3000'],
      server: {
        guestToken: (url, { incarnation, guest }) => {
          asked.push(`${guest} by ${String(incarnation)} at ${url}`);
          return Promise.resolve({ secret: 'a-secret' });
        },
      },
      session: () => ({ url: 'https://one.example:3000', incarnation: 3 }),
      ...more,
    });
  const { signal } = new AbortController();

  it('finds a token for its node, the servers, and what verifies them', async () => {
    const authoritiesFile = join(directory, 'authorities.pem');
    await writeFile(authoritiesFile, 'authorities');
    const prepared = await guests({ authoritiesFile }).prepared(job('start'), signal);
    expect(asked).toEqual(['db-0 by 3 at https://one.example:3000']);
    const own = join(directory, 'guests', 'db-0');
    const operation = prepared.ok && prepared.job.kind === 'operation' ? prepared.job.operation : undefined;
    expect(operation?.parameters).toEqual({
      image: 'db:1',
      run_cmd: 'systole-agent',
      run_opts: ` -h db-0 -e PCMK_stderr=1 -e PCMK_remote_port=3121 -v /var/log/pacemaker/bundles/db-0:/var/log -p 192.0.2.60:3121:3121  -v ${own}:/run/systole-guest:ro -e SYSTOLE_NODE=db-0 -e SYSTOLE_SERVERS=https://one.example:3000,https://two.example:3000 -e SYSTOLE_TOKEN_FILE=/run/systole-guest/token -e SYSTOLE_CA_FILE=/run/systole-guest/ca.pem`,
    });
    expect(await readFile(join(own, 'token'), 'utf8')).toBe('a-secret');
    expect(await readFile(join(own, 'ca.pem'), 'utf8')).toBe('authorities');
    expect([(await stat(own)).mode & 0o777, (await stat(join(own, 'token'))).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('keeps a command of its own; nothing is asked for what is watched, and what is stopped has no token any more', async () => {
    const at = guests();
    const started = await at.prepared(job('start', 'db-0', { run_cmd: '/usr/bin/tini systole-agent' }), signal);
    expect(started).toMatchObject({ job: { operation: { parameters: { run_cmd: '/usr/bin/tini systole-agent' } } } });
    await at.prepared(job('monitor'), signal);
    expect(asked).toHaveLength(1);
    await at.prepared(job('stop'), signal);
    await expect(stat(join(directory, 'guests', 'db-0'))).rejects.toThrow(/ENOENT/);
  });

  it('that is none is left as it is', async () => {
    const plain = job('start', null);
    expect(await guests().prepared(plain, signal)).toEqual({ ok: true, job: plain });
    expect(asked).toEqual([]);
  });

  it('is not started when its name leads elsewhere, when there is no token, or when no server is found from inside', async () => {
    expect(await guests().prepared(job('start', '../../etc'), signal)).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
    const refusing = { guestToken: () => Promise.reject(new Error('not for you')) };
    expect(await guests({ server: refusing }).prepared(job('start'), signal)).toEqual({
      ok: false,
      problem: 'the agent in the container of db-0 has no token: not for you',
    });
    const own = guests({ serverUrls: ['http://127.0.0.1:3000'] });
    expect(await own.prepared(job('start'), signal)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('network="host"') as string,
    });
    expect(await own.prepared(job('start', 'db-0', { run_opts: ` --net=host${RUN_OPTS}` }), signal)).toMatchObject({ ok: true });
  });
});
