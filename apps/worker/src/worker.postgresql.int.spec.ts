import { describeWorker } from './testing/worker-suite.js';

describeWorker('PostgreSQL', {});
