import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimit, Shares } from '@systole/access';
import { retryAfter } from '../access/request-rates.js';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { BODY_LIMIT, tooLarge } from './body-limits.js';
import { LargeBodies } from './large-bodies.js';
import { HttpProblem } from './problem.js';
import { isClosed, pathOf, whenClosed } from './request-context.js';

const RETRY = { headers: { 'retry-after': '2' } };

/** Of a lease, which two polls that are refused must not cost: so long at most are an agent's polls refused for what it has sent. */
const SHARE_OF_LEASE = 1 / 6;

/** Answered as soon as it was read, or after a wait in which nothing is worked on. */
const POLL = '/v1/agent/poll';

/**
 * How many bytes of bodies are held at the moment: a body counts from its first byte, inflated, until its request is answered. And how many an agent sends:
 * working on them takes time of all agents, however few requests they come in.
 */
@Injectable()
export class BodiesInFlight {
  readonly #bytes: Shares;
  readonly #polls: RateLimit;
  readonly #others: RateLimit;
  readonly #large = new LargeBodies();
  /** Requests whose bodies are charged already, with how many bytes of them came. */
  readonly #announced = new WeakMap<IncomingMessage, { came: number }>();

  constructor(@Inject(API_SETTINGS) { bodies, agentBytes, leaseMs }: ApiSettings) {
    this.#bytes = new Shares(bodies);
    this.#polls = new RateLimit(agentBytes.polls, leaseMs * SHARE_OF_LEASE);
    this.#others = new RateLimit(agentBytes.others);
  }

  get bytes(): number {
    return this.#bytes.total;
  }

  /**
   * Charges an agent the body that a request announces, before anything else is done with it. A body is taken as long as anything is left, so that none is too
   * large for ever; what it takes too much is paid back first. What was announced and does not come is given back; what is larger than any body of an agent is charged
   * nothing: a wrong number in a header costs no lease.
   *
   * @throws {HttpProblem} 429 when the agent has sent too much, 413 for what is too large; the connection is closed, as what it sends would be read still
   */
  announce(request: IncomingMessage): void {
    const { 'content-length': length, 'content-encoding': encoding = 'identity' } = request.headers;
    if (length === undefined || request.principal?.kind !== 'agent' || this.#announced.has(request)) return;
    const bytes = Number(length);
    if (bytes > BODY_LIMIT) throw tooLarge({ connection: 'close' });
    // It says so only once.
    if (encoding.toLowerCase() !== 'identity' || request.destroyed) return;
    this.#charge(request, bytes);
    const body = { came: 0 };
    this.#announced.set(request, body);
    request.once('close', () => {
      if (!request.complete) this.#rateOf(request).charge(ownerOf(request), performance.now(), body.came - bytes);
    });
  }

  /**
   * Counts the bytes of one body as they come.
   *
   * @returns a function that throws HttpProblem 429 or 503 when there is no room for more
   * @throws {HttpProblem} 429 before anything is read, when the agent has sent too much
   */
  counter(request: IncomingMessage, response: ServerResponse): (bytes: number) => void {
    const owner = request.principal?.tokenId ?? '';
    this.announce(request);
    let held = 0;
    whenClosed(response, () => {
      this.#bytes.give(owner, held);
      held = 0;
    });
    return (bytes) => {
      if (isClosed(response)) return;
      const announced = this.#announced.get(request);
      // Inflated, or without a length.
      if (announced === undefined) this.#charge(request, bytes);
      else announced.came += bytes;
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

  /**
   * Waits until a large body may be worked on, which then may go on until its request is answered; that of a poll until it was read.
   *
   * @throws {HttpProblem} 429 when too many of the same token wait
   */
  async turn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = await this.#large.turn(lineOf(request));
    if (pathOf(request) === POLL) setImmediate(end);
    whenClosed(response, end);
  }

  #charge(request: IncomingMessage, bytes: number): void {
    if (request.principal?.kind !== 'agent') return;
    const rate = this.#rateOf(request);
    const owner = ownerOf(request);
    const waitMs = rate.waitOf(owner, performance.now());
    if (waitMs > 0) {
      throw new HttpProblem(429, 'too-many-bytes', 'this agent sends too much: send again later, and less often', {
        headers: { ...retryAfter(waitMs), connection: 'close' },
      });
    }
    rate.charge(owner, performance.now(), bytes);
  }

  #rateOf(request: IncomingMessage): RateLimit {
    return pathOf(request) === POLL ? this.#polls : this.#others;
  }
}

/** Each kind of request of a token counts for itself: no results cost a poll. */
function ownerOf(request: IncomingMessage): string {
  return `${request.principal?.tokenId ?? ''} ${pathOf(request)}`;
}

/** All large bodies of a token wait for one another, whatever they are for; those of polls only for polls. */
function lineOf(request: IncomingMessage): string {
  return `${request.principal?.tokenId ?? ''}${pathOf(request) === POLL ? ' poll' : ''}`;
}
