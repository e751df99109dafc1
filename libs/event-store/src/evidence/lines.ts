const NEWLINE = 0x0a;

/** The lines of a text that comes in pieces, as bytes and without what ends them; what follows the last end of a line is a line, too. Each is good until the next is asked for. Costs what the text holds, however long its lines are. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Buffer[], void, void> {
  /** Of the line that has not ended. */
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const lines: Buffer[] = [];
    let begin = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
      const last = bytes.subarray(begin, end);
      lines.push(begun.length === 0 ? last : Buffer.concat([...begun, last]));
      begun = [];
      begin = end + 1;
    }
    // Pieces may be used again by whoever gives them.
    if (begin < bytes.length) begun.push(Buffer.from(bytes.subarray(begin)));
    if (lines.length > 0) yield lines;
  }
  if (begun.length > 0) yield [Buffer.concat(begun)];
}
