import { spawnSync } from 'node:child_process';
import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** As systemd and login give it: programs that use select(2) can't have more. */
const ORDINARY_OPEN_FILES = 1_024;
/** What the agent has open besides its operations. */
const OWN_FILES = 256;
/** Pipes and sockets of an operation under way. */
const FILES_OF_OPERATION = 8;
const CLOSE_ON_EXEC = 0o2000000;
const PRLIMIT = '/usr/bin/prlimit';

/** Files that whoever started the agent left open: Node marks only the first of them, and every service would have them for ever. What Node opens itself is marked. */
export function closeInheritedFiles(): void {
  for (const name of readdirSync('/proc/self/fdinfo')) {
    const descriptor = Number(name);
    if (descriptor <= 2) continue;
    try {
      const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')) ?? [];
      if ((Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) closeSync(descriptor);
    } catch {
      // That by which the directory was read is closed by now.
    }
  }
}

/**
 * Node raises the number of files that may be open to the most that it may have, and what it starts would have as many. The agent takes what it needs.
 * @param actionLimit operations at once
 * @returns why it could not; undefined when it could
 */
export function limitOpenFiles(actionLimit: number): string | undefined {
  const files = Math.max(ORDINARY_OPEN_FILES, OWN_FILES + FILES_OF_OPERATION * actionLimit);
  const { error, status, stderr } = spawnSync(PRLIMIT, ['--pid', String(process.pid), `--nofile=${String(files)}:`], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr.trim();
}
