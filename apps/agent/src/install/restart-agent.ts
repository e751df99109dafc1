import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LeaseFile } from '../lease/lease-file.js';
import { UNIT, type Places } from './places.js';
import { say, systemctl } from './steps.js';

const LOOK_EVERY_MS = 20;
/** By less than that a lease does not begin later: the clocks that it is told by are coarse. */
const COARSE_MS = 100;

/**
 * Has the agent of this machine's unit replaced by a new process, which takes its resources over. It is killed, and systemd brings it back (`Restart=on-failure`): told to end it would leave its cluster,
 * its resources stopped. That is done when its lease has just been renewed, so that the new process has as much of it as can be had; while no server answers that is waited for, for the length of a lease.
 *
 * @throws {Refused} when systemd does not do it
 */
export async function restartAgent({ runDir }: Places): Promise<void> {
  if (!(await isRenewed(new LeaseFile(join(runDir, 'lease')))))
    say('its lease is not renewed, as no server answers; it is restarted all the same');
  systemctl('/', 'kill', '--kill-who=main', '--signal=KILL', UNIT);
}

/** @returns false when the lease was not renewed for its length; true at once when there is none */
async function isRenewed(file: LeaseFile): Promise<boolean> {
  const first = await file.read();
  if (first === undefined) return true;
  const now = performance.now();
  const renewedFrom = now - first.ageMs + COARSE_MS;
  while (performance.now() < now + first.leaseMs) {
    const lease = await file.read();
    if (lease === undefined || performance.now() - lease.ageMs > renewedFrom) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}
