import { randomUUID } from 'node:crypto';
import { appendAudit, type AuditEvent } from '@systole/access';
import type { DomainEvent, EventTail } from '@systole/event-store';
import type { Pool, PoolClient } from 'pg';
import { LessThan, MoreThan, QueryFailedError, type DataSource, type EntityManager, type Repository } from 'typeorm';
import { behind, webhookLag, type Behind, type WebhookLag } from './behind.js';
import { WebhookDelivery } from './entities/webhook-delivery.entity.js';
import { WebhookProgress } from './entities/webhook-progress.entity.js';
import { Webhook } from './entities/webhook.entity.js';
import { makeSecret } from './message/signature.js';
import type { SecretBox } from './message/secret-box.js';

/** What of a webhook is chosen. */
export type WebhookDraft = Pick<
  Webhook,
  'name' | 'url' | 'clusters' | 'audit' | 'types' | 'subjects' | 'actor' | 'severity' | 'authorities' | 'enabled'
>;

/** What is changed of one; `after`: the global position after which it goes on, whatever was delivered. */
export type WebhookChange = Partial<WebhookDraft> & { readonly after?: number };

/** Who does something, by which request, and why. */
export interface WebhookChanger {
  readonly actor: string;
  /** Of the request. */
  readonly correlationId: string;
  readonly reason?: string;
}

/** A webhook, and how far it has got. */
export interface WebhookWithProgress {
  readonly webhook: Webhook;
  readonly progress: WebhookProgress;
}

/** After a secret was replaced, for how long the one before still signs, too. */
const PREVIOUS_SIGNS_FOR = `clock_timestamp() + interval '24 hours'`;

/** Pages of the log that are looked through to tell how far one webhook is behind. */
const PAGES_OF_ONE = 4;

/** How many webhooks there may be: each event is looked at for each of them. */
export const MOST_WEBHOOKS = 200;

/** The webhooks of an installation: what administrators make of them. Each change is in the audit, in its transaction. */
export class Webhooks {
  readonly #webhooks: Repository<Webhook>;
  readonly #deliveries: Repository<WebhookDelivery>;

  constructor(
    private readonly database: DataSource,
    /** That the data source is on. */
    private readonly pool: Pool,
    private readonly box: SecretBox,
    private readonly tail: Pick<EventTail<DomainEvent>, 'end' | 'after'>,
  ) {
    this.#webhooks = database.getRepository(Webhook);
    this.#deliveries = database.getRepository(WebhookDelivery);
  }

