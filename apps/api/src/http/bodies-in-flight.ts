import { Inject, Injectable } from '@nestjs/common';
import { Shares } from '@systole/access';
import type { Request, Response } from 'express';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { HttpProblem } from './problem.js';
import { isClosed, whenClosed } from './request-context.js';

const RETRY = { headers: { 'retry-after': '2' } };

/** How many bytes of bodies are held at the moment: a body counts from its first byte, inflated, until its request is answered. */
@Injectable()
export class BodiesInFlight {
  readonly #bytes: Shares;

  constructor(@Inject(API_SETTINGS) { bodies }: ApiSettings) {
    this.#bytes = new Shares(bodies);
  }

  get bytes(): number {
    return this.#bytes.total;
  }

  /** Counts the bytes of one body as they come. @returns a function that throws HttpProblem 429 or 503 when there is no room for more */
  counter(request: Request, response: Response): (bytes: number) => void {
    const owner = request.principal?.tokenId ?? '';
    let held = 0;
    whenClosed(response, () => {
      this.#bytes.give(owner, held);
      held = 0;
    });
    return (bytes) => {
      if (isClosed(response)) return;
      const refused = this.#bytes.take(owner, bytes);
      if (refused === 'own') {
        throw new HttpProblem(
          429,
          'too-many-bodies',
          'the bodies that this token has sent are too large together: wait for answers',
          RETRY,
        );
      }
      if (refused === 'total') {
        throw new HttpProblem(503, 'busy', 'the server holds too many bodies at the moment: try again in a moment', RETRY);
      }
      held += bytes;
    };
  }
}
