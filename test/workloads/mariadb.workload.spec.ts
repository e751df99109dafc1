import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../chaos/lab/run-command.js';
import type { LabMachine } from './lab/lab-machine.js';
import { NODES, onEach, WorkloadLab, placesOf, promotedOn } from './lab/workload-lab.js';

const DATA = '/var/lib/mysql-ha';
let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  lab = await WorkloadLab.start({ example: 'mariadb', prepare: makeDatabases });
  stop = () => lab.stop();
}, 240_000);
afterAll(() => stop());

/** A database on the first node with the account that replicates and is asked, and copies of it on the others. */
async function makeDatabases(nodes: readonly LabMachine[]): Promise<void> {
  const [first, ...others] = nodes;
  if (first === undefined) return;
  await onEach(nodes, (node) =>
    node.run(`install -d -o mysql -g mysql /run/mysqld /var/log/mysql
      cat >/etc/mysql/ha.cnf <<END
[mysqld]
user=mysql
datadir=${DATA}
bind-address=0.0.0.0
server-id=${NODES.findIndex((name) => name === node.name) + 1}
log-bin=binlog
relay-log=relay
log-slave-updates
skip-slave-start
innodb_buffer_pool_size=16M
innodb_flush_log_at_trx_commit=1
sync_binlog=1
pid-file=/run/mysqld/ha.pid
socket=/run/mysqld/mysqld.sock
log-error=/var/log/mysql/ha.log
END`),
  );
  await first.run(`install -d -o mysql -g mysql ${DATA}
    mysql_install_db --defaults-file=/etc/mysql/ha.cnf --user=mysql --skip-test-db --auth-root-authentication-method=socket >/dev/null
    printf '%s' "FLUSH PRIVILEGES; GRANT ALL ON *.* TO repl@'%' IDENTIFIED BY 'repl-secret'; GRANT ALL ON *.* TO repl@localhost IDENTIFIED BY 'repl-secret';" |
      mysqld --defaults-file=/etc/mysql/ha.cnf --bootstrap --skip-log-bin --log-error=/dev/null`);
  for (const node of others) await runCommand(['cp', '-a', first.path(DATA), node.path(DATA)]);
}

/** As an application asks, by the service address or by a node's name. */
async function sql(statement: string, at = '192.0.2.100'): Promise<string> {
  return (await lab.outside.run(['mysql', '--skip-ssl', '-h', at, '-urepl', '-prepl-secret', '-NBe', statement])).trim();
}

async function healthy(nodes: readonly string[]): Promise<string> {
  const status = await lab.settled(`MariaDB runs on ${nodes.join()}`, (now) => {
    const promoted = promotedOn(now, 'db');
    return promoted !== undefined && placesOf(now, 'db').join() === [...nodes].sort().join() && placesOf(now, 'db-ip').join() === promoted;
  });
  return promotedOn(status, 'db') ?? '';
}

async function everywhere(statement: string, answer: string): Promise<void> {
  const answers = async (): Promise<string> => (await Promise.all(NODES.map((name) => sql(statement, name).catch(String)))).join();
  await expect.poll(answers, { timeout: 60_000, interval: 500 }).toBe(NODES.map(() => answer).join());
}

describe('MariaDB by ocf:heartbeat:mysql, primary and replicas, with a service address', () => {
  it('replicates what is written', async () => {
    await healthy(NODES);
    await sql("CREATE DATABASE shop; CREATE TABLE shop.log (line TEXT); INSERT INTO shop.log VALUES ('before')");
    await everywhere('SELECT COUNT(*) FROM shop.log', '1');
  }, 240_000);

  it('promotes a replica with the rows when the node of the primary loses its power, and takes the node back as a replica', async () => {
    const before = await healthy(NODES);
    await lab.node(before).cutPower();
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    expect(await sql('SELECT line FROM shop.log')).toBe('before');
    await sql("INSERT INTO shop.log VALUES ('second')");
    await lab.node(before).switchOn();
    await healthy(NODES);
    await everywhere('SELECT COUNT(*) FROM shop.log', '2');
  }, 300_000);

  it('promotes in order when the node of the primary goes to standby', async () => {
    const before = await healthy(NODES);
    await lab.systole('node', 'standby', before);
    await lab.settled('promoted elsewhere', (now) => (promotedOn(now, 'db') ?? before) !== before && placesOf(now, 'db-ip').length === 1);
    await sql("INSERT INTO shop.log VALUES ('third')");
    await lab.systole('node', 'unstandby', before);
    await healthy(NODES);
    await everywhere('SELECT COUNT(*) FROM shop.log', '3');
  }, 300_000);
});
