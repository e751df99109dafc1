import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import type { QueueOptions, QueueTiming } from '../configuration.js';
import type { QueueConsumer, QueueHandlers } from '../consumer.js';
import { openQueues, type Queues } from '../queues.js';
import { backends, type BackendUnderTest } from './backends.js';

/** Short enough for tests, long enough for a busy machine. */
export const QUICK: QueueTiming = {
  connectWithinMs: 10_000,
  acceptWithinMs: 2_000,
  healthWithinMs: 2_000,
  closeWithinMs: 3_000,
  lockMs: 3_000,
  stalledCheckMs: 500,
  retryBaseMs: 50,
  retryCapMs: 400,
};

/** What a suite works with; everything opened through it is closed after each test, and what the queue holds is wiped. */
export interface Bench {
  readonly backend: BackendUnderTest;
  open(options?: QueueOptions): Promise<Queues>;
  consume(queues: Queues, handlers: QueueHandlers, concurrency?: number): Promise<QueueConsumer>;
}

/** Runs the same behaviour on both backends. @param only on the one of that name */
export async function onEachBackend(title: string, behaviour: (bench: Bench) => void, only?: string): Promise<void> {
  for (const { name, missing, provide } of await backends()) {
    if (only !== undefined && name !== only) continue;
    describe.skipIf(missing !== undefined)(`${title} on ${name}${missing === undefined ? '' : ` (${missing})`}`, () => {
      behaviour(useBench(provide));
    });
  }
}

/** A bench for the surrounding `describe`. */
export function useBench(provide: () => Promise<BackendUnderTest>): Bench {
  let backend: BackendUnderTest | undefined;
  let opened: Queues[] = [];
  const current = (): BackendUnderTest => {
    if (backend === undefined) throw new Error('the backend exists only while tests run');
    return backend;
  };
  beforeAll(async () => {
    backend = await provide();
  });
  afterEach(async () => {
    await Promise.all(opened.map((queues) => queues.close()));
    opened = [];
    await backend?.wipe();
  });
  afterAll(async () => {
    await backend?.dispose();
  });
  return {
    get backend() {
      return current();
    },
    async open(options = {}) {
      const queues = await openQueues(current().config, { prefix: current().prefix, ...options, timing: { ...QUICK, ...options.timing } });
      opened.push(queues);
      return queues;
    },
    consume: (queues, handlers, concurrency = 4) => queues.consume(handlers, { concurrency }),
  };
}
