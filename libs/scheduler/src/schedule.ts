import type { Cib } from '@systole/cib';
import { projectRun } from './project-run.js';
import { run } from './run.js';
import type { ScheduleOptions } from './schedule-options.js';
import type { Schedule } from './schedule-result.js';

/**
 * Computes the schedule of a cluster: who runs where, and the transition graph that leads there. Pure: the same CIB and time give the same
 * result, byte for byte.
 *
 * @throws {CibRefused} `too-large` when the CIB asks for more instances or relations than can be scheduled, or for a longer listing than may be.
 */
export function schedule(cib: Cib, options: ScheduleOptions): Schedule {
  return projectRun(run(cib, options), options);
}
