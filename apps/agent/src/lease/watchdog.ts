import { closeSync, openSync, writeSync } from 'node:fs';

const FEED_INTERVAL_MS = 1_000;
/** Closing after this character disarms a watchdog that allows it (Linux watchdog API, "magic close"). */
const MAGIC_CLOSE = 'V';

/**
 * Feeds a watchdog device for as long as it may: when the feeding stops, for whatever reason (a hanging agent included), the machine resets. Opening arms it.
 */
export class Watchdog {
  private readonly device: number;
  private readonly timer: NodeJS.Timeout;

  /**
   * @param path normally /dev/watchdog
   * @param mayFeed asked before each feeding
   */
  constructor(path: string, mayFeed: () => boolean) {
    this.device = openSync(path, 'a');
    const feed = (): void => {
      if (mayFeed()) writeSync(this.device, '\0');
    };
    feed();
    this.timer = setInterval(feed, FEED_INTERVAL_MS);
  }

  /** Ends the feeding without a reset. */
  disarm(): void {
    clearInterval(this.timer);
    writeSync(this.device, MAGIC_CLOSE);
    closeSync(this.device);
  }
}
