import type { components } from '@systole/api-client';
import { shownAsOneLine } from '@systole/protocol';

type Entry = Pick<components['schemas']['ResourceHistoryEntryDto'], 'kind'> & { readonly event: { readonly data: unknown } };

/** What an agent printed last when an operation failed, as the log has it: text of a stranger, its lines set apart. */
export function printedLines({ kind, event: { data } }: Entry): readonly string[] {
  if (kind !== 'failure' || typeof data !== 'object' || data === null || !('output' in data) || typeof data.output !== 'string') return [];
  return data.output
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(15)}| ${shownAsOneLine(line)}`);
}
