import { join } from 'node:path';
import { checkout } from './checkout.js';

/** Path of the agent's program: that of a package, where SYSTOLE_AGENT_PROGRAM names one, which loads in a third of the time; else as it is compiled in this checkout. */
export function agentProgram(): string {
  return process.env['SYSTOLE_AGENT_PROGRAM'] ?? join(checkout, 'apps/agent/dist/main.js');
}
