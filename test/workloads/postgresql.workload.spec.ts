import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODES, WorkloadLab, placesOf, promotedOn } from './lab/workload-lab.js';
import { BIN, copyAnew, makeDatabases } from './postgresql-files.js';

const ADDRESS = '192.0.2.100';

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  lab = await WorkloadLab.start({ example: 'postgresql', prepare: makeDatabases });
  stop = () => lab.stop();
}, 240_000);
afterAll(() => stop());

/** As an application asks, by the service address. */
async function sql(statement: string, at = ADDRESS): Promise<string> {
  return (await lab.outside.run([`${BIN}/psql`, '-h', at, '-U', 'postgres', '-qAtc', statement])).trim();
}

/** One is promoted and has the addresses, all others stream from it. */
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

/** What the agent leaves to the operator: its data may have what nobody else has. */
async function rejoins(name: string): Promise<void> {
  const node = lab.node(name);
  await node.run('rm -f /var/lib/postgresql/ha-tmp/PGSQL.lock');
  await copyAnew(node, ADDRESS);
  await lab.systole('resource', 'cleanup', 'db');
}

describe('PostgreSQL by ocf:heartbeat:pgsql, synchronous, with service addresses', () => {
  it('replicates what is written', async () => {
    await healthy(NODES);
    await sql("CREATE TABLE log (line text); INSERT INTO log VALUES ('before')");
    for (const name of NODES) await expect.poll(() => sql('SELECT line FROM log', name).catch(String)).toBe('before');
  }, 240_000);

  it('promotes a replica with the rows when the primary process is killed, and takes the old primary back', async () => {
    const before = await healthy(NODES);
    await sql("INSERT INTO log VALUES ('at the end of the first')");
    await lab.node(before).run('pkill -9 postgres');
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(await sql('SELECT line FROM log')).toBe('before\nat the end of the first');
    await sql("INSERT INTO log VALUES ('second')");
    await rejoins(before);
    await healthy(NODES);
    await expect.poll(() => sql('SELECT count(*) FROM log', before)).toBe('3');
  }, 300_000);

  it('promotes a replica with the rows when the node of the primary loses its power', async () => {
    const before = await healthy(NODES);
    await lab.node(before).cutPower();
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(lab.power.done).toContain(`reboot ${before}`);
    expect(await sql('SELECT count(*) FROM log')).toBe('3');
    await sql("INSERT INTO log VALUES ('third')");
    await lab.node(before).switchOn();
    await lab.node(before).run('install -d -o postgres -g postgres /run/postgresql');
    await rejoins(before);
    await healthy(NODES);
    await expect.poll(() => sql('SELECT count(*) FROM log', before)).toBe('4');
  }, 300_000);

  it('moves when the node of the primary goes to standby', async () => {
    const before = await healthy(NODES);
    await lab.systole('node', 'standby', before);
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(await sql('SELECT count(*) FROM log')).toBe('4');
    await lab.systole('node', 'unstandby', before);
    await lab.node(before).run('rm -f /var/lib/postgresql/ha-tmp/PGSQL.lock');
    await lab.systole('resource', 'cleanup', 'db');
    await healthy(NODES);
  }, 300_000);

  it('is left as it is by an agent that is started anew, and by a server that is killed', async () => {
    const before = await healthy(NODES);
    lab.node(before).killService();
    await lab.server.kill();
    await sql("INSERT INTO log VALUES ('nobody at the helm')");
    await lab.server.start();
    const operations = (await lab.operations()).length;
    expect(await healthy(NODES)).toBe(before);
    const since = (await lab.operations()).slice(operations);
    expect(since.filter((line) => /^(start|stop|promote|demote)_0 db /.test(line))).toEqual([]);
  }, 300_000);
});
