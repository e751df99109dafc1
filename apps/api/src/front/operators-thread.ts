import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { NodeReportBudgets } from '../access/node-report-budgets.js';
import { LogWrites } from '@systole/control-plane-postgres';
import { logFormatIn, OutsideLog } from '@systole/program-log';
import { giveBackIdleMemory, ofThisThread } from '@systole/read-models/idle-memory';
import type { ApiConfig } from '../api-config.js';
import { createApi } from '../create-api.js';
import { HttpMetrics } from '../metrics/http-metrics.js';
import { LogWatch } from '../watches/log-watch.js';
import type { FromOperators, ToOperators } from './operators-message.js';

/** How far behind the front this thread stands when there are too few processors for both; computing threads stand further behind. */
const NICENESS = 5;

/** The share of the time that it takes to say that it is there, and to hear of events. */
const IDLE_BELOW = 0.02;

new OutsideLog('systole-api', logFormatIn(process.env['LOG_FORMAT']) ?? 'text').takeOverWarnings();
// Only there does a priority belong to a thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(NICENESS);
giveBackIdleMemory(ofThisThread(), IDLE_BELOW);

/** How often the front hears from this thread, ms. */
const ALIVE_EVERY_MS = 500;

const tell = (message: FromOperators): void => {
  parentPort?.postMessage(message);
};

/** The entry of the operators' thread (see operators-api.ts): a whole api, behind the front. */
const api = await createApi(workerData as ApiConfig);
const metrics = api.app.get(HttpMetrics);
const writes = api.app.get(LogWrites);
const logWatch = api.app.get(LogWatch);
parentPort?.on('message', (message: ToOperators) => {
  switch (message.kind) {
    case 'close':
      void api.close().finally(() => parentPort?.close());
      return;
    case 'report-refused':
      api.app.get(NodeReportBudgets).note(message.refused);
      return;
    case 'front':
      logWatch.hearFront(message.unwritable);
      return;
    case 'metrics':
      void metrics.values().then((values) => {
        tell({ kind: 'metrics', id: message.id, metrics: values });
      });
  }
});
tell({ kind: 'ready' });
setInterval(() => {
  const { trouble } = writes;
  tell({ kind: 'alive', ...(trouble === undefined ? {} : { unwritable: trouble }) });
}, ALIVE_EVERY_MS).unref();
