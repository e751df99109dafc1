import type { components } from '@systole/api-client';
import type { Paint } from './paint.js';

type ElementChange = components['schemas']['ElementChangeDto'];

/** Changes of a configuration, each element with the lines that go (`-`) and come (`+`). */
export function renderChanges(changes: readonly ElementChange[], paint: Paint): readonly string[] {
  return changes.flatMap(({ kind, id, path, before, after }) => {
    const sign = before === undefined ? '+' : after === undefined ? '-' : '~';
    return [`  ${sign} ${kind} ${id}  ${paint('dim', path)}`, ...lineDifference(before ?? '', after ?? '', paint)];
  });
}

/** Old and new lines without those that both begin and end with. */
function lineDifference(before: string, after: string, paint: Paint): readonly string[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  return [
    ...old.slice(head, old.length - tail).map((line) => paint('red', `    - ${line}`)),
    ...fresh.slice(head, fresh.length - tail).map((line) => paint('green', `    + ${line}`)),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}
