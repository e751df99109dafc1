import { HttpProblem } from '../http/problem.js';

/**
 * Who knows an event that is not here got it from a log that has since lost its end, or from another cluster. The events from there on would be others than
 * those that it missed, so it must begin anew.
 *
 * @param what is not here
 * @param head version of the cluster's last event
 */
export function eventGone(what: string, head: number): HttpProblem {
  return new HttpProblem(
    410,
    'event-gone',
    `${what}, its last one is ${head}: read its state again, then follow without Last-Event-ID and \`after\` (from now on) or from event ${head}`,
    { extensions: { currentVersion: head } },
  );
}

/**
 * The same for whoever reads a list page by page.
 *
 * @param what is not here
 * @param head version of the last event there
 */
export function listGone(what: string, head: number): HttpProblem {
  return new HttpProblem(410, 'event-gone', `${what}; the last one there is ${head}: begin with the first page again, without \`cursor\``, {
    extensions: { currentVersion: head },
  });
}
