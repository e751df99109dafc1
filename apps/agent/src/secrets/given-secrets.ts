import { readFile } from 'node:fs/promises';
import type { Answer } from '@systole/node-session';
import type { AgentAction } from '@systole/protocol';
import { heldIdIn } from '@systole/cib';
import { writeWhole } from '../node/whole-file.js';
import type { SecretValue } from './secret-value.js';

/** What nothing here has used, or would need to stop what runs, is forgotten after so long, ms. */
const KEPT_UNUSED_MS = 24 * 3_600_000;

interface Kept {
  readonly given: SecretValue;
  usedAt: number;
}

/**
 * The secrets that the server has given with its actions, apart from everything else: in memory, and in a file of the run directory that its owner alone reads, so that an agent process that follows this one can look after what
 * runs. A reboot empties that directory, and ends what needed them. They are in no journal.
 */
export class GivenSecrets {
  private readonly kept = new Map<string, Kept>();
  private written = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly inUse: () => Iterable<string>,
  ) {}

  /**
   * @param inUse the values of the parameters of what may be running here
   */
  static async open(path: string, inUse: () => Iterable<string>): Promise<GivenSecrets> {
    const secrets = new GivenSecrets(path, inUse);
    const now = Date.now();
    for (const [reference, given] of await readKept(path)) secrets.kept.set(reference, { given, usedAt: now });
    return secrets;
  }

  /** What was given for a reference; undefined: nothing. */
  find(reference: string): SecretValue | undefined {
    const found = this.kept.get(reference);
    if (found !== undefined) found.usedAt = Date.now();
    return found?.given;
  }

  /** The answer without the secrets in it, which are kept before anything else is done with it. */
  async keptApart(answer: Answer): Promise<Answer> {
    if (answer.kind !== 'poll' || answer.poll.actions.every(({ secrets, withheld }) => secrets === undefined && withheld === undefined))
      return answer;
    const now = Date.now();
    const actions = answer.poll.actions.map((action) => this.taken(action, now));
    this.forgetUnused(now);
    await this.write();
    return { ...answer, poll: { ...answer.poll, actions } };
  }

  private taken({ secrets = {}, withheld = {}, ...action }: AgentAction, now: number): AgentAction {
    const keep = (reference: string, given: SecretValue): void => {
      if (heldIdIn(reference) !== undefined) this.kept.set(reference, { given, usedAt: now });
    };
    for (const [reference, problem] of Object.entries(withheld)) keep(reference, { ok: false, problem });
    for (const [reference, value] of Object.entries(secrets)) keep(reference, { ok: true, value });
    return action;
  }

  private forgetUnused(now: number): void {
    const needed = new Set(this.inUse());
    for (const [reference, { usedAt }] of this.kept) {
      if (now - usedAt > KEPT_UNUSED_MS && !needed.has(reference)) this.kept.delete(reference);
    }
  }

  /** One after the other. Where it can't be written, this process knows them all the same. */
  private write(): Promise<void> {
    const content = JSON.stringify([...this.kept].map(([reference, { given }]) => [reference, given]));
    this.written = this.written.then(() => writeWhole(this.path, content, 0o600).catch(() => undefined));
    return this.written;
  }
}

/** What is not what an agent writes there is passed over: the next actions bring their secrets. */
async function readKept(path: string): Promise<readonly (readonly [string, SecretValue])[]> {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(read) ? read.flatMap(entryIn) : [];
  } catch {
    return [];
  }
}

function entryIn(entry: unknown): readonly (readonly [string, SecretValue])[] {
  const [reference, given] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
  if (typeof reference !== 'string' || typeof given !== 'object' || given === null) return [];
  if ('value' in given && typeof given.value === 'string') return [[reference, { ok: true, value: given.value }]];
  if ('problem' in given && typeof given.problem === 'string') return [[reference, { ok: false, problem: given.problem }]];
  return [];
}
