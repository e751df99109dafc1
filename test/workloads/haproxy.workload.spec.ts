import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODES, onEach, WorkloadLab, placesOf } from './lab/workload-lab.js';

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  lab = await WorkloadLab.start({
    example: 'haproxy',
    prepare: (nodes) =>
      onEach(nodes, (node) =>
        node.run(`mkdir -p /var/log/nginx
          cat >/etc/nginx/ha.conf <<END
pid /run/nginx-ha.pid;
error_log /var/log/nginx/ha.log;
events {}
http { access_log off; server { listen 8080; location / { return 200 "${node.name}\\n"; } } }
END
          cat >/etc/haproxy/ha.cfg <<END
defaults
  mode http
  timeout connect 1s
  timeout client 5s
  timeout server 5s
  retries 3
  option redispatch
frontend front
  bind :80
  default_backend sites
backend sites
  balance roundrobin
${NODES.map((name, index) => `  server ${name} 192.0.2.${11 + index}:8080 check inter 500 fall 2 rise 1`).join('\n')}
END`),
      ),
  });
  stop = () => lab.stop();
}, 600_000);
afterAll(() => stop());

/** Which backends answer, by the service address. */
async function answering(): Promise<string> {
  const all = await lab.outside.attempt('for i in 1 2 3 4 5 6 7 8 9; do curl -s --max-time 3 http://192.0.2.100/; done');
  return [...new Set(all.stdout.trim().split('\n'))].sort().join();
}
const complete = (nodes: readonly string[]): Promise<unknown> =>
  lab.settled(
    'complete',
    (now) =>
      ['haproxy', 'site'].every((id) => placesOf(now, id).join() === [...nodes].sort().join()) && placesOf(now, 'front-ip').length === 1,
  );

describe('haproxy on each node before a site on each node, with an address that goes where haproxy runs', () => {
  it('answers from all, goes on without the node that has the address, and takes it back', async () => {
    await complete(NODES);
    await expect.poll(answering, { timeout: 90_000 }).toBe('alpha,bravo,charlie');
    const [holder = ''] = placesOf(await lab.status(), 'front-ip');
    await lab.node(holder).cutPower();
    const rest = NODES.filter((name) => name !== holder);
    await complete(rest);
    await expect.poll(answering, { timeout: 90_000 }).toBe(rest.join());
    await lab.node(holder).switchOn();
    await complete(NODES);
    await expect.poll(answering, { timeout: 90_000 }).toBe('alpha,bravo,charlie');
  }, 600_000);

  it('starts haproxy again where it was killed, and meanwhile the address is elsewhere or back', async () => {
    const [holder = ''] = placesOf(await lab.status(), 'front-ip');
    await lab.node(holder).run('pkill -9 haproxy');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ node }) => node === holder));
    await complete(NODES);
    await expect.poll(answering, { timeout: 90_000 }).toBe('alpha,bravo,charlie');
  }, 600_000);
});
