import { carriableText } from './text.js';

const ESCAPE = '\u001b';
/** The control sequences that our programs put into their lines: colours. What moves the cursor is written apart from them. */
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

/** The same of a line that a program of ours made: whatever ends a line in it was put there by strangers, and none of theirs may pass for one of ours. */
export function printableLine(line: string): string {
  return printable(line.replace(LINE_ENDS, ' ↵ '));
}

/** The same of whole lines that a program of ours made, each ended by a line feed. What strangers wrote has none any more: {@link withoutLineFeeds}. */
export function printableLines(text: string): string {
  return text.split('\n').map(printableLine).join('\n');
}

/** The ways in which a line feed, or a carriage return, stands in an attribute in XML: as it is it would be a blank (XML 1.0 §3.3.3). */
const LINE_FEEDS_IN_XML = /(?:&#(?:0*1[03]|x0*[AaDd]);)+/g;

/** An XML document in whose texts no line ends: what is made of it for people in lines has those lines only. */
export function withoutLineFeeds(xml: string): string {
  return xml.replace(LINE_FEEDS_IN_XML, ' ↵ ');
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
