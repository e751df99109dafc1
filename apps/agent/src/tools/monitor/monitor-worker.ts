import { parentPort } from 'node:worker_threads';
import { performMonitor, type MonitorAnswer, type MonitorTask } from './tasks.js';

/** What the thread is asked, and what it says. */
export interface Asked {
  readonly id: number;
  readonly task: MonitorTask;
}

export type Said = { readonly id: number; readonly answer: MonitorAnswer } | { readonly id: number; readonly trouble: string };

parentPort?.on('message', ({ id, task }: Asked) => {
  parentPort?.postMessage(saidTo(id, task));
});

function saidTo(id: number, task: MonitorTask): Said {
  try {
    return { id, answer: performMonitor(task) };
  } catch (error) {
    return { id, trouble: error instanceof Error ? error.message : String(error) };
  }
}
