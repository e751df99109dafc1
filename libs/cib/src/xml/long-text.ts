/** So many lines are some hundred kilobytes, which the engine keeps where it doesn't move them. */
const LINES_PER_BLOCK = 2_048;

/**
 * A text of many lines under construction. A line that was put together is a tree of its parts until somebody looks at its characters, and whoever collects
 * memory meanwhile has to move each of these parts; that took a third of the time in which a large transition graph is written. Here only some
 * thousand lines are parts at a time.
 */
export class LongText {
  private readonly blocks: string[] = [];
  private lines: string[] = [];

  /** Appends a text, of any length. */
  add(text: string): void {
    if (this.lines.push(text) < LINES_PER_BLOCK) return;
    this.blocks.push(this.lines.join(''));
    this.lines = [];
  }

  /** All that was added. */
  toString(): string {
    return this.blocks.join('') + this.lines.join('');
  }
}
