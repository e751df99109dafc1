import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkout } from '@systole/examples';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContainerHosts, placesOf, resourceOf } from '../e2e/container-hosts.js';
import { CONTAINER_INIT, INIT_COMMAND, PROGRAMS } from '../e2e/container-init.js';

const HOSTS = ['alpha', 'bravo', 'charlie'];

let lab: ContainerHosts;
let stop = (): Promise<void> => Promise.resolve();

/** What the example has between two tags, with what the stand-in needs of a container. */
function partOf(tag: 'resources' | 'constraints'): string {
  const xml = readFileSync(join(checkout, 'examples/workloads/redis-bundle.cib.xml'), 'utf8');
  const part = new RegExp(`<${tag}>([^]*)</${tag}>`).exec(xml)?.[1] ?? '';
  return part
    .replace('run-command="/usr/bin/tini systole-agent"', `run-command="${INIT_COMMAND}"`)
    .replace('<storage>', `<storage>${PROGRAMS}`)
    .replace('192.0.2.', '@NET@.');
}

/** A host's settings and data of redis. */
function fill(disk: string): void {
  const at = (...parts: readonly string[]): string => join(disk, 'redis', ...parts);
  for (const part of ['data', 'etc']) mkdirSync(at(part), { recursive: true });
  const settings = [
    ...['bind 0.0.0.0', 'protected-mode no', 'port 6379', 'dir /var/lib/redis', 'appendonly yes', 'repl-diskless-sync-delay 0'],
    ...['logfile /var/lib/redis/redis.log', 'daemonize yes'],
  ];
  writeFileSync(at('etc', 'redis.conf'), `${settings.join('\n')}\n`);
  const { status, stderr } = spawnSync('chown', ['-R', 'redis:', at()], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

beforeAll(async () => {
  lab = await ContainerHosts.start({
    ...{ resources: partOf('resources'), constraints: partOf('constraints'), fill, ownDatabase: true },
    images: { 'registry.example/redis:7': 'exit 1' },
    files: { init: CONTAINER_INIT },
  });
  stop = () => lab.stop();
}, 300_000);
afterAll(() => stop());

/** As an application asks, by the service address or a host's. */
async function redis(address: string, ...command: readonly string[]): Promise<string> {
  const { stdout, stderr } = await execa('redis-cli', ['-h', address, ...command], { reject: false, timeout: 5_000 });
  return `${stdout}${stderr}`.trim();
}

const service = (): string => lab.address(100);

/** The host of the promoted container, once redis runs in so many. */
async function healthy(containers: number): Promise<string> {
  const status = await lab.settled(`redis runs in ${String(containers)} containers`, (now) => promotedHost(now, containers) !== undefined);
  return promotedHost(status, containers) ?? '';
}

function promotedHost(status: Awaited<ReturnType<ContainerHosts['status']>>, containers: number): string | undefined {
  const instances = resourceOf(status, 'redis-bundle-master')?.children ?? [];
  const active = instances.filter(({ activeOn, failed }) => activeOn.length === 1 && !failed);
  const promoted = instances.filter(({ role }) => role === 'Promoted');
  if (active.length !== containers || promoted.length !== 1) return undefined;
  const [host] = placesOf(status, `redis-bundle-podman-${(promoted[0]?.activeOn[0] ?? '').slice(-1)}`);
  return host !== undefined && placesOf(status, 'redis-ip').join() === host ? host : undefined;
}

/** Every replica holds what the promoted one does. */
async function replicated(key: string, value: string): Promise<void> {
  const held = async (): Promise<string> => (await Promise.all(HOSTS.map((name) => redis(lab.host(name).address, 'get', key)))).join();
  await expect.poll(held, { timeout: 90_000, interval: 300 }).toBe([value, value, value].join());
}

describe('redis in a promotable bundle, with a service address, on a stand-in engine', () => {
  it('replicates what is written', async () => {
    await healthy(3);
    expect(await redis(service(), 'set', 'first', 'written before')).toBe('OK');
    await replicated('first', 'written before');
  }, 300_000);

  it('goes on with the data when the container of the promoted one is killed', async () => {
    const before = await healthy(3);
    const [container = ''] = [0, 1, 2]
      .map(String)
      .filter((number) => lab.containers(`redis-bundle-podman-${number}`).join().endsWith(before));
    lab.host(before).run('podman', 'kill', `redis-bundle-podman-${container}`);
    while ((await lab.status()).settled) await sleep(100);
    await healthy(3);
    expect(await redis(service(), 'get', 'first')).toBe('written before');
    expect(await redis(service(), 'set', 'second', 'after the container')).toBe('OK');
    await replicated('second', 'after the container');
  }, 600_000);

  it('goes on with the data when its host loses its power, which then comes back', async () => {
    const before = await healthy(3);
    await lab.host(before).kill();
    await lab.until('promoted elsewhere', (now) => (promotedHost(now, 2) ?? before) !== before);
    expect(await redis(service(), 'get', 'second')).toBe('after the container');
    expect(await redis(service(), 'set', 'third', 'without it')).toBe('OK');
    await lab.host(before).boot();
    await healthy(3);
    await replicated('third', 'without it');
  }, 600_000);
});
