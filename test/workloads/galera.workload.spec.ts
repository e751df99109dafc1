import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabMachine } from './lab/lab-machine.js';
import { NODES, onEach, WorkloadLab, placesOf, rolesOf } from './lab/workload-lab.js';

const DATA = '/var/lib/mysql-ha';
let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  lab = await WorkloadLab.start({ example: 'galera', prepare: makeDatabases });
  stop = () => lab.stop();
}, 600_000);
afterAll(() => stop());

/** On each node an empty database with the account of the application. */
async function makeDatabases(nodes: readonly LabMachine[]): Promise<void> {
  await onEach(nodes, (node) =>
    node.run(`install -d -o mysql -g mysql /run/mysqld /var/log/mysql ${DATA}
      cat >/etc/mysql/galera-ha.cnf <<END
[mysqld]
user=mysql
datadir=${DATA}
bind-address=0.0.0.0
binlog_format=ROW
default_storage_engine=InnoDB
innodb_autoinc_lock_mode=2
innodb_buffer_pool_size=16M
innodb_flush_log_at_trx_commit=1
wsrep_on=ON
wsrep_provider=/usr/lib/galera/libgalera_smm.so
wsrep_provider_options=gcache.size=16M
wsrep_cluster_address=gcomm://alpha,bravo,charlie
wsrep_cluster_name=shop
wsrep_node_name=${node.name}
wsrep_node_address=192.0.2.${11 + NODES.findIndex((name) => name === node.name)}
wsrep_sst_method=rsync
END
      mysql_install_db --defaults-file=/etc/mysql/galera-ha.cnf --user=mysql --wsrep-on=OFF --skip-test-db --auth-root-authentication-method=socket >/dev/null
      mysqld --defaults-file=/etc/mysql/galera-ha.cnf --wsrep-on=OFF --bootstrap --log-error=/tmp/bootstrap.err <<END
FLUSH PRIVILEGES;
CREATE DATABASE shop;
CREATE TABLE shop.log (id INT AUTO_INCREMENT PRIMARY KEY, line TEXT);
GRANT ALL ON shop.* TO 'shop'@'%' IDENTIFIED BY 'shop-secret';
END`),
  );
}

/** As an application asks, by the service address or by a node's name. */
async function sql(statement: string, at = '192.0.2.100'): Promise<string> {
  return (
    await lab.outside.run(['mysql', '--skip-ssl', '--connect-timeout=5', '-h', at, '-ushop', '-pshop-secret', '-NBe', statement])
  ).trim();
}
const promoted = (nodes: readonly string[]): Promise<unknown> =>
  lab.settled(`galera is promoted on ${nodes.join()}`, (now) => {
    const roles = rolesOf(now, 'galera');
    return (
      Object.keys(roles).sort().join() === [...nodes].sort().join() &&
      Object.values(roles).every((role) => role === 'Promoted') &&
      placesOf(now, 'galera-ip').length === 1
    );
  });

async function everywhere(statement: string, answer: string, nodes: readonly string[] = NODES): Promise<void> {
  const answers = async (): Promise<string> => (await Promise.all(nodes.map((name) => sql(statement, name).catch(String)))).join();
  await expect.poll(answers, { timeout: 60_000, interval: 500 }).toBe(nodes.map(() => answer).join());
}
const COUNT = 'SELECT COUNT(*) FROM shop.log';

describe('MariaDB with galera, all promoted, with a service address', () => {
  it('begins with one and joins the others to it, and writes go everywhere', async () => {
    await promoted(NODES);
    for (const name of NODES) await sql(`INSERT INTO shop.log (line) VALUES ('by ${name}')`, name);
    await everywhere(COUNT, '3');
  }, 600_000);

  it('goes on by the address when a server process is killed, which joins again', async () => {
    const [holder = ''] = placesOf(await lab.status(), 'galera-ip');
    await lab.node(holder).run('kill -9 $(cat /run/mysqld/ha.pid)');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ node }) => node === holder));
    await promoted(NODES);
    await sql("INSERT INTO shop.log (line) VALUES ('after the process')");
    await everywhere(COUNT, '4');
    await lab.systole('resource', 'cleanup', 'galera');
  }, 600_000);

  it('goes on without a node that loses its power, and brings it up to date when it is back', async () => {
    const [holder = ''] = placesOf(await lab.status(), 'galera-ip');
    await lab.node(holder).cutPower();
    const rest = NODES.filter((name) => name !== holder);
    await promoted(rest);
    await sql("INSERT INTO shop.log (line) VALUES ('without a node')");
    await everywhere(COUNT, '5', rest);
    await lab.node(holder).switchOn();
    await promoted(NODES);
    await everywhere(COUNT, '5');
  }, 600_000);

  it('begins anew with the node that knows most when all lost their power', async () => {
    await Promise.all(NODES.map((name) => lab.node(name).cutPower()));
    // Until then the status shows what ran before.
    const online = async (): Promise<number> => (await lab.status()).nodes.filter((node) => node.online).length;
    await expect.poll(online, { timeout: 60_000, interval: 500 }).toBe(0);
    await Promise.all(NODES.map((name) => lab.node(name).switchOn()));
    await promoted(NODES);
    await everywhere(COUNT, '5');
  }, 600_000);
});
