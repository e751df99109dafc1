import { HttpProblem } from '../http/problem.js';

/** What operators are told while no thread serves them. */
export const OPERATORS_AWAY = new HttpProblem(
  503,
  'operators-thread-away',
  'the part of the server that serves operators is being started: try again in a moment; agents are served',
  { headers: { 'retry-after': '2' } },
);

/** What operators are told when so many came at once that the thread, which is there, took no more for a while. */
export const OPERATORS_BUSY = new HttpProblem(
  503,
  'busy',
  'more was asked at once than the part of the server that serves operators has taken: try again in a moment; agents are served',
  { headers: { 'retry-after': '2' } },
);
