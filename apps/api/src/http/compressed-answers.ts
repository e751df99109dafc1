import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler, Response } from 'express';
import { compressedTag } from './etag.js';

/** Documents; what is streamed event by event, or line by line, is to arrive at once, and goes as it is. */
const DOCUMENTS = /^(application\/(problem\+)?json|application\/xml|text\/vnd\.graphviz|text\/(html|css|javascript|plain))\b/;
/** Smaller answers are sent sooner than they are compressed, bytes. */
const SMALLEST = 2_048;

/** Lengths of answers before they were compressed. */
const plainLengths = new WeakMap<ServerResponse, number>();

/** Compresses answers for clients that take that (gzip, deflate, br), at the level that costs least; off the event loop. */
export function compressedAnswers(): RequestHandler {
  const compress = compression({
    threshold: SMALLEST,
    level: constants.Z_BEST_SPEED,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    filter: (_request: IncomingMessage, response: ServerResponse) => {
      if (!plainLengths.has(response)) plainLengths.set(response, Number(response.getHeader('content-length') ?? 0));
      return DOCUMENTS.test(String(response.getHeader('content-type') ?? ''));
    },
  });
  return (request, response, next) => {
    tagWhatIsCompressed(response);
    void compress(request, response, next);
  };
}

/** Has an answer name what it is compressed with in its tag, once that is known: whoever compresses it (before this, or from now on) says so before its head is written. */
function tagWhatIsCompressed(response: Response): void {
  const writeHead = response.writeHead.bind(response) as (...given: readonly unknown[]) => ServerResponse;
  response.writeHead = ((...given: readonly unknown[]) => {
    const tag = response.getHeader('etag');
    const coding = response.getHeader('content-encoding');
    const isRead = response.req.method === 'GET' && response.statusCode === 200;
    if (isRead && typeof tag === 'string' && typeof coding === 'string') response.setHeader('etag', compressedTag(tag, coding));
    return writeHead(...given);
  }) as Response['writeHead'];
}

/** What an answer cost to make and to hold, bytes: its length before it was compressed; 0 where nobody knows. */
export function plainLengthOf(response: ServerResponse): number {
  return plainLengths.get(response) ?? Number(response.getHeader('content-length') ?? 0);
}

/** An answer is sent that was compressed before, once for several. @param plainLength its length before that, bytes */
export function isCompressedAlready(response: ServerResponse, plainLength: number): void {
  plainLengths.set(response, plainLength);
  response.setHeader('content-encoding', 'gzip');
}
