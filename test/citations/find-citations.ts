/** A place in the specification that a text refers to. */
export interface Citation {
  /** As it is written, with white space and comment signs made single blanks. */
  readonly text: string;
  /** Where it begins in the text that was searched. */
  readonly index: number;
  /** Number of the document, or the name of its file as far as it is written; undefined when a section is cited of no document. */
  readonly document: string | undefined;
  /** `9.2` of `04 §9.2`; undefined when a document is cited as a whole. */
  readonly section?: string;
  /** `7` of `03 P7`. */
  readonly pitfall?: string;
}

/** Between the parts of a citation: blanks, or the end of a comment's line and the sign with which the next one begins. */
const GAP = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:\*|\/\/|#)?[ \t]*)`;
const PART = String.raw`(?:${GAP}(?:rules?|rows?|steps?|keys?)${GAP}\d+)?`;
const SEPARATOR = String.raw`(?:${PART}(?:,${GAP}|${GAP}(?:and|to)${GAP}|\/|[-–]))`;
/** Documents have two digits, and are no section. */
const NUMBER = String.raw`(?!0\d)\d+(?:\.\d+)*`;
/** Where a number is a document's: not within a word, a date or a decimal; a line of text may be written with \n. */
const START = String.raw`(?:(?<![\w.:§-])|(?<=\\n))`;
const FILE = String.raw`\`?(?<![\w/.-])(?:0[1-9]|1\d)-[a-z][a-z-]*(?:\.md)?\`?`;

/** Whole texts that have paragraphs, too. */
const OTHERS = /(?:RFC \d+|XML 1\.\d|OCF[\w .-]*|design)\s*$/;

/** A section or pitfall that goes on a list: its document is the one before. */
const LISTED = String.raw`(?:§§?${NUMBER}|P\d+)`;
const CODE = new RegExp(
  String.raw`${START}(?<document>(?:0[1-9]|1\d))${GAP}(?<first>${LISTED})(?<more>(?:${SEPARATOR}(?:${LISTED}|(?<=[-–/])${NUMBER}))*)`,
  'g',
);
const NAMED = new RegExp(String.raw`specification${GAP}\(?(?<document>0[0-9]|[1-9]\d)\b(?!${GAP}[§P]\d)`, 'gi');
const BARE = new RegExp(String.raw`§§?(?<section>${NUMBER})`, 'g');

/**
 * Finds what code, tests, scenarios and guides cite: `04 §9.2`, `04 §9.2, §9.3; 03 P7`, `specification 09`, and sections of no document at all.
 * Paragraphs of other texts (`RFC 9110 §13.1.1`) are none of ours.
 */
export function citationsInCode(text: string): Citation[] {
  const found: Citation[] = [];
  for (const match of text.matchAll(CODE)) found.push(...listed(match));
  for (const { 0: whole, index, groups } of text.matchAll(NAMED))
    found.push({ text: plain(whole), index, document: groups?.['document'] ?? '' });
  const covered = spansOf(text.matchAll(CODE));
  for (const { 0: whole, index, groups } of text.matchAll(BARE)) {
    if (covered(index) || OTHERS.test(text.slice(Math.max(0, index - 40), index))) continue;
    found.push({ text: whole, index, document: undefined, section: groups?.['section'] ?? '' });
  }
  return found.sort((a, b) => a.index - b.index);
}

const ITEM = String.raw`§?§?${NUMBER}`;
const ITEMS = String.raw`(?<first>${ITEM})(?<more>(?:${SEPARATOR}${ITEM}(?![\w%:]))*)`;
const IN_DOCUMENTS = [
  // `07-ordering.md` 9.3, 9.5
  new RegExp(String.raw`(?<document>${FILE})${GAP}(?:sections?${GAP})?${ITEMS}(?![\w%:])`, 'g'),
  // 04 9.3, 04 §9.3, 04 (9.3), 04 P3; not the hour of a date
  new RegExp(String.raw`${START}(?<document>0[1-9]|README)${GAP}\(?${ITEMS}(?![\w%:])`, 'g'),
  new RegExp(String.raw`${START}(?<document>(?:0[1-9]|1\d))${GAP}(?<first>P\d+)(?<more>(?:${SEPARATOR}P\d+)*)`, 'g'),
  // Of the same document, with § or the word before it, or alone in parentheses
  new RegExp(String.raw`(?<first>§§?${NUMBER})(?<more>(?:${SEPARATOR}${ITEM}(?![\w%:]))*)`, 'g'),
  new RegExp(String.raw`\bsections?${GAP}${ITEMS}`, 'gi'),
  new RegExp(String.raw`\((?<first>\d+\.\d+(?:\.\d)?)(?=[a-z]?(?:[),;]|: | (?:and|row|rule|step|key|table|last)\b))(?<more>)`, 'g'),
];
const WHOLE = new RegExp(FILE, 'g');

/** Finds what a document of the specification cites: the forms of {@link citationsInCode}, bare numbers, and its own sections, which need no document. */
export function citationsInDocument(text: string, own: string): Citation[] {
  const found: Citation[] = [];
  const searched = withoutFences(text);
  for (const { 0: whole, index } of searched.matchAll(WHOLE)) found.push({ text: whole, index, document: bareName(whole) });
  const taken: { from: number; to: number }[] = [];
  for (const pattern of IN_DOCUMENTS) {
    for (const match of searched.matchAll(pattern)) {
      const to = match.index + match[0].length;
      if (taken.some((span) => match.index < span.to && span.from < to)) continue;
      taken.push({ from: match.index, to });
      found.push(...listed(match, own));
    }
  }
  return found.sort((a, b) => a.index - b.index);
}

/** The citations of a match: its first one, and those that go on its list. */
function listed({ 0: whole, index, groups }: RegExpExecArray, own?: string): Citation[] {
  const { document, first = '', more = '' } = groups ?? {};
  const name = document === undefined ? own : bareName(document);
  const items = [first, ...(more.replace(/(?:rule|row|step|key)s?\s+\d+/g, '').match(/P\d+|\d+(?:\.\d+)*/g) ?? [])];
  return items.map((item) => ({
    text: plain(whole),
    index,
    document: name,
    ...(item.startsWith('P') ? { pitfall: item.slice(1) } : { section: item.replace(/^§+/, '') }),
  }));
}

const bareName = (document: string): string => document.replaceAll('`', '');

const plain = (text: string): string => text.replace(/\s+(?:(?:\*|\/\/|#)\s+)?/g, ' ');

function spansOf(matches: Iterable<RegExpExecArray>): (index: number) => boolean {
  const spans = [...matches].map(({ 0: whole, index }) => ({ from: index, to: index + whole.length }));
  return (index) => spans.some(({ from, to }) => from <= index && index < to);
}

/** Blanks out fenced blocks and keeps every other character where it is. */
export function withoutFences(text: string): string {
  return text.replace(/^```[^\n]*\n.*?^```/gms, (block) => block.replace(/[^\n]/g, ' '));
}
