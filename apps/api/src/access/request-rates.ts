import type { ServerResponse } from 'node:http';
import { networkOf, RateLimit, type Principal } from '@systole/access';
import { plainLengthOf } from '../http/compressed-answers.js';
import { HttpProblem } from '../http/problem.js';
import type { RequestLimits } from '../request-limits.js';

/** Bytes of an answer that count as one more request. */
const BYTES_OF_A_REQUEST = 256 * 1024;

/** What an agent's lease, and what its node is known to run, depend on. */
const DUTY = /^\/v1\/agent\/(join|poll|results|shutdown|leave)$/;

/** Where nothing is answered without a token. */
const NEEDS_TOKEN = /^\/v1(\/|$)/i;

/** Whether a path is of something that agents' leases depend on. */
export function isDuty(path: string): boolean {
  return DUTY.test(path);
}

/** How often tokens may ask, and addresses (of IPv6 whole networks, see `networkOf`) without one, or with wrong ones. */
export class RequestRates {
  readonly #requests: RateLimit;
  readonly #duties: RateLimit;
  readonly #missing: RateLimit;
  readonly #pages: RateLimit;
  readonly #wrong: RateLimit;

  constructor({ requests, duties, wrongTokens }: Pick<RequestLimits, 'requests' | 'duties' | 'wrongTokens'>) {
    this.#requests = new RateLimit(requests);
    this.#duties = new RateLimit(duties);
    this.#missing = new RateLimit(wrongTokens);
    this.#pages = new RateLimit(requests);
    this.#wrong = new RateLimit(wrongTokens);
  }

  /**
   * Counts a request, and once it is answered the size of its answer. An agent's duties are counted each for itself and apart from everything else that
   * is asked with its token, and their answers may have any size: no lease is lost because a resource agent reads the CIB in a loop.
   *
   * @param path what is asked for
   * @throws {HttpProblem} 429 when the token has asked too often
   */
  admit({ kind, tokenId }: Principal, path: string, response: ServerResponse): void {
    const duty = kind === 'agent' ? DUTY.exec(path)?.[1] : undefined;
    if (duty !== undefined) {
      admitted(this.#duties.take(`${tokenId} ${duty}`, performance.now()));
      return;
    }
    admitted(this.#requests.take(tokenId, performance.now()));
    response.once('finish', () => {
      const large = plainLengthOf(response) / BYTES_OF_A_REQUEST;
      if (large >= 1) this.#requests.charge(tokenId, performance.now(), large);
    });
  }

  /**
   * Counts a request without a token: where one is needed as a wrong one, elsewhere as a request of a token.
   *
   * @param path what it asks for; undefined where no token can be brought
   * @returns 0 when it is admitted, otherwise after how many ms to try again
   */
  withoutToken(address: string, path: string | undefined): number {
    return (path !== undefined && NEEDS_TOKEN.test(path) ? this.#missing : this.#pages).take(networkOf(address), performance.now());
  }

  /**
   * Counts a wrong token. Right ones are never refused for it: behind one address there may be many.
   *
   * @throws {HttpProblem} 429 when there were too many from that address; the more follow, the longer is the wait, and each on a connection of its own
   */
  wrongToken(address: string): void {
    const now = performance.now();
    const network = networkOf(address);
    const wait = this.#wrong.waitOf(network, now);
    this.#wrong.charge(network, now);
    if (wait > 0) {
      throw new HttpProblem(
        429,
        'too-many-wrong-tokens',
        'too many wrong tokens came from this address: see that each client has a valid one',
        {
          headers: { ...retryAfter(wait), connection: 'close' },
        },
      );
    }
  }
}

/** @throws {HttpProblem} 429 when there is a wait */
function admitted(waitMs: number): void {
  if (waitMs === 0) return;
  throw new HttpProblem(429, 'too-many-requests', 'this token asks too often: ask again later, and less often', {
    headers: retryAfter(waitMs),
  });
}

/** Whole seconds, at least one. */
export function retryAfter(waitMs: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) };
}
