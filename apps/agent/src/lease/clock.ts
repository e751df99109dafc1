import { uptime } from 'node:os';

/** A clock that never goes back; ms since an arbitrary moment. */
export type MonotonicClock = () => number;

/**
 * The clock for leases. The usual monotonic clock stands still while the machine is suspended (a paused virtual machine, a laptop's lid), but a lease goes
 * on; the uptime does not stand still but is coarse. Whichever has advanced further is right.
 */
export function leaseClock(): MonotonicClock {
  const monotonic = performance.now();
  const booted = uptime() * 1000;
  return () => Math.max(performance.now() - monotonic, uptime() * 1000 - booted);
}
