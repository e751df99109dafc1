import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { secretOf } from '../access/authentication.js';
import { targetOf } from '../http/request-context.js';
import { REQUEST_IDS } from '../http/request-logging.js';
import { readBasis, RESTS_ON_HEADER, type Basis, type Good } from './rests-on.js';

/** What all kept answers may have together, bytes. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Longer answers are not kept: to send them takes the front longer than it may be taken from agents, bytes. */
const MOST_OF_ONE = 64 * 1024;
/** What an answer takes besides its body and what was asked, bytes: its headers. */
const BESIDES = 2_048;

/** Of one connection, or of one answer. */
const OF_ONE_ANSWER: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'content-length', 'date', RESTS_ON_HEADER],
  ...REQUEST_IDS,
]);

/** What of a request's headers answers may differ by. */
const VARYING = ['accept', 'accept-encoding', 'if-none-match', 'origin'] as const;
const MAY_VARY_BY: ReadonlySet<string> = new Set(VARYING);

/** Of what tells of nothing but its basis. */
const FOR_EVER: Good = { freshMs: Infinity, givenMs: Infinity };

/** A request with one of these asks for something else than the answer as it is. */
const PARTICULAR = [
  ...[
    'range',
    'if-range',
    'if-match',
    'if-modified-since',
    'if-unmodified-since',
    'prefer',
    'content-length',
    'transfer-encoding',
    'expect',
  ],
  ...['upgrade', 'access-control-request-method', 'x-http-method-override'],
] as const;

/** An answer that may be given again. */
export interface KeptAnswer {
  readonly basis: Basis;
  /** Monotonic ms; infinite for what holds as long as its basis. */
  readonly freshUntil: number;
  /** From then on nobody gets it any more, monotonic ms. Whoever comes between gets it at once, and has the next one made. */
  readonly givenUntil: number;
  readonly status: number;
  /** Names and values in turn, without what belongs to one answer only. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/**
 * Answers of the operators' thread that rest on nothing but the state of a cluster (some also on the time, for a moment), kept in the front for whoever asks for the
 * very same again with the very same token. Dashboards, exporters and scripts do; and to find out that nothing has changed costs a tenth of making the answer.
 *
 * Kept by a digest of the token, so that nobody gets what was answered to somebody else; whether the token is still good and the cluster still there is asked
 * each time (serve-kept.ts).
 */
export class KeptAnswers {
  readonly #answers = new LRUCache<string, KeptAnswer>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ body }, key) => body.length + key.length + BESIDES,
  });
  /** Those whose next ones are being made. */
  readonly #renewed = new WeakSet<KeptAnswer>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** What is kept, bytes, about. */
  get bytes(): number {
    return this.#answers.calculatedSize;
  }

  /** What was answered to the same request before, as long as it is given; the caller sees whether its basis still holds. */
  find(request: IncomingMessage): KeptAnswer | undefined {
    if (this.#answers.size === 0) return undefined;
    const key = keyOf(request);
    const answer = key === undefined ? undefined : this.#answers.get(key);
    if (answer === undefined || answer.givenUntil > this.now()) return answer;
    this.forget(request);
    return undefined;
  }

  /** Whether whoever asks is the one to have an answer renewed: it is no longer fresh, and nobody has begun. @returns what is called when that has ended, however it did; undefined where nothing is to be done */
  renewal(answer: KeptAnswer): (() => void) | undefined {
    if (answer.freshUntil > this.now() || this.#renewed.has(answer)) return undefined;
    this.#renewed.add(answer);
    return () => this.#renewed.delete(answer);
  }

  /** Nobody gets it any more. */
  forget(request: IncomingMessage): void {
    const key = keyOf(request);
    if (key !== undefined) this.#answers.delete(key);
  }

  /** Keeps an answer of the operators' thread while it is passed on, if it may be kept and has come as a whole. */
  keep(request: IncomingMessage, answer: IncomingMessage): void {
    const basis = readBasis(answer.headers[RESTS_ON_HEADER]);
    const key = basis === undefined ? undefined : keyOf(request);
    if (basis === undefined || key === undefined || !mayBeKept(answer)) return;
    const { freshMs, givenMs } = basis.good ?? FOR_EVER;
    const [freshUntil, givenUntil] = [this.now() + freshMs, this.now() + givenMs];
    const pieces: Buffer[] = [];
    let length = 0;
    answer.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= MOST_OF_ONE) pieces.push(piece);
      else pieces.length = 0;
    });
    answer.once('end', () => {
      if (!answer.complete || length > MOST_OF_ONE) return;
      const { statusCode: status = 0 } = answer;
      this.#answers.set(key, { basis, freshUntil, givenUntil, status, headers: lasting(answer.headers), body: Buffer.concat(pieces) });
    });
  }
}

/** What tells a request from others that may be answered otherwise; undefined for what is answered by the operators' thread only. */
function keyOf(request: IncomingMessage): string | undefined {
  if (request.method !== 'GET') return undefined;
  const secret = secretOf(request);
  const { headers } = request;
  if (secret === undefined || PARTICULAR.some((name) => headers[name] !== undefined)) return undefined;
  return JSON.stringify([hash('sha256', secret, 'base64url'), targetOf(request), ...VARYING.map((name) => headers[name] ?? null)]);
}

function mayBeKept({ statusCode, headers }: IncomingMessage): boolean {
  if (statusCode !== 200 && statusCode !== 304) return false;
  // They are kept for who asked only (`private`), and it is asked each time whether they hold (`no-cache`).
  if (headers['set-cookie'] !== undefined || /\bno-store\b/.test(headers['cache-control'] ?? '')) return false;
  const varies = (headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase());
  return varies.every((name) => name === '' || MAY_VARY_BY.has(name));
}

function lasting(headers: IncomingHttpHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => (OF_ONE_ANSWER.has(name) || value === undefined ? [] : [name, String(value)]));
}
