import { parentPort } from 'node:worker_threads';
import { documentCalls, type ToThread } from './document-calls.js';

const take = documentCalls((message) => parentPort?.postMessage(message));

parentPort?.on('message', (told: ToThread) => {
  take(told);
});
