import cors from 'cors';
import type { RequestHandler } from 'express';

/** What pages of other origins may read of an answer. */
const EXPOSED = ['ETag', 'Location', 'Retry-After', 'X-Request-Id', 'X-Client-Request-Id', 'Idempotency-Replayed'];
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Accept',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Request-Id',
];
/** For so long a browser need not ask again, s. */
const REMEMBERED_S = 600;

/**
 * Lets pages of these origins use the API from a browser (CORS), and answers what the browser asks beforehand, for which it has no token. No cookies are ever meant: whoever asks
 * brings a token.
 *
 * @param origins as browsers name them, e.g. `https://ops.example`; `*`: any
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED,
    exposedHeaders: EXPOSED,
    maxAge: REMEMBERED_S,
  });
}
