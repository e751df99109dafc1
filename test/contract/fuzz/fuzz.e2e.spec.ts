import { checkout } from '@systole/examples';
import { describe, expect, it } from 'vitest';
import { apiDocument, routesOf } from '../api-document.js';
import { runCampaign } from './campaign.js';

/** With CI=true the same requests each time; elsewhere each run draws new ones. */
const SEED = process.env['CI'] === 'true' ? 20_261_124 : Date.now() % 1_000_000_000;
const FOR_MS = 60_000;

describe('requests made from the OpenAPI document', () => {
  it(`are all answered as it says, and change nothing unsaid (seed ${SEED})`, { timeout: FOR_MS + 120_000 }, async () => {
    const document = apiDocument(checkout);
    const { requests, succeeded, finds } = await runCampaign({ document, seed: SEED, forMs: FOR_MS });
    expect(finds).toEqual([]);
    expect(requests).toBeGreaterThan(100);
    expect(succeeded.size).toBeGreaterThan(Math.min(20, routesOf(document).length));
  });
});
