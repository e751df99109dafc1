import { readStatements, statementDigest } from '@systole/event-store';
import type { Pool } from 'pg';
import { HttpProblem } from '../http/problem.js';

/**
 * The number of the statement after which others are asked for; 0: all.
 *
 * @param after its number, or `<number>.<beginning of its digest>`
 * @throws {HttpProblem} 410 when the log has no such statement, or another one of that number: whoever keeps the statements elsewhere would miss those since it was restored, without a word
 */
export async function placeOfStatement(pool: Pool, after: string): Promise<number> {
  const [digits, digest] = after.split('.');
  const number = Number(digits);
  if (number === 0 && digest === undefined) return 0;
  const [found] = number === 0 ? [] : await readStatements(pool, { afterNumber: number - 1, limit: 1 });
  if (found === undefined) throw gone(`the log has no signed statement ${number}`);
  if (digest !== undefined && !statementDigest(found.statement).startsWith(digest)) {
    throw gone(`the log has another signed statement ${number} than the one that is meant`);
  }
  return number;
}

function gone(what: string): HttpProblem {
  const detail = `${what}: it was restored perhaps, or is another installation's; compare it with what you keep ("systole audit verify"), and ask for all, without \`after\``;
  return new HttpProblem(410, 'event-gone', detail, { errors: [{ parameter: 'after', detail }] });
}
