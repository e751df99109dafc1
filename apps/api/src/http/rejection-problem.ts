import type { Rejection } from '@systole/cluster';
import { etagOf } from './etag.js';
import { HttpProblem, type ProblemIssue } from './problem.js';

/** Where a part of a command came from, by its JSON pointer there; undefined: from that place of the body. */
export type CommandPlaces =
  Readonly<Record<string, Omit<ProblemIssue, 'detail'>>> | ((pointer: string) => Omit<ProblemIssue, 'detail'> | undefined);

/** A refusal of the domain as a problem. @param places for pointers of the command that are not in the body: where they came from */
export function rejectionProblem(rejection: Rejection, places: CommandPlaces = {}): HttpProblem {
  const placeOf = (place: string): Omit<ProblemIssue, 'detail'> =>
    (typeof places === 'function' ? places(place) : places[place]) ?? { pointer: place };
  const { code, status, message, pointer, issues, currentVersion, currentEpoch } = rejection;
  const own: ProblemIssue[] = pointer === undefined ? [] : [{ ...placeOf(pointer), detail: message }];
  const errors = issues?.map((issue): ProblemIssue => {
    const place = issue.pointer ?? pointer;
    return {
      ...(place === undefined ? {} : placeOf(place)),
      ...(issue.line === undefined ? {} : { line: issue.line }),
      ...elementAt(issue.path),
      ...(issue.finding === undefined ? {} : { finding: issue.finding }),
      ...(issue.suggestion === undefined ? {} : { suggestion: issue.suggestion }),
      ...(issue.about === undefined ? {} : { about: issue.about }),
      ...(issue.standing === undefined ? {} : { standing: issue.standing }),
      detail: issue.message,
    };
  });
  const known = currentVersion > 0;
  const current = { version: currentVersion, ...(currentEpoch === undefined ? {} : { epoch: currentEpoch }) };
  return new HttpProblem(status, code, message, {
    errors: errors ?? own,
    ...(known ? { extensions: { currentVersion }, headers: { etag: etagOf(current) } } : {}),
  });
}

/** The last element that a path names, e.g. `primitive` of `/cib/configuration/resources/primitive[@id='db']`. */
function elementAt(path: string | undefined): Pick<ProblemIssue, 'path' | 'element'> {
  if (path === undefined) return {};
  const element = /\/([^/[]+)(?:\[[^\]]*\])?$/.exec(path)?.[1];
  return element === undefined ? { path } : { path, element };
}
