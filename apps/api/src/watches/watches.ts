import { repeat } from '@systole/control-plane';
import { SYSTEM_CLOCK, type LogWrites, type PostgresPorts } from '@systole/control-plane-postgres';
import type { LateQueues, QueueBackend } from '@systole/queue';
import type { Logger } from 'pino';
import type { OperatorsApi } from '../front/operators-api.js';
import { reasonOf } from '../http/problem-of.js';
import type { Closing } from '../lifecycle/closing.js';
import { ClockWatch } from './clock-watch.js';
import { LogWatch } from './log-watch.js';
import { QueueWatch } from './queue-watch.js';
import { WATCH_EVERY_MS, WorkerWatch } from './worker-watch.js';

/** How often the thread for operators is told whether the front can store anything, ms. */
const TELL_OPERATORS_EVERY_MS = 250;

/** What of the installation is looked at again and again, so that status can tell of it. */
export interface Watches {
  readonly workerWatch: WorkerWatch;
  readonly clockWatch: ClockWatch;
  readonly logWatch: LogWatch;
  readonly queueWatch: QueueWatch;
  /** Why this process can store nothing at present. */
  readonly ownLog: { readonly trouble: LogWrites['trouble'] };
}

/** What there is to watch. */
export interface Watched {
  readonly ports: PostgresPorts;
  readonly queues: LateQueues;
  readonly backend: QueueBackend['backend'];
  /** The thread for operators, told what this one sees; undefined: there is none. */
  readonly operators: OperatorsApi | undefined;
}

/** Begins to look, and has looked once. */
export async function beginWatches({ ports, queues, backend, operators }: Watched, log: Logger, closing: Closing): Promise<Watches> {
  const { leases, logWrites } = ports;
  const monotonic = (): number => SYSTEM_CLOCK.monotonic();
  const workerWatch = new WorkerWatch(ports.workerHeartbeats, leases, monotonic);
  const clockWatch = new ClockWatch(ports.databaseClock, monotonic);
  const ownLog = {
    get trouble() {
      return logWrites.trouble ?? operators?.unwritable;
    },
  };
  const logWatch = new LogWatch(ownLog, [ports.heartbeats, ports.workerHeartbeats], monotonic);
  if (operators !== undefined) {
    const telling = setInterval(() => {
      operators.noteUnwritable(logWrites.trouble);
    }, TELL_OPERATORS_EVERY_MS);
    telling.unref();
    closing.add(() => {
      clearInterval(telling);
    });
  }
  // What is asked for by time before the first look would be judged by this machine's clock.
  await clockWatch.look().catch((error: unknown) => {
    log.debug({ err: error }, 'the clock of the database could not be read yet');
  });
  const watching = repeat(
    SYSTEM_CLOCK,
    WATCH_EVERY_MS,
    async () => {
      await clockWatch.look();
      await logWatch.look();
      await workerWatch.look();
    },
    (error) => {
      workerWatch.couldNotLook(reasonOf(error));
      log.debug({ err: error }, 'it could not be looked whether workers are there, or the clock steps');
    },
  );
  closing.add(() => watching.stop());
  const queueWatch = new QueueWatch(queues, backend, monotonic);
  await queueWatch.look();
  const watchingQueue = repeat(
    SYSTEM_CLOCK,
    WATCH_EVERY_MS,
    () => queueWatch.look(),
    () => undefined,
  );
  closing.add(() => watchingQueue.stop());
  return { workerWatch, clockWatch, logWatch, queueWatch, ownLog };
}
