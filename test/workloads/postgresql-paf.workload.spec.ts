import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabMachine } from './lab/lab-machine.js';
import { NODES, onEach, WorkloadLab, placesOf, promotedOn } from './lab/workload-lab.js';
import { BIN, DATA, copyAnew, makeDatabases } from './postgresql-files.js';

const ADDRESS = '192.0.2.100';
const settings = (node: LabMachine): string => `primary_conninfo = 'host=${ADDRESS} user=postgres application_name=${node.name}'\n`;

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();
const installed = existsSync('/usr/lib/ocf/resource.d/heartbeat/pgsqlms');

beforeAll(async () => {
  if (!installed) return;
  lab = await WorkloadLab.start({
    example: 'postgresql-paf',
    prepare: async (nodes) => {
      await makeDatabases(nodes, settings);
      // All but the first are standbys before the cluster starts them; nobody replicates from oneself.
      const [, ...standbys] = nodes;
      await onEach(standbys, (node) => node.run(`touch ${DATA}/standby.signal; chown postgres ${DATA}/standby.signal`));
      await onEach(nodes, (node) =>
        node.run(`sed -i '1i host replication all ${ADDRESS}/32 reject\\nhost replication all ${node.name} reject' ${DATA}/pg_hba.conf`),
      );
    },
  });
  stop = () => lab.stop();
}, 600_000);
afterAll(() => stop());

async function sql(statement: string, at = ADDRESS): Promise<string> {
  return (await lab.outside.run([`${BIN}/psql`, '-h', at, '-U', 'postgres', '-qAtc', statement])).trim();
}

async function healthy(nodes: readonly string[]): Promise<string> {
  const status = await lab.settled(`PostgreSQL runs on ${nodes.join()}`, (now) => {
    const promoted = promotedOn(now, 'db');
    const isComplete = placesOf(now, 'db').join() === [...nodes].sort().join();
    return promoted !== undefined && isComplete && placesOf(now, 'db-ip').join() === promoted;
  });
  const streams = (): Promise<string> => sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'").catch(String);
  await expect.poll(streams, { timeout: 60_000, interval: 500 }).toBe(String(nodes.length - 1));
  return promotedOn(status, 'db') ?? '';
}

describe.skipIf(!installed)('PostgreSQL by ocf:heartbeat:pgsqlms (resource-agents-paf), with a service address', () => {
  it('replicates what is written', async () => {
    await healthy(NODES);
    await sql("CREATE TABLE log (line text); INSERT INTO log VALUES ('before')");
    for (const name of NODES) await expect.poll(() => sql('SELECT line FROM log', name).catch(String), { timeout: 90_000 }).toBe('before');
  }, 600_000);

  it('starts the primary again with the rows when its process is killed', async () => {
    const before = await healthy(NODES);
    await lab.node(before).run('pkill -9 postgres');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ node }) => node === before));
    await healthy(NODES);
    expect(await sql('SELECT line FROM log')).toBe('before');
    await lab.systole('resource', 'cleanup', 'db');
  }, 600_000);

  it('elects a replica with the rows when the node of the primary loses its power, and takes the node back', async () => {
    const before = await healthy(NODES);
    await lab.node(before).cutPower();
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(await sql('SELECT line FROM log')).toBe('before');
    await sql("INSERT INTO log VALUES ('second')");
    const node = lab.node(before);
    await node.switchOn({ withService: false });
    await node.run('install -d -o postgres -g postgres /run/postgresql');
    await copyAnew(node, ADDRESS);
    await node.run(`touch ${DATA}/standby.signal; chown postgres ${DATA}/standby.signal; sed -i "s/application_name=[a-z]*/application_name=${before}/" ${DATA}/postgresql.conf
      sed -i "s/^host replication all [a-z]* reject/host replication all ${before} reject/" ${DATA}/pg_hba.conf`);
    node.startService();
    await healthy(NODES);
    expect(await sql('SELECT count(*) FROM log', before)).toBe('2');
  }, 600_000);

  it('switches over in order when it is moved', async () => {
    const before = await healthy(NODES);
    await lab.systole('resource', 'ban', 'db-clone', before, '--promoted');
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before);
    await healthy(NODES);
    await lab.systole('resource', 'clear', 'db-clone');
    expect(await sql('SELECT count(*) FROM log')).toBe('2');
  }, 600_000);
});
