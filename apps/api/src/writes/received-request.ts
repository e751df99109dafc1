import type { ReceivedRequest } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import type { Request } from 'express';
import type { ClockWatch } from '../status/clock-watch.js';

/** When a request that is looked at now was there; to be asked before anything is waited for. */
export function receivedAs({ receivedAt }: Pick<Request, 'receivedAt'>, clock: Pick<ClockWatch, 'now'>): ReceivedRequest {
  return { at: receivedAt ?? SYSTEM_CLOCK.monotonic(), databaseAt: clock.now() };
}
