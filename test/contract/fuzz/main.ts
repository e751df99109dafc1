/**
 * `npm run fuzz:api [-- --minutes N --seed S]`: sends requests made from the OpenAPI document to a server with a database of its own, and prints what must not be (see
 * campaign.ts). Exits with 1 when something was found.
 */
import { parseArgs } from 'node:util';
import { checkout } from '@systole/examples';
import setup from '../../servers/global-setup.js';
import { apiDocument } from '../api-document.js';
import { runCampaign } from './campaign.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: String(Date.now() % 1_000_000_000) } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes takes a number above 0, --seed a whole number');
console.log(`fuzz:api: ${minutes} minutes, seed ${seed}`);
const stop = await setup();
try {
  const { requests, statuses, succeeded, finds } = await runCampaign({
    document: apiDocument(checkout),
    seed,
    forMs: minutes * 60_000,
    onFind: ({ signature, request, answer }) => {
      console.log(`\nfound: ${signature}\n  ${JSON.stringify(request).slice(0, 1_500)}\n  ${answer}`);
    },
  });
  console.log(`\n${requests} requests, ${JSON.stringify(statuses)}, ${succeeded.size} operations succeeded, ${finds.length} found`);
  process.exitCode = finds.length === 0 ? 0 : 1;
} finally {
  await stop();
}
