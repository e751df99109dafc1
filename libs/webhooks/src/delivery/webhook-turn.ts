import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnknownPosition, type DomainEvent, type EventStore, type EventTail, type RecordedEvent } from '@systole/event-store';
import type { Pool } from 'pg';
import { WebhookFilter } from '../filter/webhook-filter.js';
import { eventMessage, messageIdOf, testMessage, type Message } from '../message/event-message.js';
import type { SecretBox } from '../message/secret-box.js';
import { signatureOf } from '../message/signature.js';
import { send, type Attempt, type SendingLimits } from '../sending/send.js';
import { waitAfter } from './back-off.js';
import { CLAIM, DELIVERED, FAILED, HOLD_ON, MADE, PASS_OVER, RELEASE, WAITING, type HeldRow } from './progress-statements.js';

/** What delivering needs. */
export interface Delivering extends SendingLimits {
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly tail: Pick<EventTail<DomainEvent>, 'after'>;
  readonly box: SecretBox;
  /** Name of a cluster, for whoever reads a message. */
  readonly clusterName: (id: string) => Promise<string | undefined>;
  /** A receiver that has failed for so long is asked no more, ms. */
  readonly disableAfterMs: number;
  /** Disables it for good. */
  readonly disable: (webhookId: string, reason: string) => Promise<void>;
  /** Counts. */
  readonly attempted: (outcome: Attempt['outcome']) => void;
  /** From 0 to below 1. */
  readonly chance: () => number;
}

/** What a turn came to. */
export type TurnEnd =
  /** There is nothing more at the moment. */
  | { readonly end: 'caught-up' }
  /** Its time was over, and there is more. */
  | { readonly end: 'more' }
  /** To be tried again, in so many ms. */
  | { readonly end: 'again'; readonly inMs: number }
  /** Somebody else is at it, it was changed meanwhile, or there is none. */
  | { readonly end: 'not-held' };

/** After which a turn makes room for others, ms; an attempt that is under way is ended before. */
const TURN_MS = 5_000;
const CAN_NOT_SIGN =
  'its secret is kept with a key that this worker does not have: set SYSTOLE_SECRETS_KEY_FILE there as for the api, or give it a new one (rotate-secret)';
/** Attempts that were asked for, in one turn. */
const MOST_WAITING = 20;

/**
 * One worker at one webhook: first what was asked for (tests, redeliveries), then what follows its place in the log, event after event in the global order, in which the events of each cluster are in theirs.
 * An event that can't be delivered is not passed over: the turn ends, and it is tried again later. What was sent is told apart by `webhook-id`; it is sent twice only where a worker was killed, or lost the
 * database, between the receiver's answer and writing it down.
 *
 * @param ended no further attempt is begun
 */
export async function webhookTurn(webhookId: string, delivering: Delivering, ended: AbortSignal): Promise<TurnEnd> {
  const turn = new WebhookTurn(webhookId, delivering, ended);
  return turn.run();
}

class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

class WebhookTurn {
  readonly #holder = randomUUID();
  readonly #until = performance.now() + TURN_MS;

  constructor(
    private readonly webhookId: string,
    private readonly delivering: Delivering,
    private readonly ended: AbortSignal,
  ) {}

