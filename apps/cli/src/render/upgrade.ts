import type { components } from '@systole/api-client';
import { shownAsOneLine } from '@systole/protocol';
import type { Paint } from './paint.js';

/** As an answer of the server has it, or as it was found here. */
export type ShownChange = Omit<components['schemas']['UpgradeChangeDto'], 'id' | 'line'> & {
  readonly id?: string | undefined;
  readonly line?: number | undefined;
};

const COLOURS = { check: 'yellow', dropped: 'yellow', rewritten: 'dim' } as const;

/** One thing that was changed to bring a document to another schema: where it stood, and what became of it. */
export function upgradeLine(change: ShownChange, paint: Paint): string {
  const { kind, line, path, message } = shownAsOneLine(change);
  return `${paint(COLOURS[kind], kind)}: ${line === undefined ? '' : `line ${line}, `}${path}: ${message}`;
}

/** After a write: all of which more than the syntax was changed, and how much of the rest there is. */
export function upgradeAfterWrite({ count, items }: components['schemas']['UpgradeDto'], paint: Paint): readonly string[] {
  const told = items.filter(({ kind }) => kind !== 'rewritten');
  const rest = count - told.length;
  const more = `${told.length === 0 ? '' : 'And '}${rest} ${rest === 1 ? 'change' : 'changes'} of syntax: "systole cib convert" shows ${rest === 1 ? 'it' : 'them'}.`;
  return [...told.map((change) => upgradeLine(change, paint)), ...(rest === 0 ? [] : [more])];
}
