import { UsageError } from './exit-code.js';

/** A server, or what stands in its place, answers with more than anybody asked for. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

const MIB = 1024 * 1024;
/** The largest documents that a server takes are a quarter of this. */
export const MOST_BYTES = 256 * MIB;
const HIGHEST_MIB = 64 * 1024;

/** What is written on as it comes, however long it is, and never held as a whole: exports and the events that are followed. */
const STREAMED: ReadonlySet<string> = new Set(['application/x-ndjson', 'text/csv', 'text/event-stream']);

/** @throws {UsageError} for a `SYSTOLE_MAX_ANSWER_MIB` that is no number of MiB */
export function mostBytesIn({ SYSTOLE_MAX_ANSWER_MIB: given = '' }: NodeJS.ProcessEnv): number {
  if (given === '') return MOST_BYTES;
  const mib = Number(given);
  if (!(mib > 0 && mib <= HIGHEST_MIB))
    throw new UsageError(`SYSTOLE_MAX_ANSWER_MIB must be a number of MiB, at most ${String(HIGHEST_MIB)}`);
  return mib * MIB;
}

/**
 * The same answer, of which no more than so many bytes can be read; those of streams, which are apart, as many as there are.
 *
 * @param mostBytes as they are after decompression
 * @throws {AnswerTooLong} whoever reads more, as soon as there is more
 */
export function bounded(response: Response, mostBytes: number): Response {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  if (response.body === null || STREAMED.has(type.trim().toLowerCase())) return response;
  let read = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > mostBytes) controller.error(tooLong(response.url, mostBytes));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  const same = new Response(counted, { status, statusText, headers });
  Object.defineProperty(same, 'url', { value: response.url });
  return same;
}

function tooLong(url: string, mostBytes: number): AnswerTooLong {
  const path = url === '' ? '' : ` to ${new URL(url).pathname}`;
  const detail = `the answer${path} is longer than ${String(Math.round((mostBytes / MIB) * 10) / 10)} MiB, and was read no further`;
  return new AnswerTooLong(`${detail}: ask for less, or set SYSTOLE_MAX_ANSWER_MIB`);
}
