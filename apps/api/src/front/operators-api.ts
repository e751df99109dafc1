import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { threadEntry } from '@systole/threads';
import type { Logger } from 'pino';
import type { RefusedReport } from '../access/node-report-budgets.js';
import type { ApiConfig } from '../api-config.js';
import type { Unwritable } from '../watches/log-watch.js';
import type { MetricValues } from '../metrics/http-metrics.js';
import type { FromOperators, ToOperators } from './operators-message.js';
import { PatientAgent } from './patient-agent.js';
import { Silence } from './silence.js';

/** After an end that nobody asked for, the thread is started again so much later, ms. */
const AGAIN_AFTER_MS = 500;
/** How long a request waits for a thread that is being started, ms. */
const HOLD_MS = 30_000;
/** How long a thread that is closing may take, ms: longer than its own patience with what it is answering. */
const CLOSE_WITHIN_MS = 8_000;
/** How long whoever asks for metrics waits for those of the thread, ms. */
const METRICS_WITHIN_MS = 2_000;
/** How often it is looked whether the thread is to be heard, ms. */
const LOOK_EVERY_MS = 1_000;
/** Whoever asks is told of a silence from so much on, ms. */
const TOLD_AFTER_MS = 3_000;
/** A thread that says nothing for so long hangs, ms: three times the longest that a CIB of the greatest size was seen to keep it busy (docs/decisions/0026). */
const HANGS_AFTER_MS = 30_000;
/**
 * The same for a thread that has not served yet, ms, and never less than twice the time of one that does: what it loads first, it loads in one go, while it stands behind everything else on the machine (docs/decisions/0026).
 * To end it early gains nothing, as the next one has to load all of that anew.
 */
const STARTS_WITHIN_MS = 300_000;
/** So often a first thread that breaks before it serves is started; then whoever waits for it is told. */
const FIRST_STARTS = 3;
/** How long a thread may take to end, ms; one that stands in the operating system does not end before that lets it go. */
const ENDS_WITHIN_MS = 3_000;
/** So many threads that hang and could not be ended are left beside a new one; above that nobody serves operators until one of them ends. */
const LEFT_BEHIND = 3;

/** Where a thread is reached. */
export interface OperatorsAddress {
  readonly socketPath: string;
  /** Its connections end with the thread. */
  readonly agent: Agent;
}

interface Running extends OperatorsAddress {
  readonly worker: Worker;
  readonly silence: Silence;
}

/** Why a thread came to its end unasked: by itself, or because it hung. */
export type ThreadEnd = 'broke' | 'hung';

/** Nobody serves operators: the thread that is to never came to that. */
export class OperatorsNotServed extends Error {
  override readonly name = 'OperatorsNotServed';
}

/**
 * The api for operators in a thread of its own: whatever they ask for, large documents, long pages, folds of the past, holds up nothing but each other. It is
 * a whole api, as another replica would be, that listens at a socket which only this process's user can open. When the thread ends (out of memory, a defect)
 * or hangs, another one is started; the front and its leases don't notice.
 */
export class OperatorsApi {
  #running: Running | undefined;
  #isReady = false;
  #closing = false;
  #closed: Promise<void> | undefined;
  #lastId = 0;
  #starts = 0;
  /** Threads that hang and do not end. */
  #leftBehind = 0;
  #unwritable: Unwritable | undefined;
  readonly #ends: Record<ThreadEnd, number> = { broke: 0, hung: 0 };
  readonly #looking: NodeJS.Timeout;
  /** Settled by the first thread that serves, or when there is none to wait for. */
  readonly #first: { readonly served: Promise<void>; readonly serves: () => void; readonly fails: (why: OperatorsNotServed) => void };
  /** What the newest thread broke of, as far as it said. */
  #brokeOf: unknown;
  /** Told when the thread is ready, or the wait is over. */
  readonly #waiting = new Set<() => void>();

