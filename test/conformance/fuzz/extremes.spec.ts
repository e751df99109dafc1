import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXTREMES } from './extremes.js';
import { Judge } from './judge.js';
import { bundleJudge } from './judge-bundle.js';
import { LIMITS } from './limits.js';

let directory: string;
let program: Judge;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'extremes-'));
  program = new Judge(await bundleJudge(directory), LIMITS);
});
afterAll(() => {
  program.close();
  rmSync(directory, { recursive: true });
});

describe('a cluster at the far end of what can be written down', () => {
  it.each(EXTREMES)('ends in outputs or in a typed error: $name', { timeout: 300_000 }, async ({ text }) => {
    const { verdict } = await program.judge({ text: text(), time: undefined, injections: {}, failures: [] });
    expect(verdict.kind === 'breach' ? verdict.breach : undefined).toBeUndefined();
  });

  it('has a name for each', () => {
    expect(new Set(EXTREMES.map(({ name }) => name)).size).toBe(EXTREMES.length);
  });
});
