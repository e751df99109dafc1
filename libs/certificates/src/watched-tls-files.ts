import { outdated, readTlsFiles, type TlsFiles, type TlsMaterial } from './tls-files.js';

/** How often it is looked whether files have changed, ms. They are read: whatever replaces them, by name, by link or in place, is seen. */
const LOOK_EVERY_MS = 5_000;

/** Who uses what stands in the files. */
export interface TlsFilesListener {
  /** They have changed, and fit. */
  changed(material: TlsMaterial): void;
  /**
   * They have changed and do not fit, e.g. since one of two was written first, or are outdated: what was there before goes on being used. Or what is used has run out. Told once for each trouble.
   */
  unfit(reason: string): void;
}

/** Certificates that are renewed while they are used. */
export class WatchedTlsFiles {
  #material: TlsMaterial;
  #trouble: string | undefined;
  #looking: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    private readonly files: TlsFiles,
    private readonly listener: TlsFilesListener,
    first: TlsMaterial,
    everyMs: number,
  ) {
    this.#material = first;
    this.#timer = setInterval(() => void this.look(), everyMs);
    this.#timer.unref();
  }

  /** @throws {UnfitCertificate} when they do not fit now */
  static async open(files: TlsFiles, listener: TlsFilesListener, everyMs = LOOK_EVERY_MS): Promise<WatchedTlsFiles> {
    return new WatchedTlsFiles(files, listener, await readTlsFiles(files), everyMs);
  }

  /** What was in the files when they last fitted. */
  get material(): TlsMaterial {
    return this.#material;
  }

  /** Looks at once. Never fails. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    let found: TlsMaterial;
    try {
      found = await readTlsFiles(this.files);
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
      return;
    }
    const now = Date.now();
    const trouble = outdated(found, this.files, now);
    const { cert, key, ca } = this.#material;
    const isKept = found.cert === cert && found.key === key && found.ca === ca;
    // Two that are of no use: the newer one is what somebody wants.
    const isWorse = trouble !== undefined && outdated(this.#material, this.files, now) === undefined;
    if (!isKept && !isWorse) {
      this.#material = found;
      this.listener.changed(found);
    }
    this.#tell(trouble);
  }

  #tell(trouble: string | undefined): void {
    if (trouble !== undefined && trouble !== this.#trouble) this.listener.unfit(trouble);
    this.#trouble = trouble;
  }
}
