import { accessSync, closeSync, constants, openSync, writeSync } from 'node:fs';

const FEED_INTERVAL_MS = 1_000;
/** Closing after this character disarms a watchdog that allows it (Linux watchdog API, "magic close"). */
const MAGIC_CLOSE = 'V';

/**
 * Feeds a watchdog device for as long as it may: when the feeding stops, for whatever reason (a hanging agent included), the machine resets. Opening arms it, and feeds it once: so it is opened when it may
 * be fed first, and not before. An agent that follows one whose lease is over would put the reset off otherwise, as often as it is started.
 */
export class Watchdog {
  private device: number | undefined;
  private readonly timer: NodeJS.Timeout;

  /**
   * @param path normally /dev/watchdog
   * @param mayFeed asked before each feeding
   * @throws when there is no such device, or it may not be written to
   */
  constructor(
    private readonly path: string,
    mayFeed: () => boolean,
  ) {
    accessSync(path, constants.W_OK);
    const feed = (): void => {
      if (!mayFeed()) return;
      this.device ??= openSync(path, 'a');
      writeSync(this.device, '\0');
    };
    feed();
    this.timer = setInterval(feed, FEED_INTERVAL_MS);
  }

  /** Ends the feeding without a reset, of an earlier agent process, too. */
  disarm(): void {
    clearInterval(this.timer);
    const device = this.device ?? openSync(this.path, 'a');
    writeSync(device, MAGIC_CLOSE);
    closeSync(device);
  }
}
