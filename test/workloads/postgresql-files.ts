import { runCommand } from '../chaos/lab/run-command.js';
import { onEach } from './lab/workload-lab.js';
import type { LabMachine } from './lab/lab-machine.js';

/** Debian's programs of PostgreSQL. */
export const BIN = '/usr/lib/postgresql/15/bin';
/** Where the examples have their data. */
export const DATA = '/var/lib/postgresql/15/ha';
export const AS_POSTGRES = 'setpriv --reuid=postgres --regid=postgres --clear-groups';

/** A database on the first node, and copies of it on the others. The machines' power is cut, never their disks': no fsync is needed. */
export async function makeDatabases(nodes: readonly LabMachine[], settings: (node: LabMachine) => string = () => ''): Promise<void> {
  const [first, ...others] = nodes;
  if (first === undefined) return;
  await onEach(nodes, (node) =>
    node.run('rm -rf /var/lib/postgresql/15; install -d -o postgres -g postgres /var/lib/postgresql/15 /run/postgresql'),
  );
  await first.run(`${AS_POSTGRES} ${BIN}/initdb -D ${DATA} -A trust -E UTF8 --locale=C >/dev/null
    cat >>${DATA}/postgresql.conf <<END
listen_addresses = '*'
unix_socket_directories = '/run/postgresql'
hot_standby = on
wal_keep_size = '256MB'
restart_after_crash = off
shared_buffers = '32MB'
fsync = off
END
    echo 'host all,replication all 192.0.2.0/24 trust' >>${DATA}/pg_hba.conf`);
  await onEach(others, (node) => runCommand(['cp', '-a', first.path(DATA), node.path(DATA)]));
  await onEach(nodes, (node) => node.run(`cat >>${DATA}/postgresql.conf`, settings(node)));
}

/** Becomes a copy of what runs at an address, as an operator makes one. */
export async function copyAnew(node: LabMachine, from: string): Promise<void> {
  await node.run(`rm -rf ${DATA}; ${AS_POSTGRES} ${BIN}/pg_basebackup -h ${from} -U postgres -D ${DATA} -X stream -c fast`);
}
