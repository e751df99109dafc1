import { accessSync, closeSync, constants, openSync, writeSync } from 'node:fs';

const FEED_INTERVAL_MS = 1_000;
/** Closing after this character disarms a watchdog that allows it (Linux watchdog API, "magic close"). */
const MAGIC_CLOSE = 'V';

/** Told what becomes of the watchdog. */
export interface WatchdogKeeper {
  /** Asked before each feeding. */
  readonly mayFeed: () => boolean;
  /** @param timeoutMs after how long without being fed it resets the machine, as it was when it was opened; undefined: nobody knows */
  readonly armed: (timeoutMs: number | undefined) => void;
  /** It can't be opened, or not be fed; tried again at the next feeding. */
  readonly lost: (problem: string) => void;
}

/**
 * Feeds a watchdog device for as long as it may: when the feeding stops, for whatever reason (a hanging agent included), the machine resets. Opening arms it, and feeds it once: so it is opened when it may
 * be fed first, and not before. An agent that follows one whose lease is over would put the reset off otherwise, as often as it is started.
 */
export class Watchdog {
  private device: { readonly fd: number; readonly timeoutMs: number | undefined } | undefined;
  private readonly timer: NodeJS.Timeout;

  /**
   * @param path normally /dev/watchdog
   * @param readTimeoutMs asked whenever it is opened: a driver that was loaded anew may have another one
   * @throws when there is no such device, or it may not be written to
   */
  constructor(
    private readonly path: string,
    private readonly keeper: WatchdogKeeper,
    private readonly readTimeoutMs: () => number | undefined,
  ) {
    accessSync(path, constants.W_OK);
    this.timer = setInterval(() => {
      this.feed();
    }, FEED_INTERVAL_MS);
  }

  /** Ends the feeding without a reset, of an earlier agent process, too. */
  disarm(): void {
    clearInterval(this.timer);
    const device = this.device?.fd ?? openSync(this.path, 'a');
    writeSync(device, MAGIC_CLOSE);
    closeSync(device);
  }

  /** Once, where it may be; once a second it is done anyway. */
  feed(): void {
    if (!this.keeper.mayFeed()) return;
    try {
      this.device ??= this.open();
      writeSync(this.device.fd, '\0');
      this.keeper.armed(this.device.timeoutMs);
    } catch (error) {
      this.letGo();
      this.keeper.lost(error instanceof Error ? error.message : String(error));
    }
  }

  private open(): { readonly fd: number; readonly timeoutMs: number | undefined } {
    const fd = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
    return { fd, timeoutMs: this.readTimeoutMs() };
  }

  /** Without the character that disarms: what can't be fed shall reset the machine if it still can. */
  private letGo(): void {
    const { device } = this;
    this.device = undefined;
    if (device === undefined) return;
    try {
      closeSync(device.fd);
    } catch {
      // It is gone with its device.
    }
  }
}
