/** A part of what a tool's client and the agent tell each other: a word, and bytes. */
export interface Frame {
  readonly kind: string;
  readonly bytes: Buffer;
}

/** What is sent is no frame, or longer than it may be. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

/** `KIND LENGTH\n` and as many bytes, whatever they are. */
export function encodeFrame(kind: string, content: string | Buffer = ''): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([Buffer.from(`${kind} ${bytes.length}\n`), bytes]);
}

const HEADER = /^([a-z]{1,10}) (\d{1,9})$/;
/** Of a header, with its end of line. */
const LONGEST_HEADER = 21;

/** Takes bytes as they come, and gives the frames that are whole. */
export class FrameReader {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private taken = 0;
  /** The header that was read, whose bytes are still to come. */
  private header: { readonly kind: string; readonly length: number } | undefined;

  /** @param longest of all that is taken, bytes */
  constructor(private readonly longest: number) {}

  /** @throws {BadFrame} */
  push(chunk: Buffer): readonly Frame[] {
    this.chunks.push(chunk);
    this.length += chunk.length;
    this.taken += chunk.length;
    if (this.taken > this.longest) throw new BadFrame(`more than ${this.longest} bytes`);
    const frames: Frame[] = [];
    for (let frame = this.next(); frame !== undefined; frame = this.next()) frames.push(frame);
    return frames;
  }

  private next(): Frame | undefined {
    this.header ??= this.readHeader();
    if (this.header === undefined || this.length < this.header.length) return undefined;
    const { kind, length } = this.header;
    this.header = undefined;
    return { kind, bytes: this.take(length) };
  }

  private readHeader(): { readonly kind: string; readonly length: number } | undefined {
    const whole = this.joined();
    const end = whole.indexOf('\n');
    if (end < 0) {
      if (whole.length >= LONGEST_HEADER) throw new BadFrame('a header without an end');
      return undefined;
    }
    const [, kind, length] = HEADER.exec(whole.toString('latin1', 0, end)) ?? [];
    if (kind === undefined || length === undefined) throw new BadFrame('a header that is none');
    this.take(end + 1);
    return { kind, length: Number(length) };
  }

  private take(bytes: number): Buffer {
    const whole = this.joined();
    const taken = whole.subarray(0, bytes);
    const rest = whole.subarray(bytes);
    this.chunks.length = 0;
    if (rest.length > 0) this.chunks.push(rest);
    this.length = rest.length;
    return taken;
  }

  /** Joined only where something can be taken: a large frame is not copied with each of its parts. */
  private joined(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.chunks;
    if (others.length === 0) return first;
    const whole = Buffer.concat(this.chunks);
    this.chunks.splice(0, this.chunks.length, whole);
    return whole;
  }
}
