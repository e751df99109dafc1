import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODES, onEach, WorkloadLab, placesOf, promotedOn } from './lab/workload-lab.js';

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  lab = await WorkloadLab.start({
    example: 'redis',
    prepare: (nodes) =>
      onEach(nodes, (node) =>
        node.run(`sed -i 's/^bind .*/bind 0.0.0.0/; s/^protected-mode .*/protected-mode no/; s/^repl-diskless-sync-delay .*/repl-diskless-sync-delay 0/; s/^appendonly .*/appendonly yes/' /etc/redis/redis.conf
        mkdir -p /var/lib/redis /var/log/redis; chown redis /var/lib/redis /var/log/redis`),
      ),
  });
  stop = () => lab.stop();
}, 120_000);
afterAll(() => stop());

/** As an application asks, by the service address. */
async function redis(...command: readonly string[]): Promise<string> {
  return (await lab.outside.run(['redis-cli', '-h', '192.0.2.100', ...command])).trim();
}

async function healthy(nodes: readonly string[]): Promise<string> {
  const status = await lab.settled(`redis runs on ${nodes.join()}`, (now) => {
    const promoted = promotedOn(now, 'redis');
    return (
      promoted !== undefined && placesOf(now, 'redis').join() === [...nodes].sort().join() && placesOf(now, 'redis-ip').join() === promoted
    );
  });
  return promotedOn(status, 'redis') ?? '';
}

/** Every replica holds what the promoted one does. */
async function replicated(key: string, value: string): Promise<void> {
  const held = async (): Promise<string> =>
    (await Promise.all(NODES.map((name) => lab.outside.attempt(['redis-cli', '-h', name, 'get', key]))))
      .map(({ stdout }) => stdout.trim())
      .join();
  await expect.poll(held, { timeout: 30_000, interval: 300 }).toBe([value, value, value].join());
}

describe('redis, promotable, with a service address', () => {
  it('replicates what is written', async () => {
    await healthy(NODES);
    expect(await redis('set', 'first', 'written before')).toBe('OK');
    await replicated('first', 'written before');
  }, 120_000);

  it('goes on with the data when the promoted process is killed', async () => {
    const before = await healthy(NODES);
    await lab.node(before).run('pkill -9 redis-server');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ node }) => node === before));
    await healthy(NODES);
    expect(await redis('get', 'first')).toBe('written before');
    await redis('set', 'second', 'after the process');
    await replicated('second', 'after the process');
    await lab.systole('resource', 'cleanup', 'redis');
    await healthy(NODES);
  }, 180_000);

  it('goes on with the data when the node loses its power, which then comes back', async () => {
    const before = await healthy(NODES);
    await lab.node(before).cutPower();
    const rest = NODES.filter((name) => name !== before);
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'redis') ?? before) !== before);
    expect(await redis('get', 'second')).toBe('after the process');
    await redis('set', 'third', `without ${rest.join()}`);
    await lab.node(before).switchOn();
    await healthy(NODES);
    await replicated('third', `without ${rest.join()}`);
  }, 180_000);
});
