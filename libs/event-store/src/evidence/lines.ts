const NEWLINE = 0x0a;

/** The lines of a text that comes in pieces, as bytes and without what ends them; what follows the last end of a line is a line, too. Each is good until the next is asked for. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Buffer[], void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength) : Buffer.concat([rest, piece]);
    const lines: Buffer[] = [];
    let begin = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
      lines.push(bytes.subarray(begin, end));
      begin = end + 1;
    }
    // Pieces may be used again by whoever gives them.
    rest = Buffer.from(bytes.subarray(begin));
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [rest];
}
