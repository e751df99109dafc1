import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CibRefused, parseXml, XmlError } from '@systole/cib';
import { UnknownNodeError } from '@systole/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Find, runCampaign } from './campaign.js';
import { countDrafts, draftOf } from './draft.js';
import { type FuzzInput, inputOf } from './input.js';
import { Judge, type Limits } from './judge.js';
import { bundleJudge } from './judge-bundle.js';
import { judge, type Verdict, verdictOf } from './law.js';
import { LIMITS } from './limits.js';
import { minimise } from './minimise.js';
import { plans } from './mutation.js';
import { findSamples, repositoryRoot, type Sample } from './samples.js';

const root = repositoryRoot(import.meta.url);
const own = findSamples([], root).list;
/** `npm run fuzz` tries as many others as one likes. */
const RUNS = 800;
const inputWith = (text: string): FuzzInput => ({ text, time: undefined, injections: {}, failures: [] });

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'fuzz-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

describe('any CIB', () => {
  it('ends in outputs or in a typed error, the same each time', { timeout: 1_800_000 }, async () => {
    const samples = findSamples([`${root}../shared/conformance`], root);
    console.info(`fuzz: mutants of ${samples.source}`);
    const program = new Judge(await bundleJudge(directory), LIMITS);
    // With CI=true the seed is fixed for the whole run, as it is for the other property tests.
    const seed = fc.readConfigureGlobal().seed ?? Date.now() % 2_147_483_647;
    const { tally, finds } = await runCampaign({ samples: samples.list, judge: program, runs: RUNS, seed });
    program.close();
    expect(finds.map(({ breach, seed: at, path }) => ({ breach, at, path }))).toEqual([]);
    expect(tally.runs).toBe(RUNS);
    // Otherwise the mutants would be so broken that nothing was tried.
    expect(tally.results).toBeGreaterThan(RUNS * 0.75);
  });
});

describe('a plan', () => {
  it('makes the same input each time, and none that is out of proportion', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const input = inputOf(own, plan);
        expect(inputOf(own, plan)).toEqual(input);
        if (plan.text.length > 0) return;
        expect(countDrafts(draftOf(parseXml(input.text, { maxDepth: 5000 })))).toBeLessThan(31_000);
      }),
      { numRuns: 200 },
    );
  });
});

const refusalAt = (path: string): CibRefused =>
  new CibRefused('too-large', 'x', [{ path, element: 'x', id: undefined, line: undefined, message: 'x' }]);

describe('the law', () => {
  const errors: readonly [string, unknown, string][] = [
    ['an error of ours with a place', new XmlError('bad-name', 'x', { line: 1 }), 'refused'],
    ['an error of ours without a place', new XmlError('bad-name', 'x'), 'no place'],
    ['a refusal of the whole document', refusalAt('/cib'), 'refused'],
    ['a refusal of an element without a line', refusalAt('/cib/configuration'), 'no place'],
    ['an unknown node', new UnknownNodeError('n'), 'refused'],
    ['an exception of the engine', new RangeError('Maximum call stack size exceeded'), 'exception'],
    ['what is no error at all', 'x', 'exception'],
  ];
  it.each(errors)('judges %s', (_, error, expected) => {
    const verdict = verdictOf(error);
    expect(verdict.kind === 'breach' ? verdict.breach.what : verdict.kind).toBe(expected);
  });

  it('takes outputs for a result, and says how a strict reader would have taken the document', () => {
    const text =
      '<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0"><configuration><crm_config/><nodes/><resources/><constraints/></configuration></cib>';
    expect(judge(inputWith(text))).toMatchObject({ kind: 'result', strict: 'accepted' });
    expect(judge(inputWith(text.replace('<nodes/>', '<nudes/>')))).toMatchObject({ kind: 'result', strict: 'CibRefused invalid' });
  });
});

describe('the judging process', () => {
  const limits: Limits = { cpuMs: () => 100, memoryMiB: 64, waitMs: ({ text }) => (text === 'hang' ? 1000 : 30_000) };
  const verdicts = { good: { kind: 'refused', error: 'x' } };
  /** A program that does what the text of the input says. */
  const program = `process.on('message', ({ text }) => {
    if (text === 'hang') for (;;);
    if (text === 'eat') for (const all = []; ; ) all.push(new Array(100000).fill({}));
    if (text === 'die') process.exit(3);
    process.send({ verdict: ${JSON.stringify(verdicts.good)}, cpuMs: text === 'slow' ? 101 : 1 });
  });`;
  const open = (): Judge => {
    const file = join(directory, 'obedient.mjs');
    writeFileSync(file, program);
    return new Judge(file, limits);
  };
  const what = (verdict: Verdict): string => (verdict.kind === 'breach' ? verdict.breach.what : verdict.kind);

  it('is ended when it hangs, eats or dies, and is there again for the next input', { timeout: 120_000 }, async () => {
    const obedient = open();
    const seen: string[] = [];
    for (const text of ['hang', 'go on', 'eat', 'go on', 'die', 'slow', 'go on']) {
      seen.push(what((await obedient.judge(inputWith(text))).verdict));
    }
    obedient.close();
    expect(seen).toEqual(['endless', 'refused', 'out of memory', 'refused', 'crash', 'too slow', 'refused']);
  });
});

describe('a campaign', () => {
  const document = parseXml('<cib><a id="1"/><b id="2"><c id="3"/></b></cib>');
  const tiny: readonly Sample[] = [{ name: 'tiny', document, time: undefined }];
  /** Breaks the law where the text holds a word. */
  const judgeOf = (words: readonly string[]) => ({
    judge: ({ text }: FuzzInput) => {
      const word = words.find((one) => text.includes(one));
      const verdict: Verdict =
        word === undefined
          ? { kind: 'refused', error: 'x' }
          : { kind: 'breach', breach: { what: 'exception', signature: word, detail: '' } };
      return Promise.resolve({ verdict, cpuMs: 1 });
    },
  });

  it('tells each kind of breach once, small, and goes on', async () => {
    const told: Find[] = [];
    const options = { samples: tiny, runs: 300, seed: 7, onFind: (find: Find) => told.push(find) };
    const { tally, finds } = await runCampaign({ ...options, judge: judgeOf(['INFINITY', '<c id="3"/>\n    <c']) });
    expect(finds).toEqual(told);
    expect(finds.map(({ breach }) => breach.signature).sort()).toEqual(['<c id="3"/>\n    <c', 'INFINITY']);
    expect(finds.every(({ plan }) => plan.mutations.length === 1)).toBe(true);
    expect(tally.runs).toBe(300);
  });

  it('repeats itself under the same seed', async () => {
    const run = async (seed: number): Promise<string> =>
      (await runCampaign({ samples: tiny, runs: 50, seed, judge: judgeOf(['INFINITY']) })).tally.digest();
    expect(await run(1)).toBe(await run(1));
  });

  it('leaves of a failing input what is needed to fail', async () => {
    const input = inputWith('<cib x="1"><a id="1"><b/></a><c keep="yes" more="no"><d/></c></cib>');
    const small = await minimise(input, ({ text }) => Promise.resolve(text.includes('keep')));
    expect(small.text).toBe('<cib>\n  <c keep="yes"/>\n</cib>\n');
  });
});
