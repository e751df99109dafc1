import { followEvents, ProblemError, unwrap, unwrapJson, type components } from '@systole/api-client';
import type { Session } from '../session.js';

type Status = components['schemas']['StatusDto'];
type Transition = components['schemas']['TransitionDto'];
type Event = components['schemas']['EventDto'];

/** Who is told what of a cluster. */
export interface ClusterListener {
  readonly onPicture: (status: Status, transitions: readonly Transition[]) => void;
  /** The newest events that there are: the first time, and when what was told before may not be in the log any more. */
  readonly onNewest: (events: readonly Event[]) => void;
  /** Events that were not told before. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** What keeps the page from being up to date; undefined when it is again. */
  readonly onTrouble: (trouble: ProblemError | Error | undefined) => void;
}

/** What asking again will not change: the token is not valid, may not, or the cluster is gone. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404]);
const FIRST_EVENTS = 100;
const TRANSITIONS = 20;
/** Leases and time-outs change the picture without an event, ms. */
const REFRESH_MS = 5_000;
/** Events that come together cause one refresh, ms. */
const GATHER_MS = 150;

/** Tells how a cluster is and what happens to it, until the signal aborts. */
export function watchCluster(session: Session, cluster: string, listener: ClusterListener, signal: AbortSignal): void {
  const refresh = coalesced(async () => {
    try {
      const [status, transitions] = await Promise.all([readStatus(session, cluster, signal), readTransitions(session, cluster, signal)]);
      if (signal.aborted) return;
      listener.onTrouble(undefined);
      listener.onPicture(status, transitions);
    } catch (error) {
      if (!signal.aborted) listener.onTrouble(errorOf(error));
    }
  });
  const timer = setInterval(refresh, REFRESH_MS);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
  });
  refresh();
  void tellEvents(session, cluster, listener, refresh, signal);
}

async function tellEvents(
  session: Session,
  cluster: string,
  listener: ClusterListener,
  refresh: () => void,
  signal: AbortSignal,
): Promise<void> {
  const isLeft = (): boolean => signal.aborted;
  while (!isLeft()) {
    try {
      await tellEventsOnce(session, cluster, listener, refresh, signal);
      return;
    } catch (error) {
      if (isLeft()) return;
      listener.onTrouble(errorOf(error));
      if (error instanceof ProblemError && FINAL.has(error.status)) return;
      await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
    }
  }
}

/** Begins with the newest events: those that were told before may be of a log that was restored since. */
async function tellEventsOnce(
  { client, baseUrl, token }: Session,
  cluster: string,
  listener: ClusterListener,
  refresh: () => void,
  signal: AbortSignal,
): Promise<void> {
  const query = { order: 'desc' as const, limit: FIRST_EVENTS };
  const answer = await client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster }, query }, signal });
  const { items } = unwrap(answer);
  listener.onNewest(items);
  for await (const event of followEvents({ baseUrl, token, cluster, after: items[0]?.version ?? 0, signal })) {
    listener.onEvents([event]);
    refresh();
  }
}

async function readStatus({ client }: Session, cluster: string, signal: AbortSignal): Promise<Status> {
  return unwrapJson(await client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster } }, signal }));
}

async function readTransitions({ client }: Session, cluster: string, signal: AbortSignal): Promise<readonly Transition[]> {
  const params = { path: { cluster }, query: { limit: TRANSITIONS } };
  return unwrap(await client.GET('/v1/clusters/{cluster}/transitions', { params, signal })).items;
}

/** Runs the work a little later, never twice at a time; calls meanwhile cause one more run. */
function coalesced(work: () => Promise<void>): () => void {
  let state: 'idle' | 'due' | 'running' | 'running, due again' = 'idle';
  const begin = (): void => {
    state = 'running';
    void work().then(() => {
      const again = state === 'running, due again';
      state = 'idle';
      if (again) schedule();
    });
  };
  const schedule = (): void => {
    if (state === 'running') state = 'running, due again';
    if (state !== 'idle') return;
    state = 'due';
    setTimeout(begin, GATHER_MS);
  };
  return schedule;
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
