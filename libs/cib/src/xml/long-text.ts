import { XmlError } from './xml-error.js';

/** Characters; a little less than the longest string that the engine can make. */
const LONGEST = 500_000_000;

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
  private length = 0;

  /** @param longest how many characters it may have. */
  constructor(private readonly longest = LONGEST) {}

  /**
   * Appends a text.
   *
   * @throws {XmlError} `too-large` when the whole gets too long: a few thousand resources of one name have graphs of that size.
   */
  add(text: string): void {
    this.length += text.length;
    if (this.length > this.longest) throw new XmlError('too-large', `what is to be written is longer than ${this.longest} characters`);
    if (this.lines.push(text) < LINES_PER_BLOCK) return;
    this.blocks.push(this.lines.join(''));
    this.lines = [];
  }

  /** All that was added. */
  toString(): string {
    return this.blocks.join('') + this.lines.join('');
  }
}
