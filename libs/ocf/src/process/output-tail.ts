/** Keeps the last `limit` bytes of a stream, so that a chatty process can't exhaust memory. */
export class OutputTail {
  private chunks: Buffer[] = [];
  private size = 0;
  private dropped = false;

  /** @param limit bytes to keep; at least 1 */
  constructor(private readonly limit: number) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    let first = this.chunks[0];
    while (first !== undefined && this.size - first.length >= this.limit) {
      this.chunks.shift();
      this.size -= first.length;
      this.dropped = true;
      first = this.chunks[0];
    }
  }

  /** Whether the beginning is missing. */
  get truncated(): boolean {
    return this.dropped || this.size > this.limit;
  }

  /** The kept bytes as UTF-8; a character that the cut split is dropped. */
  text(): string {
    const all = Buffer.concat(this.chunks);
    let start = Math.max(0, all.length - this.limit);
    if (this.truncated) while (start < all.length && isContinuation(all[start])) start += 1;
    return all.toString('utf8', start);
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
