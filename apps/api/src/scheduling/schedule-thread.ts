import { parentPort } from 'node:worker_threads';
import { CibRefused, readCib, XmlError } from '@systole/cib';
import { projectRun, run } from '@systole/scheduler';
import { renderDot } from '@systole/simulator';
import type { ScheduleReply, ScheduleRequest } from './schedule-message.js';

/** The entry of the scheduling thread (see schedule-preview.ts): one reply for each request, in order. */
parentPort?.on('message', (request: ScheduleRequest) => {
  parentPort?.postMessage(reply(request));
});

function reply({ id, cib, now, dot, scores }: ScheduleRequest): ScheduleReply {
  try {
    const found = run(readCib(cib), { now, scores });
    const schedule = projectRun(found, { now, scores });
    return { id, outcome: 'scheduled', computed: dot ? { schedule, dot: renderDot(found) } : { schedule } };
  } catch (error) {
    if (error instanceof XmlError) {
      const line = error.line === undefined ? {} : { line: error.line };
      return { id, outcome: 'refused', refusal: { message: error.message, ...line, problems: [] } };
    }
    if (error instanceof CibRefused) return { id, outcome: 'refused', refusal: { message: error.message, problems: error.problems } };
    return { id, outcome: 'broken', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
