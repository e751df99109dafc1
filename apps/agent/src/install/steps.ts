import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemdHere } from '../node/systemd-here.js';

/** What an installation can't do, for people. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Has systemd do something; does nothing where there is none, or where an image is made. @throws {Refused} with what it complains of */
export function systemctl(root: string, ...args: readonly string[]): boolean {
  const systemd = systemdHere();
  if (systemd === undefined || root !== '/') return false;
  const { status, stderr, error } = spawnSync(systemd.systemctl, args, { encoding: 'utf8' });
  if (status === 0) return true;
  throw new Refused(`systemctl ${args.join(' ')}: ${(error?.message ?? stderr).trim()}`);
}

/** Whether a unit runs on the machine itself. */
export function isActive(root: string, unit: string): boolean {
  const systemd = systemdHere();
  return systemd !== undefined && root === '/' && spawnSync(systemd.systemctl, ['is-active', '--quiet', unit]).status === 0;
}

/**
 * What dpkg has installed only dpkg replaces and removes, or it would not know what is there.
 *
 * @param instead what to do
 * @throws {Refused} when the agent below the root is of Debian's package
 */
export function notOfDebian(root: string, instead: string): void {
  if (existsSync(join(root, 'usr/share/doc/systole-agent/copyright')))
    throw new Refused(`the agent is installed as a Debian package: ${instead}`);
}

export function asRoot(): void {
  if (process.getuid?.() !== 0) throw new Refused('only root may do that');
}
