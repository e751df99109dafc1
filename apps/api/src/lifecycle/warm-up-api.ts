import { warmUp, type WarmUp } from '@systole/control-plane-postgres';
import type { Logger } from 'pino';
import type { ApiConfig } from '../api-config.js';
import { ComputingLane, type LaneLimits } from '../computing/computing-lane.js';
import type { ComputingLanes } from '../computing/computing-lanes.js';
import { LaneScheduling } from './lane-scheduling.js';

export interface WarmUpApiParts {
  /** The threads of an api that serves operators; absent: it has none, and one is started for the rehearsal and ended with it. */
  readonly lanes?: ComputingLanes;
  readonly limits: LaneLimits;
  readonly log: Logger;
}

/**
 * Makes an api quick that has just begun, in the time that it has to spare, where its settings ask for it: the thread that serves agents, and that which serves operators with those that compute for it.
 * A thread that another part shares (`states`) is made quick by that part.
 *
 * @returns undefined where there is nothing to do
 */
export function warmUpApi(config: Pick<ApiConfig, 'warmUp' | 'states'>, { lanes, limits, log }: WarmUpApiParts): WarmUp | undefined {
  if (config.warmUp !== true || config.states !== undefined) return undefined;
  if (lanes !== undefined) return warmUp({ scheduling: new LaneScheduling(lanes.writes, lanes.status), report: log });
  const own = new ComputingLane('rehearsal', limits);
  const warming = warmUp({ scheduling: new LaneScheduling(own), report: log });
  const ended = warming.ended.then(() => own.close());
  return { ended, end: () => warming.end().then(() => ended) };
}
