import { Inject, Injectable } from '@nestjs/common';
import { Shares } from '@systole/access';
import type { Response } from 'express';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { HttpProblem } from '../http/problem.js';
import { whenClosed } from '../http/request-context.js';

const RETRY = { headers: { 'retry-after': '10' } };

/** The event streams that are open: each looks for events as long as it lives. */
@Injectable()
export class StreamPlaces {
  readonly #places: Shares;

  constructor(@Inject(API_SETTINGS) { streams }: ApiSettings) {
    this.#places = new Shares(streams);
  }

  get open(): number {
    return this.#places.total;
  }

  /** Takes a place until the response is closed. @throws {HttpProblem} 429 or 503 when there is none */
  take(tokenId: string, response: Response): void {
    const refused = this.#places.take(tokenId);
    if (refused === 'own') {
      const { each } = this.#places.limits;
      throw new HttpProblem(429, 'too-many-streams', `this token follows events in ${each} streams already: close one first`, RETRY);
    }
    if (refused === 'total') throw new HttpProblem(503, 'busy', 'too many event streams are open here: try again later', RETRY);
    whenClosed(response, () => {
      this.#places.give(tokenId);
    });
  }
}
