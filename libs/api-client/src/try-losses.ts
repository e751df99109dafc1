import type { SystoleClient } from './client.js';
import { unwrap } from './problem.js';
import type { components } from './schema.js';

type Body = components['schemas']['ResilienceBody'];
type Whole = components['schemas']['ResilienceDto'];
type Line = components['schemas']['ResilienceBegunDto'] | components['schemas']['LossDto'] | Whole;

/** How far a trial of losses has come. */
export interface LossesTried {
  readonly done: number;
  readonly of: number;
}

/**
 * Says what a cluster would bear, and meanwhile how far that has come. Whoever aborts the client's requests ends the work on the server.
 *
 * @param cluster id or name
 * @throws {ProblemError} when the server refuses
 * @throws {Error} when the answer was cut off
 */
export async function tryLosses(
  client: SystoleClient,
  cluster: string,
  body: Body,
  progress: (tried: LossesTried) => void,
): Promise<Whole> {
  const answer = await client.POST('/v1/clusters/{cluster}/resilience', {
    params: { path: { cluster } },
    body,
    headers: { accept: 'application/x-ndjson' },
    parseAs: 'stream',
  });
  const losses: Whole['losses'] = [];
  let of = 0;
  for await (const line of linesOf(unwrap(answer))) {
    if ('singlePointsOfFailure' in line) return { ...line, losses };
    if ('tries' in line) of = line.tries;
    else losses.push(line);
    progress({ done: losses.length, of });
  }
  throw new Error('the answer was cut off before all was tried: the server ended, or was out of memory; ask again');
}

/** The server keeps to its document. */
async function* linesOf(stream: Response['body']): AsyncGenerator<Line, void, void> {
  if (stream === null) return;
  // Not every browser can iterate over a stream.
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Line;
  }
}
