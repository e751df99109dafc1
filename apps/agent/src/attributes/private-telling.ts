import type { Logger } from 'pino';
import { ServerUnavailable, type ServerConnection } from '../server/server-connection.js';
import { within } from '../within.js';
import type { PrivateAttributes } from './private-attributes.js';

/** How often it is looked whether the node has joined, or joined anew, ms. */
const JOINED_EVERY_MS = 500;
/** After what could not be told, ms. */
const RETRY_MS = 1_000;
/** How long whoever sets one waits until other nodes can read it, ms. On its own node it counts at once, whatever becomes of the servers. */
const TOLD_WITHIN_MS = 1_000;

export interface TellingParts {
  readonly own: Pick<PrivateAttributes, 'get' | 'names' | 'set'>;
  readonly server: Pick<ServerConnection, 'privateAttributes'>;
  /** The session, and the server that answered last; undefined while the node is not joined. */
  readonly session: () => { readonly url: string; readonly incarnation: number } | undefined;
  readonly logger: Pick<Logger, 'info'>;
}

/**
 * Tells the servers what is private on this node, for the agents of other nodes, in each life of the node anew: all of it, one telling at a time, which takes along what was set while the one
 * before it was under way.
 */
export class PrivateTelling {
  /** Counts changes up. It begins anew with each process, as that joins anew: a number says something within one incarnation only, so there is nothing to keep, and nothing that could be restored. */
  private revision = 0;
  /** The incarnation in which anything was sent, answered or not. */
  private sentIn: number | undefined;
  private told: { readonly revision: number; readonly incarnation: number } | undefined;
  private waiting: { readonly revision: number; readonly done: () => void }[] = [];
  /** Something was set that no telling has looked at yet. */
  private isNews = false;
  private wake = (): void => undefined;
  private isFailing = false;

  constructor(private readonly parts: TellingParts) {}

  /** Sets one, or removes it (undefined), and waits a moment for the servers to know. @throws what {@link PrivateAttributes.set} throws */
  async set(name: string, value: string | undefined): Promise<void> {
    const { own, session } = this.parts;
    const isNew = own.get(name) !== value;
    // Known here at once, and told, whatever becomes of the file.
    const kept = own.set(name, value);
    if (!isNew || own.get(name) !== value) return kept;
    this.revision += 1;
    const { revision } = this;
    const told = session() === undefined ? Promise.resolve() : this.whenTold(revision);
    this.isNews = true;
    this.wake();
    try {
      await kept;
      await within(TOLD_WITHIN_MS, told);
    } finally {
      this.waiting = this.waiting.filter((one) => one.revision !== revision);
    }
  }

  /** Goes on until it is told to stop; never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      this.isNews = false;
      await this.rest(await this.tell(stop).catch((error: unknown) => this.retryIn(error)), stop);
    }
  }

  /** @returns ms until the next look, unless something is set before */
  private async tell(stop: AbortSignal): Promise<number> {
    const { own, server, session } = this.parts;
    const joined = session();
    const { revision, told } = this;
    if (joined === undefined || (told?.revision === revision && told.incarnation === joined.incarnation)) return JOINED_EVERY_MS;
    const { incarnation, url } = joined;
    // What was told in another life counts for nobody: where there is nothing, nothing has to be said. What was sent in this one may be stored yet, though nobody has answered.
    if (own.names.length > 0 || this.sentIn === incarnation) {
      this.sentIn = incarnation;
      const attributes = own.names.map((name) => ({ name, value: own.get(name) ?? '' }));
      await server.privateAttributes(url, { incarnation, revision, attributes }, stop);
    }
    this.told = { revision, incarnation };
    this.isFailing = false;
    for (const { done } of this.waiting.filter((one) => one.revision <= revision)) done();
    return JOINED_EVERY_MS;
  }

  private whenTold(revision: number): Promise<void> {
    return new Promise((done) => {
      this.waiting.push({ revision, done });
    });
  }

  /** Until something is set, at most so long. */
  private async rest(ms: number, stop: AbortSignal): Promise<void> {
    if (this.isNews) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        stop.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      stop.addEventListener('abort', done, { once: true });
      this.wake = done;
    });
  }

  /** @returns ms until it is told again */
  private retryIn(error: unknown): number {
    if (!this.isFailing) {
      const problem = error instanceof Error ? error.message : String(error);
      this.parts.logger.info({ problem }, 'the private attributes of this node could not be told to the servers; it is tried again');
    }
    this.isFailing = true;
    return error instanceof ServerUnavailable ? Math.max(RETRY_MS, error.retryAfterMs) : RETRY_MS;
  }
}
