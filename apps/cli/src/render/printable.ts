import { carriableText } from '@systole/protocol';

const ESCAPE = '\u001b';
/** The control sequences that this program puts into its lines: colours. What moves the cursor is written apart from them. */
const OURS = new RegExp(`(${ESCAPE}\\[(?:[012]|3[123])m)`);
/** What a terminal obeys or hides although XML and JSON carry it: DEL and the C1 controls (U+009B begins a control sequence), and format characters: marks that turn the direction of text, and what has no width or is shown as nothing, so that two names look alike. Not what only chooses between two looks of the character before it. */
const OBEYED = /(?![\uFE00-\uFE0F])[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Characters after which a terminal goes on elsewhere, or a reader sees another line (Unicode, UAX 14: mandatory breaks). */
const LINE_ENDS = /[\r\n\v\f\u0085\u2028\u2029]+/g;

/** Has a terminal write over the line that it has written. */
const BACK = /\r(?!\n)/g;

/** A text as it may go to a terminal: what strangers have put in to steer it is shown, not obeyed. Lines and tabs stay. */
export function printable(text: string): string {
  return text
    .split(OURS)
    .map((part, index) => (index % 2 === 1 ? part : carriableText(part).replace(OBEYED, '\u{FFFD}').replace(BACK, '␍')))
    .join('');
}

/** The same of a line that this program made: whatever ends a line in it was put there by strangers, and none of theirs may pass for one of ours. */
export function printableLine(line: string): string {
  return printable(line.replace(LINE_ENDS, ' ↵ '));
}

/**
 * What strangers wrote, before this program colours it and lays it out: with what would steer a terminal shown, colours included, each text on one line, so that none passes for a line of
 * ours.
 */
export function shownAsOneLine<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? carriableText(member).replace(OBEYED, '\u{FFFD}').replace(LINE_ENDS, ' ↵ ').replaceAll('\t', ' ') : member,
  ) as T;
}

/** JSON text that says the same, with what a terminal would obey escaped. */
export function printableJson(json: string): string {
  return json.replace(OBEYED, (character) => character.split('').map(escaped).join(''));
}

/** Half a surrogate pair is escaped by itself. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
