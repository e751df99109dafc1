import type { OperationOutcome } from '../outcome/operation-outcome.js';

/** What became of one check: `broken` breaks the standard, `note` is advice, `skipped` could not be tried. */
export type CheckOutcome = 'kept' | 'broken' | 'note' | 'skipped';

/** One thing that a standard demands of an agent, and whether it does it. */
export interface Check {
  readonly name: string;
  readonly outcome: CheckOutcome;
  /** What was seen. */
  readonly seen: string;
  /** What the standard demands, and what a cluster makes of its being broken; only where it was not kept. */
  readonly why?: string;
  /** The end of what the agent printed, where it was not kept. */
  readonly output?: string;
  /** How long it took, ms; only of what ran. */
  readonly tookMs?: number;
}

/** What a trial came to. */
export interface TrialReport {
  /** `ocf:heartbeat:Dummy`. */
  readonly agent: string;
  /** Why the agent could not be tried at all, or not to the end; absent: it was. */
  readonly untried?: string;
  readonly checks: readonly Check[];
}

/** Told of each check as it is made. */
export type Progress = (check: Check) => void;

/** The agent can't be tried, or not any further: the rest would tell of that, and not of the agent. */
export class Untriable extends Error {
  override readonly name = 'Untriable';
}

/** Collects what is found, and asks whether to go on. */
export class Findings {
  private readonly found: Check[] = [];

  constructor(
    private readonly progress: Progress,
    private readonly stop: AbortSignal,
  ) {}

  get checks(): readonly Check[] {
    return this.found;
  }

  add(check: Check): void {
    this.found.push(check);
    this.progress(check);
  }

  kept(name: string, seen: string, tookMs?: number): void {
    this.add({ name, outcome: 'kept', seen, ...(tookMs === undefined ? {} : { tookMs }) });
  }

  broken(name: string, seen: string, why: string): void {
    this.add({ name, outcome: 'broken', seen, why });
  }

  note(name: string, seen: string, why: string): void {
    this.add({ name, outcome: 'note', seen, why });
  }

  skipped(name: string, seen: string): void {
    this.add({ name, outcome: 'skipped', seen });
  }

  /**
   * Judges the end of an action by its exit code.
   * @returns whether it is one of those that are right
   * @throws {Untriable} when nobody wants to know any more
   */
  judge(name: string, outcome: OperationOutcome, right: readonly number[], why: string): boolean {
    this.goOn();
    const seen = describeOutcome(outcome);
    if (outcome.status === 'done' && right.includes(outcome.rc)) {
      this.kept(name, seen, outcome.execMs);
      return true;
    }
    const output = outcome.output.trim().slice(-OUTPUT_CHARS);
    const wanted = `${right.map(String).join(' or ')} is right: ${why}`;
    this.add({ name, outcome: 'broken', seen, why: wanted, ...(output === '' ? {} : { output }), tookMs: outcome.execMs });
    return false;
  }

  private goOn(): void {
    if (this.stop.aborted) throw new Untriable('interrupted');
  }
}

const OUTPUT_CHARS = 1_000;

function describeOutcome({ status, rc, exitReason }: OperationOutcome): string {
  const end = status === 'done' ? `exit code ${String(rc)}` : status;
  return exitReason === undefined ? end : `${end} (${exitReason})`;
}
