import type { IncomingMessage } from 'node:http';
import type { ReceivedRequest } from '@systole/control-plane';
import { wholeAt } from '../http/received-at.js';
import type { ClockWatch } from '../watches/clock-watch.js';

/** When a request that is looked at now was there; to be asked before anything is waited for. */
export function receivedAs(request: IncomingMessage, clock: Pick<ClockWatch, 'now'>): ReceivedRequest {
  return { at: wholeAt(request), databaseAt: clock.now() };
}
