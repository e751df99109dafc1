import { Inject, Injectable } from '@nestjs/common';
import type { LogHead } from '@systole/cluster';
import type { Response } from 'express';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { routeOf } from '../metrics/http-metrics.js';
import { basisText, RESTS_ON_HEADER, type Good } from './rests-on.js';

/** Tells the front which answers it may give again to whoever asks for the same; where there is no front, nobody. */
@Injectable()
export class FrontKeeps {
  constructor(@Inject(API_SETTINGS) private readonly settings: Pick<ApiSettings, 'isFronted'>) {}

  /**
   * Nothing but the request, its token and the state of the cluster at its newest event may have a say in the answer; what else has may be so old already.
   *
   * @param head that event; undefined: the answer is about the past, and is not kept
   * @param good for how long the answer is good with what else it tells of; left out where it tells of nothing else
   */
  tell(response: Response, clusterId: string, head: LogHead | undefined, good?: Good): void {
    if (!this.settings.isFronted || head === undefined || head.version === 0 || (good !== undefined && good.givenMs < 1)) return;
    const basis = { clusterId, headHash: head.hash, route: routeOf(response.req), ...(good === undefined ? {} : { good }) };
    response.set(RESTS_ON_HEADER, basisText(basis));
  }
}
