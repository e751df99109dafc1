import { HttpProblem } from '../http/problem.js';

/**
 * Waits for what is computed for others, too, or for whoever asks next: it goes on when one has gone.
 *
 * @param gone ends the wait, of this one; who has none waits to the end
 * @throws {HttpProblem} 503 `caller-gone` when it has ended so; and what the answer throws
 */
export async function untilGone<T>(answer: Promise<T>, gone?: AbortSignal): Promise<T> {
  if (gone === undefined) return answer;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      reject(new HttpProblem(503, 'caller-gone', 'the caller has gone'));
    };
    const stay = (): void => {
      gone.removeEventListener('abort', leave);
    };
    answer.finally(stay).then(resolve, reject);
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
  });
}
