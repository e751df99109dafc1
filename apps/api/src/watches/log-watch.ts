import type { ApiBeats, Heartbeats } from '@systole/control-plane';

/** What a process said with a beat counts as long as it beats, ms; each beats twice a second. */
const BELIEVED_MS = 3_000;

/** That events, or what is stored with them, can't be stored, by what this process or another one met. */
export interface Unwritable {
  /** In words, for people. */
  readonly reason: string;
  /** Since it was met first, ms. */
  readonly forMs: number;
}

interface Heard {
  readonly beats: number;
  /** When the beats were seen to move; undefined before. */
  readonly movedAt: number | undefined;
  readonly reason: string | undefined;
  /** When the process began to say so. */
  readonly since: number;
}

/** Whether events can be stored: by what this process meets, and what apis and workers say with their heartbeats. */
export class LogWatch {
  #heard: ReadonlyMap<string, Heard> = new Map();
  #front: Unwritable | undefined;

  constructor(
    private readonly own: { readonly trouble: Unwritable | undefined },
    private readonly sources: readonly Pick<Heartbeats, 'all'>[],
    private readonly monotonic: () => number,
  ) {}

  /** One look at what the others say. @throws when the database is away */
  async look(): Promise<void> {
    const rows = (await Promise.all(this.sources.map((source) => source.all()))).flat();
    const now = this.monotonic();
    this.#heard = new Map(rows.map((row) => [row.apiId, heardOf(row, this.#heard.get(row.apiId), now)]));
  }

  /** Behind a front: what that has said last. It serves agents and beats, where this process may have nothing to store. */
  hearFront(unwritable: Unwritable | undefined): void {
    this.#front = unwritable;
  }

  /** What keeps events from being stored, here or elsewhere; undefined when nothing is known to. */
  get trouble(): Unwritable | undefined {
    const now = this.monotonic();
    const others = [...this.#heard.values()].flatMap(({ reason, movedAt, since }): readonly Unwritable[] =>
      reason === undefined || movedAt === undefined || now - movedAt > BELIEVED_MS ? [] : [{ reason, forMs: now - since }],
    );
    const known = [this.own.trouble, this.#front].filter((trouble) => trouble !== undefined);
    return [...known, ...others].sort((one, other) => other.forMs - one.forMs)[0];
  }
}

function heardOf({ beats, trouble }: ApiBeats, before: Heard | undefined, now: number): Heard {
  const moved = before !== undefined && before.beats !== beats;
  const same = before !== undefined && before.reason !== undefined && trouble !== undefined;
  return { beats, movedAt: moved ? now : before?.movedAt, reason: trouble, since: same ? before.since : now };
}

/** For people. */
export function unwritableText({ reason, forMs }: Unwritable): string {
  return `events can not be stored for ${String(Math.floor(forMs / 1_000))} s, so nothing is planned, fenced or recovered: ${reason}`;
}
