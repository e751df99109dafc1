import type { ServerResponse } from 'node:http';
import type { AccessTokens } from '@systole/access';
import type { Logger } from 'pino';
import { cutOff } from '../http/cut-off.js';
import { whenClosed } from '../http/request-context.js';

/** How often it is looked whether the tokens of long answers are still good, ms. */
const LOOK_MS = 1_000;

/** Requests that are being answered, by token: when a token is revoked or ends, its polls, streams and waits end with it. */
export class OpenRequests {
  readonly #open = new Map<string, Set<ServerResponse>>();
  /** Those of users whose token says itself when it ends, ms since 1970. */
  readonly #ending = new Map<ServerResponse, number>();
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  constructor(
    private readonly tokens: AccessTokens,
    private readonly log: Logger,
  ) {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  add(tokenId: string, response: ServerResponse): void {
    const responses = this.#open.get(tokenId) ?? new Set();
    this.#open.set(tokenId, responses.add(response));
    whenClosed(response, () => {
      responses.delete(response);
      if (responses.size === 0 && this.#open.get(tokenId) === responses) this.#open.delete(tokenId);
    });
  }

  /** @param endsAt ms since 1970 */
  addUntil(endsAt: number, response: ServerResponse): void {
    this.#ending.set(response, endsAt);
    whenClosed(response, () => {
      this.#ending.delete(response);
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    for (const [response, endsAt] of this.#ending) if (endsAt <= Date.now()) cutOff(response);
    if (this.#looking || this.#open.size === 0) return;
    this.#looking = true;
    try {
      for (const id of await this.tokens.notValid([...this.#open.keys()])) {
        // The next request with it is answered 401.
        for (const response of this.#open.get(id) ?? []) cutOff(response);
      }
    } catch (error) {
      // The database is away: it is looked again.
      this.log.debug({ err: error }, 'it could not be looked whether tokens were revoked');
    } finally {
      this.#looking = false;
    }
  }
}
