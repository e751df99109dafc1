import { parentPort } from 'node:worker_threads';
import { CibRefused, readCib, XmlError } from '@systole/cib';
import { projectRun, run, type Schedule } from '@systole/scheduler';
import { MOST_SCORE_LINES, renderDot } from '@systole/simulator';
import { explanationView } from '../explanation/explanation-view.js';
import type { BareSchedule, Computed, ScheduleReply, ScheduleRequest } from './schedule-message.js';

/** The entry of the scheduling thread (see schedule-preview.ts): one reply for each request, in order. */
parentPort?.on('message', (request: ScheduleRequest) => {
  parentPort?.postMessage(reply(request));
});

function reply(request: ScheduleRequest): ScheduleReply {
  const { id } = request;
  try {
    return { id, outcome: 'scheduled', computed: compute(request) };
  } catch (error) {
    if (error instanceof XmlError) {
      const line = error.line === undefined ? {} : { line: error.line };
      return { id, outcome: 'refused', refusal: { message: error.message, ...line, problems: [] } };
    }
    if (error instanceof CibRefused) return { id, outcome: 'refused', refusal: { message: error.message, problems: error.problems } };
    return { id, outcome: 'broken', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Only what is asked for leaves the thread: a whole explanation is many times the schedule. */
function compute({ cib, now, dot, scores, explain }: ScheduleRequest): Computed {
  const options = { now, scores, mostScores: MOST_SCORE_LINES, explain: explain !== undefined };
  const found = run(readCib(cib), options);
  const schedule = projectRun(found, options);
  return {
    schedule: unexplained(schedule),
    ...(dot ? { dot: renderDot(found) } : {}),
    ...(explain === undefined ? {} : { explanation: explanationView(schedule, explain) }),
  };
}

function unexplained({ explanation: _, ...schedule }: Schedule): BareSchedule {
  return { ...schedule, scores: schedule.scores.map(({ parts: _, ...entry }) => entry) };
}
