import { ServerRefused } from '../../server/server-connection.js';
import { EXIT, type ToolResult } from '../tool.js';

/** How Pacemaker's tools end, and what they say of it. */
interface Exit {
  readonly code: number;
  readonly text: string;
}

/** Exit codes of the tools that write, beside those that all have. */
export const WRITE_EXIT = { INSUFFICIENT: 4, CONFIGURATION: 78, UNSAFE: 107, EXISTS: 108, NOT_SUPPORTED: 76 } as const;

const NO_SUCH: Exit = { code: EXIT.NO_SUCH, text: 'No such device or address' };
const NOT_PERMITTED: Exit = { code: WRITE_EXIT.INSUFFICIENT, text: 'Permission denied' };
const INVALID: Exit = { code: WRITE_EXIT.CONFIGURATION, text: 'Update does not conform to the configured schema' };
const EXISTS: Exit = { code: WRITE_EXIT.EXISTS, text: 'File exists' };
const GENERAL: Exit = { code: EXIT.ERROR, text: 'Operation not permitted' };

const BY_PROBLEM: Readonly<Record<string, Exit>> = {
  'element-not-found': NO_SUCH,
  'resource-not-found': { code: EXIT.NO_SUCH, text: 'No such object' },
  'node-not-found': { code: EXIT.NO_SUCH, text: 'No such object' },
  'element-exists': EXISTS,
  'already-there': { code: WRITE_EXIT.EXISTS, text: 'Requested item already exists' },
  'place-not-clear': { code: EXIT.USAGE, text: 'Invalid argument' },
  'invalid-configuration': INVALID,
  'doubtful-configuration': INVALID,
  'secret-refused': INVALID,
  'invalid-argument': { code: EXIT.USAGE, text: 'Invalid argument' },
  'invalid-request': { code: EXIT.USAGE, text: 'Invalid argument' },
  'fencing-disabled': { code: EXIT.NO_SUCH, text: 'No such device' },
};

/** The end of a tool whose write the server refused: Pacemaker's words for it, and under them what the server says. @param doing e.g. `crm_resource: Error performing operation` */
export function refusedExit(error: ServerRefused, doing: string): ToolResult {
  const { code, text } = exitOf(error);
  return { stdout: '', stderr: `${doing}: ${text}\n${atTools(error.detail)}\n`, exitCode: code };
}

/** What the server says to do by a request, as somebody at a tool can do it. */
function atTools(detail: string): string {
  const isOptions = detail.includes('nothing here reads it');
  const own = isOptions ? 'give an option of your own an underscore in its name or a set of its own (crm_attribute --set-name), ' : '';
  const operator = `or have an operator write it all the same (${isOptions ? '"systole property set"' : 'the command of "systole" for it,'} with --force)`;
  return detail.replace('or take it all the same with force=true', `${own}${operator}`);
}

function exitOf({ statusCode, problemType }: ServerRefused): Exit {
  const problem = problemType.slice(problemType.lastIndexOf('/') + 1);
  const known = Object.hasOwn(BY_PROBLEM, problem) ? BY_PROBLEM[problem] : undefined;
  if (known !== undefined) return known;
  if (statusCode === 401 || statusCode === 403) return NOT_PERMITTED;
  // A server that does not know what was asked.
  return statusCode === 404 ? { code: EXIT.UNIMPLEMENTED, text: 'Not supported by this server' } : GENERAL;
}
