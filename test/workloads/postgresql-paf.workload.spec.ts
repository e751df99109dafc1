import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabMachine } from './lab/lab-machine.js';
import { NODES, onEach, WorkloadLab, placesOf, promotedOn } from './lab/workload-lab.js';
import { DATA, copyAnew, makeDatabases } from './postgresql-files.js';
import { PostgresqlService } from './postgresql-service.js';

const ADDRESS = '192.0.2.100';
const settings = (node: LabMachine): string => `primary_conninfo = 'host=${ADDRESS} user=postgres application_name=${node.name}'\n`;

let lab: WorkloadLab;
let db: PostgresqlService;
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
  db = new PostgresqlService(lab, ADDRESS);
}, 600_000);
afterAll(() => stop());

describe.skipIf(!installed)('PostgreSQL by ocf:heartbeat:pgsqlms (resource-agents-paf), with a service address', () => {
  it('replicates what is written', async () => {
    await db.healthy(NODES);
    await db.sql("CREATE TABLE log (line text); INSERT INTO log VALUES ('before')");
    for (const name of NODES)
      await expect.poll(() => db.sql('SELECT line FROM log', name).catch(String), { timeout: 90_000 }).toBe('before');
  }, 600_000);

  it('starts the primary again with the rows when its process is killed', async () => {
    const before = await db.healthy(NODES);
    await lab.node(before).run('pkill -9 postgres');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ node }) => node === before));
    await db.healthy(NODES);
    expect(await db.sql('SELECT line FROM log')).toBe('before');
    await lab.systole('resource', 'cleanup', 'db');
  }, 600_000);

  it('elects a replica with the rows when the node of the primary loses its power, and takes the node back', async () => {
    const before = await db.healthy(NODES);
    await lab.node(before).cutPower();
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(await db.sql('SELECT line FROM log')).toBe('before');
    await db.sql("INSERT INTO log VALUES ('second')");
    const node = lab.node(before);
    await node.switchOn({ withService: false });
    await node.run('install -d -o postgres -g postgres /run/postgresql');
    await copyAnew(node, ADDRESS);
    await node.run(`touch ${DATA}/standby.signal; chown postgres ${DATA}/standby.signal; sed -i "s/application_name=[a-z]*/application_name=${before}/" ${DATA}/postgresql.conf
      sed -i "s/^host replication all [a-z]* reject/host replication all ${before} reject/" ${DATA}/pg_hba.conf`);
    node.startService();
    await db.healthy(NODES);
    expect(await db.sql('SELECT count(*) FROM log', before)).toBe('2');
  }, 600_000);

  it('switches over in order when it is moved', async () => {
    const before = await db.healthy(NODES);
    await lab.systole('resource', 'ban', 'db-clone', before, '--promoted');
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before);
    await db.healthy(NODES);
    await lab.systole('resource', 'clear', 'db-clone');
    expect(await db.sql('SELECT count(*) FROM log')).toBe('2');
  }, 600_000);
});