  /**
   * Makes one. It gets what is appended from now on, or what comes after a place.
   *
   * @returns it, and its secret, which can't be read again
   */
  async create(
    id: string,
    { after, ...draft }: WebhookDraft & { readonly after?: number },
    by: WebhookChanger,
  ): Promise<(WebhookWithProgress & { readonly secret: string }) | 'made-before' | 'name-taken' | 'too-many'> {
    const secret = makeSecret();
    const sealed = this.box.seal(secret, id);
    const position = after ?? (await this.tail.end()).position;
    const made = await this.database.transaction(async (manager) => {
      const webhooks = manager.getRepository(Webhook);
      // One after the other: the bound is one for all.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('systole webhooks'))`);
      if (await webhooks.existsBy({ id })) return 'made-before';
      if (await webhooks.existsBy({ name: draft.name })) return 'name-taken';
      if ((await webhooks.count()) >= MOST_WEBHOOKS) return 'too-many';
      await webhooks.insert({ ...draft, id, secret: sealed, createdBy: by.actor });
      await manager.getRepository(WebhookProgress).insert({ webhookId: id, position, attempts: 0 });
      await this.#tell(
        manager,
        { type: 'WebhookCreated', data: { webhookId: id, name: draft.name, url: shownUrl(draft.url), ...because(by) } },
        'create-webhook',
        by,
      );
      return undefined;
    });
    if (made !== undefined) return made;
    const found = await this.get(id);
    if (found === undefined) throw new Error(`the webhook ${id} was made and is gone already`);
    return { ...found, secret };
  }

  async get(id: string): Promise<WebhookWithProgress | undefined> {
    const found = await this.#webhooks.findOne({ where: { id }, relations: { progress: true } });
    return found === null ? undefined : withProgress(found);
  }

  /** In the order of their names. */
  async list({ limit, afterName }: { readonly limit: number; readonly afterName?: string }): Promise<readonly WebhookWithProgress[]> {
    const where = afterName === undefined ? {} : { name: MoreThan(afterName) };
    const found = await this.#webhooks.find({ where, order: { name: 'ASC' }, take: limit, relations: { progress: true } });
    return found.map(withProgress);
  }

  /** How far one is behind the log; undefined where it can't be told, as the log has not the place that it has got to. */
  async behind(of: WebhookWithProgress): Promise<Behind | undefined> {
    return behind(of, { pool: this.pool, tail: this.tail }, PAGES_OF_ONE);
  }

  /** The same of many, with a shorter look at each. */
  async allBehind(all: readonly WebhookWithProgress[]): Promise<readonly (Behind | undefined)[]> {
    const found: (Behind | undefined)[] = [];
    for (const one of all) found.push(await behind(one, { pool: this.pool, tail: this.tail }, 1));
    return found;
  }

  /** How far behind the log they are, all together. */
  async lag(): Promise<WebhookLag> {
    return webhookLag(this.pool);
  }

  async isNameTaken(name: string): Promise<boolean> {
    return this.#webhooks.existsBy({ name });
  }

  /** @returns undefined when there is none */
  async change(
    id: string,
    { after, ...change }: WebhookChange,
    by: WebhookChanger,
  ): Promise<WebhookWithProgress | 'name-taken' | undefined> {
    const outcome = await this.database
      .transaction(async (manager) => {
        const webhooks = manager.getRepository(Webhook);
        const before = await webhooks.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
        if (before === null) return 'none';
        const given = Object.keys(change).length === 0 ? {} : change;
        const enabling = change.enabled === undefined ? {} : { disabledReason: null };
        if (Object.keys(given).length > 0) await webhooks.update({ id }, { ...given, ...enabling });
        // Whoever is at it holds it no longer: what it does from here on goes by the new state. It is tried at once.
        const anew = { holder: null, heldUntil: null, attempts: 0, nextAttemptAt: null };
        const restarted = change.enabled === true || after !== undefined ? { failingSince: null, lastError: null } : {};
        await manager
          .getRepository(WebhookProgress)
          .update({ webhookId: id }, { ...anew, ...restarted, ...(after === undefined ? {} : { position: after }) });
        const fields = [...Object.keys(given), ...(after === undefined ? [] : ['after'])];
        const name = change.name ?? before.name;
        await this.#tell(manager, { type: 'WebhookChanged', data: { webhookId: id, name, fields, ...because(by) } }, 'change-webhook', by);
        return 'changed';
      })
      .catch((error: unknown) => {
        if (isNameTaken(error)) return 'name-taken' as const;
        throw error;
      });
    if (outcome === 'name-taken') return outcome;
    return outcome === 'none' ? undefined : this.get(id);
  }

  /** Gives it a new secret; the one before signs along for a day. @returns undefined when there is none */
  async rotateSecret(id: string, by: WebhookChanger): Promise<(WebhookWithProgress & { readonly secret: string }) | undefined> {
    const secret = makeSecret();
    const sealed = this.box.seal(secret, id);
    const isThere = await this.database.transaction(async (manager) => {
      const { affected } = await manager
        .createQueryBuilder()
        .update(Webhook)
        .set({ secret: sealed, previousSecret: () => 'secret', previousUntil: () => PREVIOUS_SIGNS_FOR })
        .where({ id })
        .execute();
      if (affected === 0) return false;
      const { name } = await manager.getRepository(Webhook).findOneByOrFail({ id });
      await this.#tell(
        manager,
        { type: 'WebhookChanged', data: { webhookId: id, name, fields: ['secret'], ...because(by) } },
        'rotate-webhook-secret',
        by,
      );
      return true;
    });
    const found = isThere ? await this.get(id) : undefined;
    return found === undefined ? undefined : { ...found, secret };
  }

  /** With its deliveries. @returns what it was; undefined when there is none */
  async remove(id: string, by: WebhookChanger): Promise<Webhook | undefined> {
    return this.database.transaction(async (manager) => {
      const webhooks = manager.getRepository(Webhook);
      const found = await webhooks.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
      if (found === null) return undefined;
      await webhooks.delete({ id });
      await this.#tell(
        manager,
        { type: 'WebhookDeleted', data: { webhookId: id, name: found.name, ...because(by) } },
        'delete-webhook',
        by,
      );
      return found;
    });
  }

  /** Disabled by the server: says why, in the audit, too. Nothing is lost: enabled again, it goes on where it was. */
  async disable(id: string, reason: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      const webhooks = manager.getRepository(Webhook);
      const { affected } = await webhooks.update({ id, enabled: true }, { enabled: false, disabledReason: reason });
      if (affected === 0) return;
      const { name } = await webhooks.findOneByOrFail({ id });
      const by = { actor: 'worker', correlationId: `webhook-${id}` };
      await this.#tell(manager, { type: 'WebhookDisabled', data: { webhookId: id, name, reason } }, 'disable-webhook', by);
    });
  }

  /** Newest first. @param page.before the last of the page before */
  async deliveries(webhookId: string, page: { readonly limit: number; readonly before?: string }): Promise<readonly WebhookDelivery[]> {
    const last = page.before === undefined ? null : await this.delivery(webhookId, page.before);
    if (page.before !== undefined && last === null) return [];
    const where =
      last === null
        ? { webhookId }
        : [
            { webhookId, at: LessThan(last.at) },
            { webhookId, at: last.at, id: LessThan(last.id) },
          ];
    return this.#deliveries.find({ where, order: { at: 'DESC', id: 'DESC' }, take: page.limit });
  }

  async delivery(webhookId: string, id: string): Promise<WebhookDelivery | null> {
    return this.#deliveries.findOneBy({ webhookId, id });
  }

  /** Asks a worker for an attempt: with a message that only tries the receiver, or with the event of an earlier one. @returns what is to be made */
  async ask(webhookId: string, again?: WebhookDelivery): Promise<WebhookDelivery> {
    const id = randomUUID();
    const of =
      again === undefined
        ? { kind: 'test' as const }
        : {
            kind: 'redelivery' as const,
            position: again.position,
            streamId: again.streamId,
            version: again.version,
            eventType: again.eventType,
          };
    await this.#deliveries
      .createQueryBuilder()
      .insert()
      .values({ id, webhookId, ...of, outcome: 'waiting', attempt: 0, at: () => 'clock_timestamp()' })
      .execute();
    return this.#deliveries.findOneByOrFail({ id });
  }

  /** How many are enabled, fail at the moment, and were disabled by the server. */
  async states(): Promise<{ readonly enabled: number; readonly failing: number; readonly disabled: number }> {
    const enabled = await this.#webhooks.countBy({ enabled: true });
    const disabled = (await this.#webhooks.count()) - enabled;
    const failing = await this.#webhooks
      .createQueryBuilder('webhook')
      .innerJoin('webhook.progress', 'progress')
      .where('webhook.enabled AND progress.failing_since IS NOT NULL')
      .getCount();
    return { enabled, failing, disabled };
  }

  /** Last in its transaction: until that ends nobody else can append to the audit. */
  async #tell(manager: EntityManager, event: AuditEvent, command: string, { actor, correlationId }: WebhookChanger): Promise<void> {
    const client = (await manager.queryRunner?.connect()) as PoolClient;
    await appendAudit(this.pool, client, event, { actor, command, correlationId });
  }
}

function withProgress(webhook: Webhook): WebhookWithProgress {
  const { progress } = webhook;
  if (progress === undefined) throw new Error(`the webhook ${webhook.id} was read without its progress`);
  return { webhook, progress };
}

/** What follows the path may be a secret of the receiver's. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function because({ reason }: WebhookChanger): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

function isNameTaken(error: unknown): boolean {
  return error instanceof QueryFailedError && 'code' in error && error.code === '23505';
}
