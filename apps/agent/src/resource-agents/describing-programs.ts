import { operationDigests } from '@systole/cib';
import type { Digests, Job, OperationJob, Outcome } from '@systole/node-session';
import { meansActive } from '@systole/ocf';
import { isCarriable } from '@systole/protocol';
import type { Programs } from '../programs/programs.js';
import { within } from '../within.js';
import type { OwnTraits, ToldTraits } from './own-traits.js';

/** How long the outcome of an operation waits for the meta-data of its agent, ms; never longer than the operation itself might have taken. */
const PATIENCE_MS = 5_000;

/**
 * Programs that are asked what they take while they are run, where nobody knows that yet: so it is recorded with what was started which of its parameters it can take up while it runs. That the answer is late, wrong or missing changes
 * nothing about the operation.
 */
export class DescribingPrograms {
  private readonly waiting = new Map<number, AbortController>();

  constructor(
    private readonly programs: Pick<Programs, 'run' | 'kill'>,
    private readonly traits: Pick<OwnTraits, 'of' | 'isStill'>,
  ) {}

  /** As {@link Programs.run}. */
  async run(...call: Parameters<Programs['run']>): Promise<Outcome> {
    const [run, job] = call;
    const wanted = wantedOf(job);
    if (wanted === undefined) return this.programs.run(...call);
    const killed = new AbortController();
    this.waiting.set(run, killed);
    const lastAt = performance.now() + wanted.operation.timeoutMs;
    try {
      // Of what is probed mostly nothing is there: it is asked when something was found.
      const early = wanted.operation.operation === 'monitor' ? undefined : this.traits.of(wanted.operation.resource);
      const outcome = await this.programs.run(...call);
      if (outcome.status !== 'done' || !meansActive(outcome.rc)) return outcome;
      const patienceMs = Math.min(PATIENCE_MS, lastAt - performance.now());
      const told = this.digests(wanted, early ?? this.traits.of(wanted.operation.resource));
      const digests = await within(patienceMs, Promise.race([told, whenAborted(killed.signal)]));
      return digests?.value === undefined ? outcome : { ...outcome, digests: digests.value };
    } finally {
      this.waiting.delete(run);
    }
  }

  /** As {@link Programs.kill}: whoever has it ended waits for nothing else. */
  kill(run: number): void {
    this.programs.kill(run);
    this.waiting.get(run)?.abort();
  }

  private async digests({ operation, bare }: Wanted, telling: Promise<ToldTraits | undefined>): Promise<Digests | undefined> {
    const told = await telling;
    // What was run may have been another version than what was asked.
    if (told === undefined || !(await this.traits.isStill(told))) return undefined;
    const { parameters, meta, intervalMs } = operation;
    const digests = operationDigests(attributesOf(parameters, meta), intervalMs, told.traits);
    const { opForceRestart = '', opSecureParams = '' } = digests;
    // Only of what the server made its own of, in the way in which it does.
    const fits = digests.opDigest === bare.opDigest && isCarriable(opForceRestart) && isCarriable(opSecureParams);
    return fits ? digests : undefined;
  }
}

/** An operation, and the digests to be completed. */
interface Wanted {
  readonly operation: OperationJob;
  readonly bare: Digests;
}

function wantedOf(job: Job): Wanted | undefined {
  if (job.kind !== 'operation' || job.operation.bareDigests === undefined) return undefined;
  return { operation: job.operation, bare: job.operation.bareDigests };
}

/** The attributes of the graph's action, as digests are made of: none has a name that begins with a digit, which no attribute's can. */
function attributesOf(parameters: OperationJob['parameters'], meta: OperationJob['meta']): Readonly<Record<string, string>> {
  const named = Object.entries(parameters).filter(([name]) => !/^[0-9]/.test(name));
  return { ...Object.fromEntries(named), ...meta };
}

async function whenAborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return undefined;
  await new Promise<void>((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
  });
  return undefined;
}
