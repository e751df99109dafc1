import { LongText } from '@systole/cib';

/**
 * Nested lists as the reference prints them (specification 08 §2.1): two blanks per open list, then a bullet. Whatever adds to it throws an XmlError `too-large`
 * when the whole gets too long.
 */
export class Listing {
  private readonly lines: LongText;
  private count = 0;
  private depth = 0;

  /** @param longest how many characters it may have; by default as many as a string can. */
  constructor(longest?: number) {
    this.lines = new LongText(longest);
  }

  /** Lines written so far. */
  get length(): number {
    return this.count;
  }

  /** One item of the innermost open list. */
  item(text: string): void {
    this.add(this.depth === 0 ? `${text}\n` : `${'  '.repeat(this.depth)}* ${text}\n`);
  }

  /** An item that opens a list; everything that `write` adds lies in it. */
  list(title: string, write: () => void): void {
    this.item(`${title}:`);
    this.depth++;
    write();
    this.depth--;
  }

  /** An empty line. */
  spacer(): void {
    this.add('\n');
  }

  text(): string {
    return this.lines.toString();
  }

  private add(line: string): void {
    this.count++;
    this.lines.add(line);
  }
}
