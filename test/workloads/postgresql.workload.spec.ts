import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODES, WorkloadLab, placesOf, promotedOn } from './lab/workload-lab.js';
import { copyAnew, makeDatabases } from './postgresql-files.js';
import { PostgresqlService } from './postgresql-service.js';

const ADDRESS = '192.0.2.100';

let lab: WorkloadLab;
let db: PostgresqlService;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  lab = await WorkloadLab.start({ example: 'postgresql', prepare: makeDatabases });
  stop = () => lab.stop();
  db = new PostgresqlService(lab, ADDRESS);
}, 600_000);
afterAll(() => stop());

/** What the agent leaves to the operator: its data may have what nobody else has. */
async function rejoins(name: string): Promise<void> {
  const node = lab.node(name);
  await node.run('rm -f /var/lib/postgresql/ha-tmp/PGSQL.lock');
  await copyAnew(node, ADDRESS);
  await lab.systole('resource', 'cleanup', 'db');
}

describe('PostgreSQL by ocf:heartbeat:pgsql, synchronous, with service addresses', () => {
  it('replicates what is written', async () => {
    await db.healthy(NODES);
    await db.sql("CREATE TABLE log (line text); INSERT INTO log VALUES ('before')");
    for (const name of NODES) await expect.poll(() => db.sql('SELECT line FROM log', name).catch(String)).toBe('before');
  }, 600_000);

  it('promotes a replica with the rows when the primary process is killed, and takes the old primary back', async () => {
    const before = await db.healthy(NODES);
    await db.sql("INSERT INTO log VALUES ('at the end of the first')");
    await lab.node(before).run('pkill -9 postgres');
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(await db.sql('SELECT line FROM log')).toBe('before\nat the end of the first');
    await db.sql("INSERT INTO log VALUES ('second')");
    await rejoins(before);
    await db.healthy(NODES);
    await expect.poll(() => db.sql('SELECT count(*) FROM log', before)).toBe('3');
  }, 600_000);

  it('promotes a replica with the rows when the node of the primary loses its power', async () => {
    const before = await db.healthy(NODES);
    await lab.node(before).cutPower();
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(lab.power.done).toContain(`reboot ${before}`);
    expect(await db.sql('SELECT count(*) FROM log')).toBe('3');
    await db.sql("INSERT INTO log VALUES ('third')");
    await lab.node(before).switchOn();
    await lab.node(before).run('install -d -o postgres -g postgres /run/postgresql');
    await rejoins(before);
    await db.healthy(NODES);
    await expect.poll(() => db.sql('SELECT count(*) FROM log', before)).toBe('4');
  }, 600_000);

  it('moves when the node of the primary goes to standby', async () => {
    const before = await db.healthy(NODES);
    await lab.systole('node', 'standby', before);
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(await db.sql('SELECT count(*) FROM log')).toBe('4');
    await lab.systole('node', 'unstandby', before);
    await lab.node(before).run('rm -f /var/lib/postgresql/ha-tmp/PGSQL.lock');
    await lab.systole('resource', 'cleanup', 'db');
    await db.healthy(NODES);
  }, 600_000);

  it('is left as it is by an agent that is started anew, and by a server that is killed', async () => {
    const before = await db.healthy(NODES);
    const operations = (await lab.operations()).length;
    lab.node(before).killService();
    await lab.server.kill();
    await db.sql("INSERT INTO log VALUES ('nobody at the helm')");
    await lab.server.start();
    expect(await db.healthy(NODES)).toBe(before);
    const since = (await lab.operations()).slice(operations);
    expect(since.filter((line) => /^(start|stop|promote|demote)_0 db /.test(line))).toEqual([]);
  }, 600_000);
});
