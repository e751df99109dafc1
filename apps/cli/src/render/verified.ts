import { shownAsOneLine } from '@systole/protocol';
import type { Verified } from '../configuration/verify.js';
import type { Paint } from './paint.js';

/** What a check of a configuration came to: a line for each finding. @param name of what was checked */
export function renderVerified(verified: Verified, name: string, paint: Paint): readonly string[] {
  const { valid, problems, findings } = shownAsOneLine(verified);
  const found = [
    ...problems.map(({ message, path, line }) => {
      const place = [...(line === undefined ? [] : [`line ${String(line)}`]), ...(path === undefined ? [] : [path])].join(', ');
      return `${paint('red', 'invalid')}: ${place === '' ? '' : `${place}: `}${message}`;
    }),
    ...findings.map(({ level, subject, message, meanwhile }) => {
      return `${paint(level === 'error' ? 'red' : 'yellow', level)}: ${subject}: ${message}; meanwhile ${meanwhile}`;
    }),
  ];
  if (found.length === 0) return [paint('green', `${name}: valid, and nothing to say about it.`)];
  return [
    ...found,
    valid
      ? `${name}: valid, with ${findings.length === 1 ? 'one finding' : `${String(findings.length)} findings`}.`
      : paint('red', `${name}: not valid.`),
  ];
}
