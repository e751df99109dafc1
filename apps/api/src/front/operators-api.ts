import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { ApiConfig } from '../api-config.js';
import type { FromOperators, ThreadMetrics, ToOperators } from './operators-message.js';

/** After an end that nobody asked for, the thread is started again so much later, ms. */
const AGAIN_AFTER_MS = 500;
/** How long a request waits for a thread that is being started, ms. */
const HOLD_MS = 30_000;
/** How long a thread that is closing may take, ms: longer than its own patience with what it is answering. */
const CLOSE_WITHIN_MS = 8_000;
/** How long whoever asks for metrics waits for those of the thread, ms. */
const METRICS_WITHIN_MS = 2_000;

interface Running {
  readonly worker: Worker;
  /** Listens; never settles when it doesn't come to that. */
  readonly ready: Promise<void>;
}

/**
 * The api for operators in a thread of its own: whatever they ask for, large documents, long pages, folds of the past, holds up nothing but each other. It is
 * a whole api, as another replica would be, that listens at a socket which only this process's user can open. When the thread ends (out of memory, a defect),
 * it is started again; the front and its leases don't notice.
 */
export class OperatorsApi {
  #running: Running | undefined;
  #isReady = false;
  #closing = false;
  #closed: Promise<void> | undefined;
  #lastId = 0;
  /** Told when the thread is ready, or the wait is over. */
  readonly #waiting = new Set<() => void>();

  private constructor(
    private readonly config: Omit<ApiConfig, 'onAdminToken'>,
    private readonly directory: string,
    readonly socketPath: string,
    private readonly log: Pick<Logger, 'error'>,
    private readonly entry: URL,
  ) {}

  /** Starts the thread; see `ready`. @param config of the whole api @param entry of the thread; for tests */
  static async start(
    { onAdminToken: _, operatorsApart: __, ...config }: ApiConfig,
    log: Pick<Logger, 'error'>,
    entry = threadEntry(),
  ): Promise<OperatorsApi> {
    const directory = await mkdtemp(join(tmpdir(), 'systole-api-'));
    const socketPath = join(directory, 'operators.sock');
    const behind = { ...config, frontedAt: socketPath, trustedProxies: (config.trustedProxies ?? 0) + 1 };
    const operators = new OperatorsApi(behind, directory, socketPath, log, entry);
    operators.#run();
    return operators;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Waits for the first start. @throws {Error} why the thread ended before it was ready */
  async ready(): Promise<void> {
    const running = this.#running;
    if (running === undefined || this.#isReady) return;
    const ended = once(running.worker, 'exit').then(() => {
      throw new Error('the thread that serves operators ended at its start');
    });
    await Promise.race([running.ready, ended]);
  }

  /** Whether the thread can be asked; waits a while for one that is being started. */
  async available(): Promise<boolean> {
    if (this.#isReady || this.#closing) return this.#isReady && !this.#closing;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, HOLD_MS);
      this.#waiting.add(done);
    });
    return this.#isReady;
  }

  /** Of the thread; none while there is none that answers. */
  async metrics(): Promise<ThreadMetrics> {
    const worker = this.#running?.worker;
    if (worker === undefined || !this.#isReady) return [];
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const done = (metrics: ThreadMetrics): void => {
        clearTimeout(timer);
        worker.off('message', hear);
        resolve(metrics);
      };
      const hear = (message: FromOperators): void => {
        if (message.kind === 'metrics' && message.id === id) done(message.metrics);
      };
      const timer = setTimeout(done, METRICS_WITHIN_MS, []);
      worker.on('message', hear);
      worker.postMessage({ kind: 'metrics', id } satisfies ToOperators);
    });
  }

  /** Answers what waits, and ends the thread. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing = true;
    this.#release();
    const worker = this.#running?.worker;
    // One that does not serve yet has nothing to answer.
    if (worker !== undefined && this.#isReady) {
      const exited = once(worker, 'exit');
      worker.postMessage({ kind: 'close' } satisfies ToOperators);
      await Promise.race([exited, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    }
    await worker?.terminate();
    await rm(this.directory, { recursive: true, force: true });
  }

  #run(): void {
    const worker = new Worker(this.entry, { workerData: this.config });
    const ready = new Promise<void>((resolve) => {
      worker.on('message', (message: FromOperators) => {
        if (message.kind !== 'ready') return;
        this.#isReady = true;
        this.#release();
        resolve();
      });
    });
    this.#running = { worker, ready };
    worker.on('error', (error) => {
      this.log.error({ err: error }, 'the thread that serves operators broke');
    });
    worker.once('exit', () => {
      this.#isReady = false;
      this.#running = undefined;
      if (!this.#closing) void this.#runAgain();
    });
  }

  async #runAgain(): Promise<void> {
    await rm(this.socketPath, { force: true });
    await sleep(AGAIN_AFTER_MS, undefined, { ref: false });
    if (!this.#closing) this.#run();
  }

  #release(): void {
    for (const release of [...this.#waiting]) release();
  }
}

/** The compiled entry, also when this file itself runs from its source (under the test runner): Node starts threads only from JavaScript. */
function threadEntry(): URL {
  const entry = new URL('./operators-thread.js', import.meta.url.replace('/apps/api/src/', '/apps/api/dist/'));
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${fileURLToPath(entry)} is missing: run \`npm run build\` first`);
  return entry;
}
