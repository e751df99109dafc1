import { HttpProblem } from '../http/problem.js';

/** What operators are told while no thread serves them. */
export const OPERATORS_AWAY = new HttpProblem(
  503,
  'operators-thread-away',
  'the part of the server that serves operators is being started: try again in a moment; agents are served',
  { headers: { 'retry-after': '2' } },
);
