/** A part of an answer, or all of it, that is JSON text already: it may be very long, and is passed on as it is. */
export class RawJson {
  /** @param bytes JSON in UTF-8 */
  constructor(readonly bytes: Uint8Array) {}

  /** For whoever writes it in the ordinary way. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }
}
