import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError, unwrap } from '@systole/api-client';
import type { Redaction } from './redaction.js';
import type { StagedFiles } from './staged-files.js';

/** A file of a report. */
export interface TakenFile {
  /** Below the report's folder. */
  readonly path: string;
  /** What it is, for people. */
  readonly what: string;
  /** Which request it is the answer to: path and query; absent of what was made from other files. */
  readonly request?: string;
  /** When it was asked for, ISO 8601. */
  readonly takenAt: string;
  /** How long that took, ms. */
  readonly tookMs: number;
  /** How many items it has, of a list. */
  readonly items?: number;
  /** That there was more than was taken. */
  readonly isCut?: boolean;
}

/** What a report should have and has not. */
export interface MissingFile {
  readonly path: string;
  readonly what: string;
  /** HTTP status of the refusal; absent where there was no answer. */
  readonly status?: number;
  /** Type of the problem, as the API names it. */
  readonly type?: string;
  /** Why, in words. */
  readonly detail: string;
}

/** How the client answers. */
interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

type Ask<T> = () => Promise<Answer<T>>;

/** A page of a list. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

/** What is asked for of a list. */
export interface ListOf<T> {
  /** At most so many items. */
  readonly most: number;
  readonly read: (page: { readonly cursor?: string; readonly limit: number }) => Promise<Answer<Page<T>>>;
  /** Sees each, without its secrets, in the order of the file. */
  readonly each?: (item: T) => void;
}

/** Takes the files of a report, one after the other. What can't be had is noted, and the rest is taken all the same. */
export interface Collecting {
  /** A JSON document. @param refusal status of a refusal that is as good as an answer @returns it, without its secrets; undefined where it could not be had */
  document<T>(path: string, what: string, ask: Ask<T>, refusal?: number): Promise<T | undefined>;
  /** A text. @returns it, without its secrets */
  text(path: string, what: string, ask: Ask<string>): Promise<string | undefined>;
  /** A list that comes in pages, one JSON document a line. */
  list<T>(path: string, what: string, of: ListOf<T>): Promise<void>;
  /** What there is something to be taken of, each. @param found undefined where that could not be had @param example stands for all where nothing is asked for */
  those<T>(found: readonly T[] | undefined, example: T): readonly T[];
  /** What is made from what was taken, and holds no secrets therefore. */
  made(path: string, what: string, make: () => string): Promise<void>;
}

/** How often a server that wants to be asked less often is asked again, and how long it is waited for each time, s. */
const TRIES = 6;
const LONGEST_PAUSE_S = 15;
const PAGE = 1_000;

/** Takes them from the server. */
export class Collector implements Collecting {
  readonly files: TakenFile[] = [];
  readonly missing: MissingFile[] = [];

  /** @param interrupted ends it: what was asked for last is not noted as missing then, but thrown */
  constructor(
    private readonly staged: StagedFiles,
    private readonly redaction: Redaction,
    private readonly interrupted: AbortSignal,
    private readonly progress: (text: string | undefined) => void = () => undefined,
  ) {}

