import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { TreeSender, type XmlElement } from '@systole/cib';
import { inSlices } from '@systole/read-models';
import { ScheduleFailed } from './schedule-errors.js';
import type { ScheduleReply, ScheduleRequest } from './schedule-message.js';

/** Room for new objects, three times what one collection goes through: the state of a run lives as long as the run, and with less room would be moved about. */
const YOUNG_GENERATION_MB = 192;
/** Of it, what one run may fill before the first collection, MiB. Left to itself V8 begins with one, and comes down to that again whenever there was little to do: the first plan after a quiet while would be collected in the midst, several times. */
const FIRST_ROOM_MB = 32;

/** What a thread keeps of CIBs, in characters of XML; in memory each takes about six bytes. The newest is kept however large it is. */
const KEPT_LENGTH = 16 * 1024 * 1024;

/** So many of them stay though their clusters are not planned for. */
const KEPT_UNUSED_LENGTH = 2 * 1024 * 1024;
/** What was not planned for in so long is unused, ms: to tell a CIB whole costs no more than planning for it. */
const UNUSED_AFTER_MS = 60_000;

export interface ThreadEvents {
  readonly reply: (reply: ScheduleReply) => void;
  readonly lost: (reason: string) => void;
}

/** One scheduling thread, seen from outside, with what it knows. */
export class SchedulingThread {
  private readonly worker: Worker;
  private readonly trees = new TreeSender(KEPT_LENGTH);
  private readonly forgetting: NodeJS.Timeout;

  /** @param warmUp whether it plans for nobody first, while there is nothing else to do */
  constructor(events: ThreadEvents, warmUp: boolean) {
    this.worker = startRoomily(threadEntry());
    this.worker.unref();
    this.worker.on('message', events.reply);
    this.worker.on('error', (error) => {
      events.lost(`a scheduling thread broke: ${error instanceof Error ? error.message : String(error)}`);
    });
    this.worker.on('exit', (code) => {
      events.lost(`a scheduling thread ended with code ${code}`);
    });
    if (warmUp) this.post({ kind: 'warm-up' });
    this.forgetting = setInterval(() => {
      const clusters = this.trees.forgetUnused(KEPT_UNUSED_LENGTH);
      if (clusters.length > 0) this.post({ kind: 'forget', clusters });
    }, UNUSED_AFTER_MS).unref();
  }

  /** Whether it knows the CIB of that cluster but for what has changed since. */
  knows(cluster: string): boolean {
    return this.trees.knows(cluster);
  }

  /** Tells the CIB of that cluster whole the next time. */
  forget(cluster: string): void {
    this.trees.forget(cluster);
  }

  /**
   * Has it plan. A tree of which much has to be told is told bit by bit.
   *
   * @throws {XmlError} for a CIB that has no XML form
   */
  async plan({ id, cluster, cib, now }: { id: number; cluster: string; cib: XmlElement; now: number }): Promise<void> {
    await inSlices(this.tell(cluster, cib));
    this.post({ kind: 'plan', id, cluster, now });
  }

  read({ id, stored }: { id: number; stored: Uint8Array }): Promise<void> {
    this.post({ kind: 'read', id, stored });
    return Promise.resolve();
  }

  async terminate(): Promise<void> {
    clearInterval(this.forgetting);
    await this.worker.terminate();
  }

  private *tell(cluster: string, cib: XmlElement): Generator<void, void, undefined> {
    for (const message of this.trees.messages(cluster, cib)) {
      this.post({ kind: 'tree', message });
      yield;
    }
  }

  private post(request: ScheduleRequest): void {
    this.worker.postMessage(request);
  }
}

/** The size at which a young generation begins is a flag of the process, which a thread reads as it begins. */
function startRoomily(entry: URL): Worker {
  setFlagsFromString(`--min-semi-space-size=${String(FIRST_ROOM_MB)}`);
  const worker = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
  const begun = (): void => {
    // As V8 has it by itself.
    setFlagsFromString('--min-semi-space-size=0');
  };
  worker.once('online', begun);
  worker.once('exit', begun);
  return worker;
}

/** The compiled entry, also when this file itself runs from its source (under the test runner): Node starts threads only from JavaScript. */
function threadEntry(): URL {
  const entry = new URL('./schedule-thread.js', import.meta.url.replace('/apps/worker/src/', '/apps/worker/dist/'));
  if (!existsSync(fileURLToPath(entry))) throw new ScheduleFailed(`${fileURLToPath(entry)} is missing: run \`npm run build\` first`);
  return entry;
}
