import { cell, table } from './markdown-text.js';
import type { MadePage } from './api/api-pages.js';

/**
 * The index of the decisions, newest first, each with its status where it has a line `Status: …`.
 *
 * @param decisions file name (`0086-title.md`) and text of each.
 * @throws when a file has no number or title.
 */
export function decisionIndex(decisions: ReadonlyMap<string, string>): MadePage {
  const rows = [...decisions]
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([file, text]) => {
      const number = /^(\d{4})-/.exec(file)?.[1];
      const [, title] = /^# (?:\d+\. )?(.+)$/m.exec(text) ?? [];
      const [, status] = /^Status: ([^.\n]+)/m.exec(text) ?? [];
      if (number === undefined || title === undefined)
        throw new Error(`docs/decisions/${file}: a decision is named NNNN-title.md and begins with a heading`);
      return [number, `[${cell(title)}](./${file})`, cell(status ?? '')];
    });
  return {
    path: 'decisions/index.md',
    title: 'Decisions',
    markdown: `# Decisions\n\nWhy it is as it is: what was decided, for which reason, and what follows. Newest first.\n\n${table(['number', 'decision', 'status'], rows)}`,
  };
}
