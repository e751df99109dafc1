import type { IncomingMessage } from 'node:http';
import type { AccessNews, Asker } from '@systole/access';
import { HttpProblem } from '../http/problem.js';
import { correlationId, wholePathOf } from '../http/request-context.js';

/** Tells of requests that were refused for who asks, and of who that is. */
export class Refusals {
  /** @param addressOf whence a request comes, by what the proxies before this server are trusted to say */
  constructor(
    private readonly news: Pick<AccessNews, 'refused'>,
    private readonly addressOf: (request: IncomingMessage) => string,
  ) {}

  /** @param error what refuses it; anything else that went wrong is nobody's refusal */
  note(error: unknown, request: IncomingMessage): void {
    if (!(error instanceof HttpProblem) || error.status >= 500) return;
    const { status, code, message: detail } = error;
    this.news.refused({ by: this.askerOf(request), method: request.method ?? '', path: wholePathOf(request), status, code, detail });
  }

  askerOf(request: IncomingMessage): Asker {
    const who = request.principal ?? request.claimant;
    const known = who === undefined ? {} : { actor: who.actor, tokenId: who.tokenId };
    return { ...known, address: this.addressOf(request), requestId: correlationId(request) };
  }
}
