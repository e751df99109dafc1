/** Most tokens in one query. */
const MOST = 500;

interface Asked<T> {
  readonly digest: Buffer;
  readonly resolve: (token: T | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Looks for tokens with one query at a time: those that come meanwhile go together into the next, so that a flood of wrong ones costs few queries. */
export class TokenLookUps<T> {
  #waiting: Asked<T>[] = [];
  #looking = false;

  /** @param query finds tokens, by the hexadecimal of their digests */
  constructor(private readonly query: (digests: readonly Buffer[]) => Promise<ReadonlyMap<string, T>>) {}

  /** @throws what the query throws */
  find(digest: Buffer): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ digest, resolve, reject });
      if (!this.#looking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#looking = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, MOST);
      try {
        const found = await this.query(asked.map(({ digest }) => digest));
        for (const { digest, resolve } of asked) resolve(found.get(digest.toString('hex')));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    this.#looking = false;
  }
}
