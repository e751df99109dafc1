/** SHA-256. */
const HASH_BYTES = 32;
/** What there is room for at first; a cluster of which little is heard needs no more for long. */
const FIRST_ROOM = 16;
/** Stands where no version does. */
const NONE = -1;

/**
 * The hashes of a stream's newest events by their versions, at most so many. A cluster that is at rest keeps them as well, and there may be thousands: so they stand side by side as bytes, which takes a
 * third of what texts in a map take.
 */
export class RecentHashes {
  #room: number;
  /** Which version stands at each place; a version's place is its remainder. */
  #versions: Float64Array;
  #hashes: Buffer;

  /** @param most hashes that are kept; a power of two times {@link FIRST_ROOM} */
  constructor(private readonly most: number) {
    this.#room = Math.min(FIRST_ROOM, most);
    this.#versions = new Float64Array(this.#room).fill(NONE);
    this.#hashes = Buffer.alloc(this.#room * HASH_BYTES);
  }

  /** Of what is kept, bytes. */
  get bytes(): number {
    return this.#versions.byteLength + this.#hashes.byteLength;
  }

  /** Lower-case hexadecimal. */
  get(version: number): string | undefined {
    const place = version % this.#room;
    return this.#versions[place] === version ? this.#hashAt(place) : undefined;
  }

  /** In the place of the one that is `most` versions older. @param version from 1 @param hash hexadecimal */
  set(version: number, hash: string): void {
    const other = this.#versions[version % this.#room];
    if (other !== NONE && other !== version && this.#room < this.most) this.#widen();
    const place = version % this.#room;
    this.#versions[place] = version;
    this.#hashes.write(hash, place * HASH_BYTES, HASH_BYTES, 'hex');
  }

  #widen(): void {
    const wider = new RecentHashes(this.most);
    wider.#room = Math.min(this.most, 2 * this.#room);
    wider.#versions = new Float64Array(wider.#room).fill(NONE);
    wider.#hashes = Buffer.alloc(wider.#room * HASH_BYTES);
    for (const [place, version] of this.#versions.entries()) if (version !== NONE) wider.set(version, this.#hashAt(place));
    this.#room = wider.#room;
    this.#versions = wider.#versions;
    this.#hashes = wider.#hashes;
  }

  #hashAt(place: number): string {
    return this.#hashes.toString('hex', place * HASH_BYTES, (place + 1) * HASH_BYTES);
  }
}
