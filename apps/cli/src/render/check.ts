import { activityOf, type components } from '@systole/api-client';
import type { ExitCode } from '../exit-code.js';

type Status = components['schemas']['StatusDto'];

/** How a check ends, and the line that it says. */
export interface CheckResult {
  readonly code: ExitCode;
  readonly line: string;
}

/** What monitoring plugins end with, by the health of the cluster. */
const LEVELS = { good: ['OK', 0], warn: ['WARNING', 1], bad: ['CRITICAL', 2] } as const;
/** Nothing could be found out. */
export const UNKNOWN = 3;

/** A cluster in a line, as monitoring plugins say it: what is wrong, the worst first, what is going on, and figures behind a bar. */
export function checkResult(status: Status): CheckResult {
  const { name, health, troubles, counts } = status;
  const [word, code] = LEVELS[health];
  const { nodes, resources } = counts;
  const wrong = troubles.map(({ text }) => text);
  const activity = activityOf(status).text;
  const well = `${nodes.online} of ${nodes.total} nodes online, ${resources.started} of ${resources.total} resources started`;
  const said = [...wrong, ...(wrong.includes(activity) ? [] : [activity]), well].join('; ');
  return { code, line: `SYSTOLE ${word} - ${plain(name)}: ${plain(said)} | ${figures(status).join(' ')}` };
}

/** `label=value;warn;crit;min;max` of each figure. */
function figures({ counts: { nodes, resources }, failures }: Status): readonly string[] {
  return [
    `nodes_online=${nodes.online};;;0;${nodes.total}`,
    `nodes_unclean=${nodes.unclean};;;0;${nodes.total}`,
    `resources_started=${resources.started};;;0;${resources.total}`,
    `resources_failed=${resources.failed};;;0;${resources.total}`,
    `failed_operations=${failures.length};;;0`,
  ];
}

/** When nothing could be found out. */
export function unknownLine(error: unknown): string {
  return `SYSTOLE UNKNOWN - ${plain(error instanceof Error ? error.message : String(error))}`;
}

/** A bar would begin the figures, and a second line is read as something else. */
function plain(text: string): string {
  return text.replace(/\|/g, '/').replace(/\s+/g, ' ').trim();
}
