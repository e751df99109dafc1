/** Nested lists as the reference prints them (specification 08 §2.1): two blanks per open list, then a bullet. */
export class Listing {
  private readonly lines: string[] = [];
  private depth = 0;

  /** Lines written so far. */
  get length(): number {
    return this.lines.length;
  }

  /** One item of the innermost open list. */
  item(text: string): void {
    this.lines.push(this.depth === 0 ? `${text}\n` : `${'  '.repeat(this.depth)}* ${text}\n`);
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
    this.lines.push('\n');
  }

  text(): string {
    return this.lines.join('');
  }
}
