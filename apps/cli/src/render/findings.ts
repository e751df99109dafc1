import type { components } from '@systole/api-client';
import type { Paint } from './paint.js';

type Findings = components['schemas']['FindingsDto'];
type Finding = components['schemas']['FindingDto'];

/** So many are shown among other things; with `--json` there are more. */
const SHOWN = 10;

/** What of a configuration does not do what it seems to say: a line for each, and how many more there are. */
export function findingLines({ count, items }: Findings, paint: Paint): readonly string[] {
  const shown = items.slice(0, SHOWN).map((finding) => `  ${findingLine(finding, paint)}`);
  return count > shown.length ? [...shown, `  and ${count - shown.length} more`] : shown;
}

/** After a write: everything that it brought in, and how much was there before. */
export function findingsAfterWrite({ count, items }: Findings, paint: Paint): readonly string[] {
  const fresh = items.filter(({ isNew }) => isNew === true);
  const before = count - fresh.length;
  const rest =
    before === 0
      ? []
      : [`${fresh.length === 0 ? '' : 'And '}${before} ${before === 1 ? 'finding' : 'findings'} besides: "systole status" shows them.`];
  return [...fresh.map((finding) => findingLine(finding, paint)), ...rest];
}

function findingLine({ level, subject, message, meanwhile }: Finding, paint: Paint): string {
  const colour = level === 'error' ? 'red' : 'yellow';
  return `${paint(colour, level)}: ${subject}: ${message}; meanwhile ${meanwhile}`;
}