  async run(): Promise<TurnEnd> {
    const { rows } = await this.delivering.pool.query<HeldRow>(CLAIM, [this.webhookId, this.#holder]);
    const [held] = rows;
    if (held === undefined) return { end: 'not-held' };
    try {
      const more = await this.#makeWaiting(held);
      const end = held.enabled && held.due ? await this.#goOn(held) : ({ end: 'caught-up' } as const);
      return more && end.end === 'caught-up' ? { end: 'more' } : end;
    } catch (error) {
      if (error instanceof LeaseLost) return { end: 'not-held' };
      throw error;
    } finally {
      await this.delivering.pool.query(RELEASE, [this.webhookId, this.#holder]).catch(() => undefined);
    }
  }

  get #isOver(): boolean {
    return this.ended.aborted || performance.now() >= this.#until;
  }

  /** @returns whether there are more */
  async #makeWaiting(held: HeldRow): Promise<boolean> {
    const { pool, store } = this.delivering;
    const { rows } = await pool.query<{ id: string; kind: 'test' | 'redelivery'; stream_id: string | null; version: string | null }>(
      WAITING,
      [this.webhookId, MOST_WAITING],
    );
    for (const { id, kind, stream_id: streamId, version } of rows) {
      if (this.#isOver) return true;
      await this.#statement(HOLD_ON, []);
      let message: Message | undefined = testMessage(id, held.name, new Date().toISOString());
      if (kind === 'redelivery') {
        const at = Number(version);
        const [event] = await store.readStream(streamId ?? '', { fromVersion: at, toVersion: at });
        message = event === undefined ? undefined : await this.#messageOf(event);
      }
      const attempt: Attempt =
        message === undefined
          ? { outcome: 'failed', error: 'the log no longer has this event', durationMs: 0 }
          : await this.#send(held, message);
      await pool.query(MADE, [id, attempt.outcome, message?.id ?? null, ...saidOf(attempt)]);
    }
    return rows.length === MOST_WAITING;
  }

  async #goOn(held: HeldRow): Promise<TurnEnd> {
    const filter = new WebhookFilter(held);
    let position = Number(held.position);
    let attempts = held.attempts;
    for (;;) {
      const page = await this.#pageAfter(position);
      if (page === undefined) return { end: 'caught-up' };
      let passed = position;
      for (const event of page.events) {
        if (this.#isOver) {
          if (passed !== position) await this.#statement(PASS_OVER, [passed]);
          return { end: 'more' };
        }
        if (filter.lets(event)) {
          await this.#statement(HOLD_ON, []);
          const attempt = await this.#send(held, await this.#messageOf(event));
          attempts += 1;
          if (attempt.outcome === 'failed') return await this.#failed(event, attempts, attempt);
          await this.#statement(DELIVERED, [event.globalPosition, ...recordOf(event, attempts, attempt)]);
          attempts = 0;
          position = event.globalPosition;
        }
        passed = event.globalPosition;
      }
      if (passed !== position) await this.#statement(PASS_OVER, [passed]);
      position = passed;
      if (!page.more) return { end: 'caught-up' };
      await sleep(0);
    }
  }

  /** Undefined: the log has no such place, and the webhook is disabled. */
  async #pageAfter(position: number): Promise<{ readonly events: readonly RecordedEvent[]; readonly more: boolean } | undefined> {
    try {
      return await this.delivering.tail.after({ position });
    } catch (error) {
      if (!(error instanceof UnknownPosition)) throw error;
      const reason = `the log has no event at position ${String(position)}, up to which was delivered: it was restored, perhaps. Say with \`after\` from where to go on`;
      await this.delivering.disable(this.webhookId, reason);
      return undefined;
    }
  }

  async #failed(event: RecordedEvent, attempts: number, attempt: Attempt & { readonly outcome: 'failed' }): Promise<TurnEnd> {
    const { pool, disableAfterMs, disable, chance } = this.delivering;
    const inMs = waitAfter(attempts, chance());
    const values = [event.globalPosition, ...recordOf(event, attempts, attempt), inMs];
    const { rows } = await pool.query<{ failing_ms: string }>(FAILED, [this.webhookId, this.#holder, ...values]);
    const [row] = rows;
    if (row === undefined) throw new LeaseLost();
    if (attempt.gone === true) {
      await disable(this.webhookId, 'the receiver answered 410: it wants nothing any more');
      return { end: 'caught-up' };
    }
    if (Number(row.failing_ms) < disableAfterMs) return { end: 'again', inMs };
    await disable(this.webhookId, `nothing could be delivered for ${inWords(disableAfterMs)}; at last: ${attempt.error}`);
    return { end: 'caught-up' };
  }

  async #messageOf(event: RecordedEvent): Promise<Message> {
    return eventMessage(event, await this.delivering.clusterName(event.streamId));
  }

  async #send({ url, authorities, secret, previous_secret: previous }: HeldRow, { id, body }: Message): Promise<Attempt> {
    const { box, attempted } = this.delivering;
    const current = box.open(secret, this.webhookId);
    if (current === undefined) {
      attempted('failed');
      return { outcome: 'failed', error: CAN_NOT_SIGN, durationMs: 0 };
    }
    const before = previous === null ? undefined : box.open(previous, this.webhookId);
    const secrets = before === undefined ? [current] : [current, before];
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
    };
    const attempt = await send({ url, headers, body, ...(authorities === null ? {} : { authorities }) }, this.delivering);
    attempted(attempt.outcome);
    return attempt;
  }

  /** @throws {LeaseLost} */
  async #statement(text: string, values: readonly unknown[]): Promise<void> {
    const { rowCount } = await this.delivering.pool.query(text, [this.webhookId, this.#holder, ...values]);
    if (rowCount === 0) throw new LeaseLost();
  }
}

/** What the log of deliveries has of an attempt with an event. */
function recordOf(event: RecordedEvent, attempt: number, made: Attempt): readonly unknown[] {
  const { streamId, version, type } = event;
  return [randomUUID(), messageIdOf(event), streamId, version, type, attempt, ...saidOf(made)];
}

function saidOf(attempt: Attempt): readonly unknown[] {
  return [attempt.status ?? null, attempt.outcome === 'failed' ? attempt.error : null, attempt.answer ?? null, attempt.durationMs];
}

function inWords(ms: number): string {
  const days = ms / 86_400_000;
  return days >= 1 ? `${String(Math.round(days))} days` : `${String(Math.round(ms / 1_000))} s`;
}
