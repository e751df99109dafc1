import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import { repeatedKey } from '../http/json-value.js';
import type { CibRefusal } from './task.js';

/** What is wrong with a CIB, in the words of HTTP. */
export function cibProblem(refusal: CibRefusal): HttpProblem {
  const { message } = refusal;
  switch (refusal.wrong) {
    case 'json':
      if (refusal.pointer !== undefined) return repeatedKey({ pointer: refusal.pointer, message });
      return new HttpProblem(400, 'malformed-json', `the body is not JSON: ${message}`);
    case 'json-tree':
      return new HttpProblem(422, 'invalid-request', message, { errors: [{ pointer: refusal.pointer, detail: message }] });
    case 'cib':
      return new HttpProblem(422, 'invalid-configuration', message, { errors: issuesOf(refusal) });
  }
}

function issuesOf({ message, line, problems }: Extract<CibRefusal, { readonly wrong: 'cib' }>): readonly ProblemIssue[] {
  if (problems.length === 0) return [{ ...(line === undefined ? {} : { line }), detail: message }];
  return problems.map((problem) => ({
    ...(problem.line === undefined ? {} : { line: problem.line }),
    element: problem.element,
    path: problem.path,
    detail: problem.message,
  }));
}