  private constructor(
    private readonly config: Omit<ApiConfig, 'onAdminToken' | 'otherMetrics' | 'states'>,
    private readonly directory: string,
    private readonly log: Pick<Logger, 'error'>,
    private readonly entry: URL,
    private readonly hangsAfterMs: number,
    private readonly startsWithinMs: number,
  ) {
    this.#first = firstThread();
    this.#looking = setInterval(() => {
      this.#look();
    }, LOOK_EVERY_MS);
    this.#looking.unref();
  }

  /** Starts the thread; see `ready`. @param config of the whole api @param entry of the thread, for tests, as is `startsWithinMs` */
  static async start(
    { onAdminToken: _, otherMetrics: __, operatorsApart: ___, states: ____, operatorsHangAfterMs = HANGS_AFTER_MS, ...config }: ApiConfig,
    log: Pick<Logger, 'error'>,
    entry = threadEntry('operators-thread', import.meta.url),
    startsWithinMs = Math.max(STARTS_WITHIN_MS, 2 * operatorsHangAfterMs),
  ): Promise<OperatorsApi> {
    const directory = await mkdtemp(join(tmpdir(), 'systole-api-'));
    const behind = { ...config, trustedProxies: (config.trustedProxies ?? 0) + 1 };
    const operators = new OperatorsApi(behind, directory, log, entry, operatorsHangAfterMs, startsWithinMs);
    operators.#run();
    return operators;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** For how long a thread that serves has said nothing, ms; what is less than a few seconds is its work. */
  get silentForMs(): number {
    return this.#isReady ? (this.#running?.silence.forMs ?? 0) : 0;
  }

  /** What keeps operators from being served, for people. */
  get trouble(): string | undefined {
    if (!this.#isReady) return 'the thread that serves operators is being started';
    const { silentForMs } = this;
    return silentForMs < TOLD_AFTER_MS
      ? undefined
      : `the thread that serves operators has said nothing for ${String(Math.round(silentForMs / 1_000))} s; it is started anew when that lasts`;
  }

  /** How often a thread came to its end unasked since the start of this process. */
  get ends(): Readonly<Record<ThreadEnd, number>> {
    return this.#ends;
  }

  /**
   * Waits for the first thread that serves, however many hung before it: on a busy machine it is only late, and agents are served meanwhile.
   *
   * @throws {OperatorsNotServed} when threads broke by themselves, one after another, or `close` was called before any served
   */
  ready(): Promise<void> {
    return this.#first.served;
  }

  /** Where the thread can be asked; waits a while for one that is being started. */
  async available(): Promise<OperatorsAddress | undefined> {
    if (!this.#isReady && !this.#closing) await this.#started();
    return this.#isReady && !this.#closing ? this.#running : undefined;
  }

  /** Tells the thread of a report that was refused here; one that is being started learns of the next. */
  noteRefused(refused: RefusedReport): void {
    if (this.#isReady) this.#running?.worker.postMessage({ kind: 'report-refused', refused } satisfies ToOperators);
  }

  /** Tells the thread what keeps the front from storing anything: nobody can read that in a database that takes no heartbeat. */
  noteUnwritable(unwritable: Unwritable | undefined): void {
    if (this.#isReady)
      this.#running?.worker.postMessage({ kind: 'front', ...(unwritable === undefined ? {} : { unwritable }) } satisfies ToOperators);
  }

  /** What keeps the thread from storing events, as it says. */
  get unwritable(): Unwritable | undefined {
    return this.#unwritable;
  }

  /** Of the thread; none while there is none that answers. */
  async metrics(): Promise<MetricValues> {
    const worker = this.#running?.worker;
    if (worker === undefined || !this.#isReady) return [];
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const done = (metrics: MetricValues): void => {
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
    clearInterval(this.#looking);
    this.#release();
    this.#first.fails(new OperatorsNotServed('the api was closed before anybody served operators'));
    const running = this.#running;
    // One that does not serve yet has nothing to answer.
    if (running !== undefined && this.#isReady) {
      const exited = once(running.worker, 'exit');
      running.worker.postMessage({ kind: 'close' } satisfies ToOperators);
      await Promise.race([exited, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    }
    if (running !== undefined) await endOf(running);
    await rm(this.directory, { recursive: true, force: true });
  }

  #started(): Promise<void> {
    return new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, HOLD_MS);
      this.#waiting.add(done);
    });
  }

  #run(): void {
    // A place of its own: one that still ends must not take that of the next with it.
    const socketPath = join(this.directory, `operators-${String(++this.#starts)}.sock`);
    const worker = new Worker(this.entry, { workerData: { ...this.config, frontedAt: socketPath } });
    const silence = new Silence(LOOK_EVERY_MS, performance.now());
    worker.on('message', (message: FromOperators) => {
      const { kind } = message;
      silence.end();
      if (this.#running?.worker !== worker) return;
      if (kind === 'alive') this.#unwritable = message.unwritable;
      if (kind !== 'ready') return;
      this.#isReady = true;
      this.#release();
      this.#first.serves();
    });
    this.#running = { worker, silence, socketPath, agent: new PatientAgent() };
    worker.on('error', (error) => {
      this.#brokeOf = error;
      this.log.error({ err: error }, 'the thread that serves operators broke');
    });
    worker.once('exit', () => {
      if (this.#running?.worker === worker) this.#ended('broke');
    });
  }

  #look(): void {
    const running = this.#running;
    if (running === undefined) return;
    const silentForMs = running.silence.look(performance.now());
    if (silentForMs < (this.#isReady ? this.hangsAfterMs : this.startsWithinMs)) return;
    this.log.error({ silentForMs }, 'the thread that serves operators hangs; it is ended, and another one started');
    this.#ended('hung');
    void this.#leave(running);
  }

  /** Whoever waits for an answer of the thread that was is told so at once; another one is started. */
  #ended(how: ThreadEnd): void {
    this.#isReady = false;
    this.#unwritable = undefined;
    this.#running?.agent.destroy();
    this.#running = undefined;
    if (this.#closing) return;
    this.#ends[how] += 1;
    if (this.#ends.broke >= FIRST_STARTS) this.#first.fails(brokenAtItsStart(this.#brokeOf));
    void this.#runAgain();
  }

  async #runAgain(): Promise<void> {
    await sleep(AGAIN_AFTER_MS, undefined, { ref: false });
    if (this.#closing || this.#running !== undefined || this.#leftBehind > LEFT_BEHIND) return;
    try {
      this.#run();
    } catch (error) {
      // A machine that lets no more threads begin is no reason to end what serves agents.
      this.log.error({ err: error }, 'the thread that serves operators could not be started; it is tried again');
      await this.#runAgain();
    }
  }

  /** Sees a thread that hangs off. */
  async #leave({ worker }: Running): Promise<void> {
    this.#leftBehind += 1;
    await worker.terminate();
    this.#leftBehind -= 1;
    await this.#runAgain();
  }

  #release(): void {
    for (const release of [...this.#waiting]) release();
  }
}

function firstThread(): { served: Promise<void>; serves: () => void; fails: (why: OperatorsNotServed) => void } {
  let serves = (): void => undefined;
  let fails = (_why: OperatorsNotServed): void => undefined;
  const served = new Promise<void>((resolve, reject) => {
    serves = resolve;
    fails = reject;
  });
  // Whether anybody waits for it or not.
  served.catch(() => undefined);
  return { served, serves, fails };
}

function brokenAtItsStart(cause: unknown): OperatorsNotServed {
  const words = cause instanceof Error ? cause.message : 'it ended without a word';
  return new OperatorsNotServed(
    `the thread that serves operators broke at each of ${String(FIRST_STARTS)} starts: ${words}; look for "broke" in the log of the api`,
    { cause },
  );
}

/** Waits for the end no longer than it takes one that can end. */
async function endOf({ worker, agent }: Running): Promise<void> {
  await Promise.race([worker.terminate(), sleep(ENDS_WITHIN_MS, undefined, { ref: false })]);
  agent.destroy();
}
