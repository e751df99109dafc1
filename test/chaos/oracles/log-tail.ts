import { readFileSync } from 'node:fs';

/** The lines of a file that others append to, each once, as the words that they consist of. */
export class LogTail {
  private read = 0;

  constructor(private readonly file: string) {}

  /** What is new since the last call; a line that is still being written comes with a later one. */
  next(): readonly (readonly string[])[] {
    const text = textOf(this.file);
    const end = text.lastIndexOf('\n') + 1;
    const lines = text.slice(this.read, end).split('\n');
    this.read = Math.max(this.read, end);
    return lines.filter((line) => line !== '').map((line) => line.split(' '));
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
