import { endOfText, JSON_MARK } from '@systole/cib';

/** What a text of JSON may hold. */
export interface JsonBounds {
  /** Most values: texts, numbers, lists, objects … */
  readonly values: number;
  /** Deepest nesting. */
  readonly levels: number;
  /** Most fields of one object. */
  readonly fields: number;
}

/**
 * What a text of JSON holds too much of, for people; undefined when it keeps all bounds. Nothing is made of it: making a million values out of a megabyte takes
 * longer than anybody may be held up. Of a text that is no JSON it says anything.
 */
export function excessOf(text: string, { values: mostValues, levels, fields: mostFields }: JsonBounds): string | undefined {
  /** Of each object that is open its fields so far; 0 for a list. */
  const open: number[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case JSON_MARK.quote:
        at = endOfText(text, at);
        break;
      case JSON_MARK.openList:
      case JSON_MARK.openObject: {
        if (open.length >= levels) return `is nested more than ${levels} levels deep`;
        const isEmpty = isClose(firstIn(text, at + 1));
        if (!isEmpty) values += 1;
        open.push(text.charCodeAt(at) === JSON_MARK.openObject && !isEmpty ? 1 : 0);
        break;
      }
      case JSON_MARK.closeList:
      case JSON_MARK.closeObject:
        open.pop();
        break;
      case JSON_MARK.comma: {
        values += 1;
        const fields = open.at(-1) ?? 0;
        if (fields > 0) open[open.length - 1] = fields + 1;
        if (fields >= mostFields) return `holds an object with more than ${mostFields} fields`;
      }
    }
    if (values > mostValues) return `holds more than ${mostValues} values`;
  }
  return undefined;
}

/** The first character that is no white space, from a place on. */
function firstIn(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at);
}

function isClose(code: number): boolean {
  return code === JSON_MARK.closeList || code === JSON_MARK.closeObject;
}
