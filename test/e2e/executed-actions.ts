import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Intent {
  readonly kind: 'intent';
  readonly action: { readonly actionId: string; readonly operation: string };
}

/**
 * What an agent's journal says it began to execute: `node operation action-id`, one for each time. Lines are a checksum, a blank and JSON.
 *
 * @throws when the journal was compacted: then it no longer tells the whole story, and the test is too long
 */
export async function executedActions(node: string, stateDirectory: string): Promise<string[]> {
  const [name, ...others] = (await readdir(stateDirectory)).filter((file) => file.includes('journal'));
  if (name === undefined || others.length > 0) throw new Error(`expected one journal in ${stateDirectory}`);
  const lines = (await readFile(join(stateDirectory, name), 'utf8')).split('\n').filter((line) => line !== '');
  const records = lines.map((line) => JSON.parse(line.slice(line.indexOf(' ') + 1)) as Intent | { readonly kind: 'executed' | 'result' });
  if (records.some(({ kind }) => kind === 'executed')) throw new Error(`the journal of ${node} was compacted`);
  return records.flatMap((record) => (record.kind === 'intent' ? [`${node} ${record.action.operation} ${record.action.actionId}`] : []));
}
