import type { RequestHandler } from 'express';
import { HttpProblem } from '../http/problem.js';

/**
 * What agents read and tell that no lease, and no budget of the front's, depends on: it must not keep the front from polls. What their tools have written is judged like an operator's change of the
 * configuration, which takes its time, and is counted here alone; a token for a guest is asked for where a container is started, and no lease waits for it.
 */
const PASSED_ON: ReadonlySet<string> = new Set([
  '/cib',
  '/fencing',
  '/installed-agents',
  '/agent-descriptions',
  '/private-attributes',
  '/tool-requests',
  '/alerts',
  '/guest-tokens',
]);

/**
 * In the operators' thread, at `/v1/agent`: of agents' routes it serves only what the front passes on. Those that leases and nodes' budgets of reports depend on
 * are the front's, which counts them; a second count here could be had by whatever the front takes for another path.
 */
export function agentsElsewhere(): RequestHandler {
  return (request, _response, next): void => {
    if (PASSED_ON.has(request.path)) next();
    else next(new HttpProblem(404, 'no-such-route', `there is no ${request.baseUrl}${request.path}: see /docs for what there is`));
  };
}
