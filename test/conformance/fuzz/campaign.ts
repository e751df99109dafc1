import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type FuzzInput, inputOf } from './input.js';
import type { Judge } from './judge.js';
import type { Judged } from './judge-process.js';
import type { Breach } from './law.js';
import { type Plan, plans } from './mutation.js';
import type { Sample } from './samples.js';

/** A breach of the law with the smallest plan that fast-check found for it. */
export interface Find {
  readonly breach: Breach;
  readonly plan: Plan;
  readonly input: FuzzInput;
  /** The seed and the path repeat it. */
  readonly seed: number;
  readonly path: string;
}

/** What a campaign has seen so far; runs that only made a failure smaller do not count. */
export interface Tally {
  runs: number;
  results: number;
  /** Results that a strict reader would have refused. */
  lenient: number;
  /** Refusals by type. */
  readonly refused: Map<string, number>;
  /** Breaches by signature, each counted every time. */
  readonly breaches: Map<string, number>;
  cpuMs: number;
  slowest: { readonly cpuMs: number; readonly kilobytes: number } | undefined;
  /** Over the verdicts of all runs in their order: two campaigns with one seed must agree. */
  readonly digest: () => string;
}

export interface CampaignOptions {
  readonly samples: readonly Sample[];
  readonly judge: Pick<Judge, 'judge'>;
  readonly runs: number;
  readonly seed: number;
  /** Called after each run. */
  readonly onRun?: (tally: Tally) => void;
  /** Called for each new kind of breach at once, with the input that first showed it. */
  readonly onBreach?: (breach: Breach, input: FuzzInput) => void;
  /** Called when it has been made smaller. */
  readonly onFind?: (find: Find) => void;
}

/** How long a breach is made smaller, in ms: one that takes a minute to show would otherwise hold up the campaign for hours. */
const SHRINKING_MS = 180_000;

/**
 * Judges that many inputs. A breach is made smaller and told, and the campaign goes on with the next seed, so that one defect does not hide the
 * others; a breach that was told already is only counted.
 */
export async function runCampaign({
  samples,
  judge,
  runs,
  seed,
  onRun,
  onBreach,
  onFind,
}: CampaignOptions): Promise<{ tally: Tally; finds: Find[] }> {
  const hash = createHash('sha256');
  const finds: Find[] = [];
  const tally: Tally = {
    runs: 0,
    results: 0,
    lenient: 0,
    refused: new Map(),
    breaches: new Map(),
    cpuMs: 0,
    slowest: undefined,
    digest: () => hash.copy().digest('hex'),
  };
  for (let turn = 0; tally.runs < runs; turn++) {
    const known = new Set(finds.map(({ breach }) => breach.signature));
    let failed: string | undefined;
    let failedAt = 0;
    const details = await fc.check(
      fc.asyncProperty(plans, async (plan) => {
        if (failed !== undefined && Date.now() - failedAt > SHRINKING_MS) return true;
        const input = inputOf(samples, plan);
        const judged = await judge.judge(input);
        const breach = judged.verdict.kind === 'breach' ? judged.verdict.breach : undefined;
        if (failed === undefined) {
          count(tally, judged, input);
          hash.update(JSON.stringify(judged.verdict));
          onRun?.(tally);
        }
        if (breach === undefined || known.has(breach.signature)) return true;
        if (failed === undefined) {
          failed = breach.signature;
          failedAt = Date.now();
          onBreach?.(breach, input);
        }
        return breach.signature !== failed;
      }),
      { numRuns: runs - tally.runs, seed: seed + turn },
    );
    const [plan] = details.counterexample ?? [];
    if (plan === undefined) break;
    const input = inputOf(samples, plan);
    const { verdict } = await judge.judge(input);
    // A slow run may be faster the next time; what was seen is told all the same.
    const breach: Breach =
      verdict.kind === 'breach' ? verdict.breach : { what: 'too slow', signature: failed ?? '', detail: 'not seen again' };
    const find: Find = {
      breach: { ...breach, signature: failed ?? breach.signature },
      plan,
      input,
      seed: details.seed,
      path: details.counterexamplePath ?? '',
    };
    finds.push(find);
    onFind?.(find);
  }
  return { tally, finds };
}

function count(tally: Tally, { verdict, cpuMs }: Judged, { text }: FuzzInput): void {
  tally.runs++;
  tally.cpuMs += cpuMs;
  if (cpuMs > (tally.slowest?.cpuMs ?? 0)) tally.slowest = { cpuMs, kilobytes: Math.round(text.length / 1000) };
  if (verdict.kind === 'result') {
    tally.results++;
    if (verdict.strict !== 'accepted') tally.lenient++;
  } else if (verdict.kind === 'refused') increment(tally.refused, verdict.error);
  else increment(tally.breaches, verdict.breach.signature);
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
