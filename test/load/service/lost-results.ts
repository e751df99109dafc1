import type { AgentsLoad } from './agents-load.js';
import type { Served } from './served.js';

const STORED = `SELECT data->>'resultId' AS id FROM events WHERE data ? 'resultId'`;

/** How many results were acknowledged. @throws {Error} when the log lacks one of them */
export async function requireNoneLost(served: Served, load: AgentsLoad): Promise<number> {
  const acknowledged = await load.order('acknowledged', {});
  const stored = new Set((await served.query<{ id: string }>(STORED)).map(({ id }) => id));
  const lost = acknowledged.filter((id) => !stored.has(id));
  if (lost.length > 0) {
    throw new Error(`${lost.length} of ${acknowledged.length} acknowledged results are not in the log: ${lost.slice(0, 5).join(', ')}`);
  }
  return acknowledged.length;
}
