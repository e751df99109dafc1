/** The characters that a text of JSON is built with, by their codes (RFC 8259 §2). */
export const JSON_MARK = { quote: 0x22, comma: 0x2c, openList: 0x5b, closeList: 0x5d, openObject: 0x7b, closeObject: 0x7d } as const;

const BACKSLASH = 0x5c;

/** Where the text ends that begins at a quote; the length of all where it does not end. */
export function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escape = end;
    while (json.charCodeAt(escape - 1) === BACKSLASH) escape -= 1;
    if ((end - escape) % 2 === 0) return end;
  }
  return json.length;
}
