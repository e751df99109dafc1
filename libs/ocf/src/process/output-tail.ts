/** Keeps the last `limit` bytes of a stream, so that a chatty process can't exhaust memory. */
export class OutputTail {
  private chunks: Buffer[] = [];
  private size = 0;
  private printed = 0;

  /** @param limit bytes to keep; at least 1 */
  constructor(private readonly limit: number) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    this.printed += chunk.length;
    let first = this.chunks[0];
    while (first !== undefined && this.size - first.length >= this.limit) {
      this.chunks.shift();
      this.size -= first.length;
      first = this.chunks[0];
    }
  }

  /** Bytes of all that came, kept or not. */
  get bytes(): number {
    return this.printed;
  }

  /** Whether the beginning is missing. */
  get truncated(): boolean {
    return this.printed > this.limit;
  }

  /** The kept bytes as UTF-8; a character that the cut split is dropped. */
  text(): string {
    return this.kept().toString('utf8');
  }

  /** The kept bytes; without those of a character that the cut split. */
  kept(): Buffer {
    const all = Buffer.concat(this.chunks);
    let start = Math.max(0, all.length - this.limit);
    if (this.truncated) while (start < all.length && isContinuation(all[start])) start += 1;
    return all.subarray(start);
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
