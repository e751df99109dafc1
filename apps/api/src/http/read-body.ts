import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HttpProblem } from './problem.js';
import { requireUtf8, Utf8Reader, type BodyText } from './utf-8.js';

/** One is no part of the text that a reader gives. */
const BYTE_ORDER_MARK = '\ufeff';

const INFLATERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;

export interface BodyBounds {
  /** Most bytes, inflated. */
  readonly limit: number;
  /** Says why a body is too large. */
  readonly tooLarge: () => HttpProblem;
  /** Hears of bytes as they come; what it throws refuses the body. */
  readonly count: (bytes: number) => void;
}

/**
 * A request's body as text, inflated and decoded piece by piece as it comes, so that no piece holds up anything else. What comes after a refusal is thrown
 * away unread.
 *
 * @throws {HttpProblem} 413 when it is too large, 501 for a transfer coding besides chunks, 415 for an encoding that is not known or another charset than UTF-8, 400 when it is cut off, can't be inflated or is
 * no UTF-8
 */
export async function readBody(request: IncomingMessage, { limit, tooLarge, count }: BodyBounds): Promise<BodyText> {
  requireChunksOnly(request.headers['transfer-encoding']);
  requireUtf8(request.headers['content-type']);
  const reader = new Utf8Reader();
  const stream = inflated(request);
  // It may have gone while it was found out who asks: then it will not say so again.
  if (isCutOff(request)) throw cutOffProblem();
  if (stream === request && Number(request.headers['content-length'] ?? '0') > limit) throw tooLarge();
  return new Promise((resolve, reject) => {
    let size = 0;
    let text = '';
    const refuse = (error: unknown): void => {
      stream.off('data', take).off('end', finish);
      request.off('close', cutOff);
      if (stream !== request) {
        request.unpipe();
        stream.destroy();
      }
      request.resume();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      try {
        if (size > limit) throw tooLarge();
        count(chunk.length);
        text += reader.next(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    const finish = (): void => {
      try {
        text += reader.end();
      } catch (error) {
        refuse(error);
        return;
      }
      if (text.startsWith(BYTE_ORDER_MARK)) {
        refuse(
          new HttpProblem(400, 'malformed-request', 'the body begins with two byte order marks: the second is a character before all else'),
        );
        return;
      }
      request.off('close', cutOff);
      resolve({ text, isAscii: reader.isAscii });
    };
    const cutOff = (): void => {
      // A compressed body may have come completely and still be inflated.
      if (!request.complete) refuse(cutOffProblem());
    };
    stream.on('data', take).once('end', finish);
    stream.on('error', (error) => {
      refuse(new HttpProblem(400, 'malformed-request', `the body can't be read: ${error.message}`));
    });
    request.once('close', cutOff);
  });
}

/** Node.js undoes chunks, and leaves any coding beneath them. @throws {HttpProblem} 501 (RFC 9112 §6.1) */
function requireChunksOnly(coding = 'chunked'): void {
  if (coding.trim().toLowerCase() === 'chunked') return;
  throw new HttpProblem(
    501,
    'unsupported-transfer-coding',
    `unsupported transfer coding "${coding.slice(0, 40)}": send chunked, or a length`,
  );
}

function isCutOff(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}

function cutOffProblem(): HttpProblem {
  return new HttpProblem(400, 'malformed-request', 'the body was cut off');
}

function inflated(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return request;
  if (encoding !== 'gzip' && encoding !== 'deflate' && encoding !== 'br') {
    throw new HttpProblem(
      415,
      'unsupported-media-type',
      `unsupported content encoding "${encoding.slice(0, 40)}": send gzip, deflate, br or none`,
    );
  }
  return request.pipe(INFLATERS[encoding]());
}
