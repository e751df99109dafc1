import type { components, ProblemError } from '@systole/api-client';

type Issue = components['schemas']['ProblemIssueDto'];

/** What is wrong, each place with its own line, and what to do next. */
export function renderProblem({ status, problem, message }: ProblemError): readonly string[] {
  if (problem === undefined) return [`systole: ${message}: is it a Systole server?`];
  const issues = (problem.errors ?? []).flatMap((issue) => issueLine(issue, problem.detail));
  const advice = status === 401 ? ['  Log in again ("systole login <url>"), or check SYSTOLE_TOKEN.'] : [];
  return [`systole: ${inCommands(problem.detail)}`, ...issues, ...advice];
}

/** What the server says to do by a request, as the command that makes it. */
function inCommands(detail: string): string {
  return detail
    .replace('see GET /v1/clusters', 'see "systole cluster list"')
    .replace('with force=true', 'with --force')
    .replace('or delete with cascade', 'or give --cascade');
}

/** Where, and what. When the problem itself says what, only the place in a document is news. */
function issueLine(issue: Issue, detail: string): readonly string[] {
  const place = issue.standing === true ? `there before: ${placeOf(issue)}` : placeOf(issue);
  if (!detail.includes(issue.detail)) return [`  ${place === '' ? '' : `${place}: `}${inCommands(issue.detail)}`];
  return issue.line === undefined && issue.path === undefined ? [] : [`  ${place}`];
}

function placeOf({ line, path, element, pointer, parameter, header }: Issue): string {
  if (path !== undefined || line !== undefined) {
    return [...(line === undefined ? [] : [`line ${line}`]), ...placeInDocument(path, element)].join(', ');
  }
  if (parameter !== undefined) return `parameter ${parameter}`;
  if (header !== undefined) return `header ${header}`;
  return pointer === undefined ? '' : pointer.replace(IN_EDIT, '');
}

/** Edits are what commands make of what was typed: of their places only those in an element say anything. */
const IN_EDIT = /^\/edits\/\d+(?:\/(?:element|patch|xml)(?=\/|$)|(?:\/id)?$)/;

function placeInDocument(path: string | undefined, element: string | undefined): readonly string[] {
  if (path !== undefined) return [path];
  return element === undefined ? [] : [`<${element}>`];
}