  async document<T>(path: string, what: string, ask: Ask<T>, refusal?: number): Promise<T | undefined> {
    return this.#take(path, what, async (asked) => {
      const answer = await asked(ask);
      const found = this.redaction.document(answer.response.status === refusal ? (answer.error as T) : unwrap(answer));
      await this.staged.write(path, [`${JSON.stringify(found, undefined, 2)}\n`]);
      return found;
    });
  }

  async text(path: string, what: string, ask: Ask<string>): Promise<string | undefined> {
    return this.#take(path, what, async (asked) => {
      const found = this.redaction.text(unwrap(await asked(ask)));
      await this.staged.write(path, [found]);
      return found;
    });
  }

  async list<T>(path: string, what: string, { most, read, each }: ListOf<T>): Promise<void> {
    const { redaction } = this;
    await this.#take(path, what, async (asked, note) => {
      let items = 0;
      const next = async (page: { readonly cursor?: string }): Promise<Page<T>> => {
        try {
          return unwrap(await asked(() => read({ ...page, limit: Math.min(PAGE, most - items) })));
        } catch (error) {
          if (items === 0 || this.interrupted.aborted) throw error;
          // What came before is worth having.
          this.#miss(path, `${what}: what follows item ${String(items)}`, error);
          note({ items, isCut: true });
          return { items: [] };
        }
      };
      async function* lines(): AsyncGenerator<string> {
        let page: { readonly cursor?: string } = {};
        for (;;) {
          const found = await next(page);
          for (const item of found.items) {
            const kept = redaction.document(item);
            each?.(kept);
            items += 1;
            yield `${JSON.stringify(kept)}\n`;
          }
          if (found.items.length > 0) note({ items, isCut: found.next !== undefined });
          if (found.next === undefined || items >= most) return;
          page = { cursor: found.next };
        }
      }
      await this.staged.write(path, lines());
    });
  }

  those<T>(found: readonly T[] | undefined): readonly T[] {
    return found ?? [];
  }

  async made(path: string, what: string, make: () => string): Promise<void> {
    await this.#take(path, what, async () => {
      await this.staged.write(path, [make()]);
    });
  }

  async #take<R>(
    path: string,
    what: string,
    take: (asked: <T>(ask: Ask<T>) => Promise<Answer<T>>, note: (noted: Pick<TakenFile, 'items' | 'isCut'>) => void) => Promise<R>,
  ): Promise<R | undefined> {
    this.progress(path);
    const begun = Date.now();
    let request: string | undefined;
    let noted: Pick<TakenFile, 'items' | 'isCut'> = {};
    const asked = async <T>(ask: Ask<T>): Promise<Answer<T>> => {
      const answer = await this.#patiently(ask);
      request ??= requestOf(answer.response);
      return answer;
    };
    try {
      const taken = await take(asked, (more) => {
        noted = more;
      });
      const of = request === undefined ? {} : { request };
      this.files.push({ path, what, ...of, takenAt: new Date(begun).toISOString(), tookMs: Date.now() - begun, ...noted });
      return taken;
    } catch (error) {
      if (this.interrupted.aborted) throw error;
      this.#miss(path, what, error);
      await this.staged.remove(path);
      return undefined;
    } finally {
      this.progress(undefined);
    }
  }

  #miss(path: string, what: string, error: unknown): void {
    this.missing.push({ path, what, ...this.redaction.document(reasonOf(error)) });
  }

  async #patiently<T>(ask: Ask<T>): Promise<Answer<T>> {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask();
      if (answer.response.status !== 429 || tries === TRIES) return answer;
      const seconds = Number(answer.response.headers.get('retry-after') ?? '');
      const waited = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_PAUSE_S) : 1;
      await pause(waited * 1_000, undefined, { signal: this.interrupted });
    }
  }
}

/** Names what would be taken, and asks for nothing. */
export class Listing implements Collecting {
  readonly files: Pick<TakenFile, 'path' | 'what'>[] = [];

  document(path: string, what: string): Promise<undefined> {
    return this.#list(path, what);
  }

  text(path: string, what: string): Promise<undefined> {
    return this.#list(path, what);
  }

  async list(path: string, what: string): Promise<void> {
    await this.#list(path, what);
  }

  those<T>(_: readonly T[] | undefined, example: T): readonly T[] {
    return [example];
  }

  async made(path: string, what: string): Promise<void> {
    await this.#list(path, what);
  }

  #list(path: string, what: string): Promise<undefined> {
    this.files.push({ path, what });
    return Promise.resolve(undefined);
  }
}

function requestOf({ url }: Response): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return `GET ${pathname}${search}`;
}

function reasonOf(error: unknown): Pick<MissingFile, 'status' | 'type' | 'detail'> {
  const detail = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ProblemError)) return { detail };
  const { status, problem } = error;
  return { status, ...(problem === undefined ? {} : { type: problem.type }), detail };
}
