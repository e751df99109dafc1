import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, StreamableFile, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { isLongJson, jsonPieces } from './json-pieces.js';
import { RawJson } from './raw-json.js';

/** For so long at a time an answer is written, ms. */
const TURN_MS = 8;

/** Writes long answers bit by bit, as fast as their readers take them: what is written in one go holds up everybody else, and is in memory twice. */
@Injectable()
export class LongAnswers implements NestInterceptor<unknown, unknown> {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map((body) => (body instanceof RawJson || isLongObject(body) ? longAnswer(body) : body)));
  }
}

/** A text is no JSON: it is an answer in another form, e.g. XML. A file is written as it is. */
function isLongObject(body: unknown): boolean {
  return typeof body !== 'string' && !(body instanceof StreamableFile) && isLongJson(body);
}

/** An answer in JSON that is written piece by piece. */
export function longAnswer(body: unknown): StreamableFile {
  return new StreamableFile(Readable.from(inTurns(jsonPieces(body)), { objectMode: false, highWaterMark: 1 }), {
    type: 'application/json; charset=utf-8',
  });
}

/** A socket that takes everything at once would have all pieces made in one turn of the loop. */
async function* inTurns(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let until = performance.now() + TURN_MS;
  for (const piece of pieces) {
    yield piece;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + TURN_MS;
  }
}
