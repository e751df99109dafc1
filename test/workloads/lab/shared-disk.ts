import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../chaos/lab/run-command.js';
import type { LabMachine } from './lab-machine.js';

/** A disk with an empty ext4 that all machines reach, as in a storage network: a loop device of the kernel that they share. */
export class SharedDisk {
  private constructor(
    private readonly device: string,
    private readonly directory: string,
  ) {}

  static async make(): Promise<SharedDisk> {
    const directory = await mkdtemp(join(tmpdir(), 'systole-disk-'));
    try {
      const image = join(directory, 'disk');
      await runCommand(['truncate', '-s', '64M', image]);
      await runCommand(['mkfs.ext4', '-q', image]);
      return new SharedDisk((await runCommand(['losetup', '--find', '--show', image])).trim(), directory);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** It is the machine's `/srv/shared-disk` from now on. */
  async connect(machine: LabMachine): Promise<void> {
    await machine.run(['ln', '-s', this.device, '/srv/shared-disk']);
  }

  async dispose(): Promise<void> {
    await runCommand(['losetup', '-d', this.device]);
    await rm(this.directory, { recursive: true, force: true });
  }
}
