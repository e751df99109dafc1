import { setPriority } from 'node:os';
import { CibJsonError, CibRefused, RepeatedKey, XmlError } from '@systole/cib';
import { logFormatIn, OutsideLog } from '@systole/program-log';
import { giveBackIdleMemory } from '@systole/read-models/idle-memory';
import { serveThread, type Performed } from '@systole/threads/inside';
import { decideTask } from './decide-task.js';
import {
  answerOf,
  digestOf,
  dotOf,
  explanationOf,
  lossOf,
  monitorOf,
  pictureOf,
  resultsOf,
  scheduleOf,
  whatIfOf,
} from './schedule-task.js';
import type { CibRefusal, Task, TaskOutcome, TaskResults } from './task.js';
import { MalformedJson, xmlOfJson } from './xml-of-json.js';

/** How far behind the thread that answers requests this one stands when there are too few processors for both. */
const NICENESS = 10;

new OutsideLog('systole-api', logFormatIn(process.env['LOG_FORMAT']) ?? 'text').takeOverWarnings();
// Only there does a priority belong to a thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(NICENESS);
giveBackIdleMemory();

/** The entry of a computing thread (see computing-lane.ts). */
serveThread({ perform });

function perform(task: Task): Performed<TaskOutcome, never> {
  try {
    const result = resultOf(task);
    return { result: { outcome: 'done', result }, moved: textsIn(result) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return { result: { outcome: 'refused', refusal } };
  }
}

/** The text of an answer changes hands; it is not copied. */
function textsIn(result: TaskResults[keyof TaskResults]): readonly ArrayBuffer[] {
  if (typeof result !== 'object' || !('text' in result)) return [];
  const graph = 'graph' in result ? result.graph : undefined;
  return [result.text.buffer, ...(graph === undefined ? [] : [graph.buffer])];
}

function resultOf(task: Task): TaskResults[keyof TaskResults] {
  switch (task.kind) {
    case 'picture':
      return pictureOf(task);
    case 'monitor':
      return monitorOf(task);
    case 'answer':
      return answerOf(task);
    case 'schedule':
      return scheduleOf(task);
    case 'explain':
      return explanationOf(task);
    case 'digest':
      return digestOf(task);
    case 'dot':
      return dotOf(task);
    case 'results':
      return resultsOf(task);
    case 'decide':
      return decideTask(task);
    case 'loss':
      return lossOf(task);
    case 'what-if':
      return whatIfOf(task);
    case 'xml':
      return xmlOfJson(task.json);
  }
}

function refusalOf(error: unknown): CibRefusal | undefined {
  if (error instanceof MalformedJson) return { wrong: 'json', message: error.message };
  if (error instanceof RepeatedKey) return { wrong: 'json', message: error.message, pointer: error.pointer };
  if (error instanceof CibJsonError) return { wrong: 'json-tree', message: error.message, pointer: error.pointer };
  if (error instanceof XmlError) {
    return { wrong: 'cib', message: error.message, ...(error.line === undefined ? {} : { line: error.line }), problems: [] };
  }
  if (error instanceof CibRefused) return { wrong: 'cib', message: error.message, problems: error.problems };
  return undefined;
}
