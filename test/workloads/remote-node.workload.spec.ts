import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEach, placesOf, WorkloadLab, type Status } from './lab/workload-lab.js';

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  lab = await WorkloadLab.start({
    example: 'remote-node',
    remoteNodes: ['far'],
    prepare: (nodes) =>
      onEach(nodes, (node) =>
        node.run(`mkdir -p /var/log/nginx
          cat >/etc/nginx/ha.conf <<END
pid /run/nginx-ha.pid;
error_log /var/log/nginx/ha.log;
events {}
http { access_log off; server { listen 80; location / { return 200 "${node.name}\\n"; } } }
END`),
      ),
  });
  stop = () => lab.stop();
}, 600_000);
afterAll(() => stop());

/** Which machine answers, by the service address. */
async function answering(): Promise<string> {
  return (await lab.outside.attempt('curl -s --max-time 1 http://192.0.2.100/')).stdout.trim();
}

const onFar = (now: Status): boolean => ['web-ip', 'site'].every((id) => placesOf(now, id).join() === 'far');

describe('a web service on a remote node', () => {
  it('is served from there', async () => {
    const status = await lab.settled('it runs on the remote node', onFar);
    expect(placesOf(status, 'far')).toEqual(['alpha']);
    await expect.poll(answering, { timeout: 30_000 }).toBe('far');
  }, 300_000);

  it('is served all the time while the host of the connection loses its power, and nothing of it is stopped or started', async () => {
    const before = await lab.operations();
    const asking = new AbortController();
    const missed: string[] = [];
    const asked = (async () => {
      while (!asking.signal.aborted) {
        const from = await answering();
        if (from !== 'far') missed.push(from);
      }
    })();
    await lab.node('alpha').cutPower();
    const status = await lab.settled(
      'the connection is begun elsewhere',
      (now) => onFar(now) && placesOf(now, 'far').length === 1 && !placesOf(now, 'far').includes('alpha'),
    );
    asking.abort();
    await asked;
    expect(missed).toEqual([]);
    expect(lab.power.done).toEqual(['reboot alpha']);
    const since = (await lab.operations()).slice(before.length);
    expect(since.filter((operation) => /^(start|stop)_0 (site|web-ip) /.test(operation))).toEqual([]);
    expect(status.nodes.find(({ name }) => name === 'far')).toMatchObject({ online: true });
    await lab.node('alpha').switchOn();
    await lab.settled('alpha is back', onFar);
  }, 300_000);

  it('moves when the remote node loses its power, which is fenced first, and comes back with it', async () => {
    const done = lab.power.done.length;
    await lab.node('far').cutPower();
    const status = await lab.settled(
      'it runs elsewhere',
      (now) => placesOf(now, 'site').length === 1 && !placesOf(now, 'site').includes('far'),
    );
    expect(lab.power.done.slice(done)).toEqual(['reboot far']);
    await expect.poll(answering, { timeout: 30_000 }).toBe(placesOf(status, 'site').join());
    await lab.node('far').switchOn();
    await lab.settled('it is back', onFar);
    await expect.poll(answering, { timeout: 30_000 }).toBe('far');
    expect(lab.power.done.slice(done)).toEqual(['reboot far']);
  }, 300_000);
});
