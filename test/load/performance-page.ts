import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '@systole/examples';

/**
 * Puts tables between their two marks in docs/performance.md.
 *
 * @param name of the marks, e.g. `service cold`
 */
export function writeTables(name: string, tables: readonly string[]): void {
  const page = join(checkout, 'docs/performance.md');
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [before, rest] = readFileSync(page, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} lacks the marks ${begin} and ${end}`);
  writeFileSync(page, `${before}${begin}\n\n${tables.join('\n\n')}\n\n${end}${after}`);
}
