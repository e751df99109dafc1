import { createSystoleClient, unwrap, type SystoleClient } from '@systole/api-client';
import { UsageError } from './exit-code.js';
import { bounded, MOST_BYTES } from './bounded-answer.js';
import { WriteInterrupted } from './interruption.js';
import { AnswerLost, PATIENCE, sendingOnce, type Patience, type Send } from './lost-answers.js';
import { watching } from './waiting-progress.js';
import { fetchVerifiedBy } from './verified-fetch.js';
import type { Settings } from './settings/settings.js';

/** Nothing answers at the server's address. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

/** How requests are sent. */
interface Sending {
  /** Ends them. */
  readonly interrupted: AbortSignal;
  /** Hears, for people, what is waited for. */
  readonly complain: (line: string) => void;
  readonly patience?: Patience;
  /** Of an answer that is no stream. */
  readonly mostBytes?: number;
  /** See {@link Terminal.linger}. */
  readonly linger?: (work: Promise<unknown>) => void;
  /** See {@link Terminal.progress}. */
  readonly progress?: (text: string | undefined) => void;
}

/** A client whose refused connections are {@link ServerUnreachable}. What changes something takes place once, though its answer may be lost ({@link sendingOnce}). */
export function connect(
  { server, token, ca }: Pick<Settings, 'server' | 'token' | 'ca'>,
  { interrupted: signal, complain, patience = PATIENCE, mostBytes = MOST_BYTES, linger, progress }: Sending,
): SystoleClient {
  const tell = (text: string): void => {
    complain(`systole: ${server}: ${text}`);
  };
  const plain: Send = ca === undefined ? fetch : fetchVerifiedBy(server, ca);
  const once = sendingOnce(plain, tell, patience);
  const send = progress === undefined ? once : watching(once, { read: plain, progress });
  return createSystoleClient({
    baseUrl: server,
    token,
    fetch: async (request) => {
      try {
        const answer = send(request, { signal });
        linger?.(answer);
        return bounded(await answer, mostBytes);
      } catch (error) {
        if (signal.aborted || error instanceof UsageError || error instanceof AnswerLost || error instanceof WriteInterrupted) throw error;
        throw new ServerUnreachable(`${server} cannot be reached: ${reason(error)}`, { cause: error });
      }
    },
  });
}

/** `fetch` says only that it failed; its causes know why. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof AggregateError) return reason(error.cause.errors[0]);
  if (error.cause instanceof Error) return reason(error.cause);
  return error.message;
}

/** The cluster that a command is for: the one that is set, else the only one there is. @throws {UsageError} */
export async function clusterOf(client: SystoleClient, settings: Settings): Promise<string> {
  if (settings.cluster !== undefined) return settings.cluster;
  const { items, next } = unwrap(await client.GET('/v1/clusters', { params: { query: { limit: 10 } } }));
  const [only, another] = items;
  if (only === undefined) throw new UsageError('the server has no cluster yet: "systole cluster create <name>"');
  if (another === undefined) return only.name;
  const names = `${items.map(({ name }) => name).join(', ')}${next === undefined ? '' : ', …'}`;
  throw new UsageError(`there are several clusters (${names}): give --cluster or SYSTOLE_CLUSTER`);
}

/** Every page of a list. @param read gets the cursor of the page; none for the first */
export async function allPages<T>(
  read: (page: { readonly cursor?: string }) => Promise<{ readonly items: readonly T[]; readonly next?: string }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let page: { readonly cursor?: string } = {};
  for (;;) {
    const { items, next } = await read(page);
    found.push(...items);
    if (next === undefined) return found;
    page = { cursor: next };
  }
}
