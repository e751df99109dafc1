import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What one run of a program took. */
export interface Usage {
  /** Seconds of CPU time, user and system, of all its threads. */
  readonly cpu: number;
  /** Seconds. */
  readonly wall: number;
  /** Largest resident set in MiB. */
  readonly peak: number;
}

const GNU_TIME = '/usr/bin/time';
const KILLED = 137;
const TIMED_OUT = 124;

/**
 * Runs a program to its end, its output thrown away.
 *
 * @param limit in seconds, after which it is ended.
 * @returns undefined when it was ended.
 * @throws {Error} when it fails.
 */
export function measure(command: readonly string[], limit: number, scratch: string): Usage | undefined {
  if (!existsSync(GNU_TIME)) throw new Error(`${GNU_TIME} is missing: install GNU time (Debian's package "time")`);
  const report = `${scratch}/usage`;
  const { status } = spawnSync(GNU_TIME, ['-q', '-f', '%U %S %e %M', '-o', report, 'timeout', '-k', '5', String(limit), ...command], {
    stdio: 'ignore',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  if (status === TIMED_OUT || status === KILLED) return undefined;
  if (status !== 0) throw new Error(`exit code ${status ?? 'none'} of: ${command.join(' ')}`);
  const [user = 0, system = 0, wall = 0, kibibytes = 0] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
  return { cpu: user + system, wall, peak: kibibytes / 1_024 };
}

/** Runs a Node.js program to its end and answers what it prints. */
export function runNode(program: string, args: readonly string[], settings: readonly string[] = []): string {
  const { status, stdout } = spawnSync(process.execPath, ['--max-old-space-size=8192', ...settings, program, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`exit code ${status ?? 'none'} of: ${program} ${args.join(' ')}`);
  return stdout;
}
