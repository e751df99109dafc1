import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** Where the kernel takes orders; `b` restarts the machine at once, without syncing or unmounting. */
const SYSRQ = '/proc/sysrq-trigger';
const RESTART = 'b';

/**
 * Restarts the machine at once.
 *
 * @param command does it instead of the kernel's SysRq, where there is one
 * @param failed told what kept it from happening, in words
 */
export function panic(command: string | undefined, failed: (problem: string) => void): void {
  try {
    if (command === undefined) writeFileSync(SYSRQ, RESTART);
    else
      spawn(command, [], { detached: true, stdio: 'ignore' }).once('error', ({ message }) => {
        failed(message);
      });
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  }
}
