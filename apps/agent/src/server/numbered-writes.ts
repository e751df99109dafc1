import { ServerRefused } from './server-connection.js';

/** As the server refuses what bears a lower number than what was written since. */
const OVERTAKEN = /(^|\/)write-overtaken$/;
/** So often one request is sent with another number: who is refused more often than that was not overtaken by requests of this agent. */
const MOST_SENDINGS = 3;

export interface NumberedWritesParts {
  /** Tells the servers that whatever bears a lower number was given up. */
  readonly tell: (number: number) => Promise<void>;
  /** Before it is tried again. */
  readonly pause: () => Promise<void>;
  readonly stop: AbortSignal;
}

/**
 * Numbers what is to be written by how much was given up before it. A server that stood still carries out what it was asked for long ago; by the number the servers know what nobody waits for any more, and that it must not
 * replace what was written since.
 */
export class NumberedWrites {
  private number = 0;
  private told = 0;
  private isTelling = false;

  constructor(private readonly parts: NumberedWritesParts) {}

  /**
   * @param patiently makes an attempt, and more of them as long as it likes
   * @param send one attempt, with its number
   * @throws what the last attempt threw
   */
  async send<T>(patiently: (attempt: () => Promise<T>) => Promise<T>, send: (number: number) => Promise<T>): Promise<T> {
    for (let sendings = 1; ; sendings++) {
      let attempts = 0;
      const attempt = (): Promise<T> => {
        // The attempt before was given up, and may be carried out yet.
        if (attempts > 0) this.number += 1;
        attempts += 1;
        return send(this.number);
      };
      try {
        return await patiently(attempt);
      } catch (error) {
        if (!(error instanceof ServerRefused)) {
          this.number += 1;
          void this.tellGivenUp();
          throw error;
        }
        if (!OVERTAKEN.test(error.problemType) || sendings === MOST_SENDINGS) throw error;
      }
    }
  }

  /** Whoever asked for it was told that it failed: it must not be carried out later either where nothing else is written. */
  private async tellGivenUp(): Promise<void> {
    if (this.isTelling) return;
    this.isTelling = true;
    const { tell, pause, stop } = this.parts;
    while (this.told < this.number && !stop.aborted) {
      const { number } = this;
      try {
        await tell(number);
        this.told = number;
      } catch (error) {
        if (error instanceof ServerRefused) this.told = number;
        else await pause();
      }
    }
    this.isTelling = false;
  }
}
