import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { clockLibrary } from './clock.js';

/** Programs that the lab is made of, by the Debian package that brings them. */
const PROGRAMS = {
  ip: 'iproute2',
  nft: 'nftables',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  pgrep: 'procps',
  'redis-server': 'redis-server',
} as const;

/** @throws naming everything that is missing on this machine */
export function checkRequirements(): void {
  const missing = [
    ...Object.entries(PROGRAMS).flatMap(([program, debianPackage]) =>
      isInPath(program) ? [] : [`the program ${program} (Debian package ${debianPackage})`],
    ),
    ...(clockLibrary() === undefined ? ['libfaketime (Debian package libfaketime)'] : []),
    ...(process.getuid?.() === 0 ? [] : ['root: network namespaces, mounts and foreign processes are made and taken down']),
  ];
  if (missing.length > 0) throw new Error(`the chaos run needs ${missing.join('; ')}`);
}

function isInPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
