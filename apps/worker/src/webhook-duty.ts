import { repeat, type Repeating } from '@systole/control-plane';
import { lockedWebhooks, NO_KEYS, readMasterKeys, SYSTEM_CHANCE, SYSTEM_CLOCK, webhookSecretBox } from '@systole/control-plane-postgres';
import { EventTail, type EventStore } from '@systole/event-store';
import type { LateQueues } from '@systole/queue';
import { ClusterCatalog, KnownClusters } from '@systole/read-models';
import { AddressPolicy, behindText, dataSourceOn, WebhookDispatcher, Webhooks } from '@systole/webhooks';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { WorkerConfig } from './worker-config.js';

const TIMEOUT_MS = 10_000;
const DISABLE_AFTER_MS = 5 * 86_400_000;
/** How often it is looked how the webhooks are, ms. */
const LOOK_MS = 30_000;

/** What a worker delivers with. */
export interface WebhookParts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly queues: Pick<LateQueues, 'scheduleWebhook'>;
  /** Counts attempts. */
  readonly attempted: (outcome: 'delivered' | 'failed') => void;
  readonly log: Logger;
}

/** How many webhooks there are, as of the last look. */
export interface WebhookStates {
  readonly enabled: number;
  readonly failing: number;
  readonly disabled: number;
  /** How far behind the log the one is that is furthest behind, ms. */
  readonly lagMs: number;
}

const NONE: WebhookStates = { enabled: 0, failing: 0, disabled: 0, lagMs: 0 };

/** Delivers webhooks in this worker. */
export class WebhookDuty {
  private constructor(
    private readonly database: DataSource,
    private readonly tail: EventTail<{ readonly type: string; readonly data: object }>,
    private readonly dispatcher: WebhookDispatcher,
    private readonly looking: Repeating,
    private readonly seen: { readonly states: WebhookStates },
  ) {}

  static async start(config: WorkerConfig, { pool, store, queues, attempted, log }: WebhookParts): Promise<WebhookDuty> {
    const database = await dataSourceOn(pool);
    const onTrouble = (error: unknown): void => {
      log.warn({ err: error }, 'webhooks could not be seen to; it is tried again');
    };
    const tail = new EventTail(store, { onTrouble });
    const keys = config.secretsKeyFile === undefined ? NO_KEYS : await readMasterKeys(config.secretsKeyFile);
    const box = webhookSecretBox(keys);
    const locked = await lockedWebhooks(pool, keys).catch((error: unknown) => {
      onTrouble(error);
      return 0;
    });
    if (locked > 0)
      log.error(
        { webhooks: locked },
        'webhooks have secrets that this worker can not open, and are not delivered: give it SYSTOLE_SECRETS_KEY_FILE as the apis have it',
      );
    const webhooks = new Webhooks(database, pool, box, tail);
    const clusters = new KnownClusters(new ClusterCatalog(pool));
    const policy = new AddressPolicy(config.webhookAddresses);
    const dispatcher = new WebhookDispatcher(
      {
        pool,
        store,
        tail,
        policy,
        attempted,
        box,
        clusterName: async (id) => (await clusters.find(id))?.name,
        timeoutMs: config.webhookTimeoutMs ?? TIMEOUT_MS,
        disableAfterMs: config.webhookDisableAfterMs ?? DISABLE_AFTER_MS,
        disable: async (id, reason) => {
          log.warn({ webhook: id, reason }, 'a webhook was disabled');
          await webhooks.disable(id, reason);
        },
        chance: () => SYSTEM_CHANCE.fraction(),
      },
      { later: (webhookId, at) => queues.scheduleWebhook({ webhookId, at }), onTrouble },
    );
    const seen = { states: NONE };
    const looking = repeat(
      SYSTEM_CLOCK,
      LOOK_MS,
      async () => {
        const [states, { ms: lagMs, ...lag }] = await Promise.all([webhooks.states(), webhooks.lag()]);
        const text = behindText({ ...lag, ms: lagMs });
        if (text !== undefined) log.warn({ lagMs, ...lag }, text);
        seen.states = { ...states, lagMs };
      },
      onTrouble,
    );
    dispatcher.start();
    return new WebhookDuty(database, tail, dispatcher, looking, seen);
  }

  get states(): WebhookStates {
    return this.seen.states;
  }

  /** Has one looked at. Returns at once. */
  wake(webhookId: string): void {
    this.dispatcher.wake(webhookId);
  }

  async stop(): Promise<void> {
    await this.looking.stop();
    await this.dispatcher.close();
    await this.tail.close();
    await this.database.destroy();
  }
}
